import { messageItems, resultOf } from './message-items.ts'
import { spanItems, spansOf } from './span-items.ts'
import type { TraceItem } from './trace.ts'

type Line = Readonly<Record<string, unknown>>

/** What one line of a recording holds: a trace that is whole, or items of one that goes on. */
export type ReadLine = { readonly trace: string; readonly isWhole: boolean; readonly items: readonly TraceItem[] }

/**
 * Reads one line, telling by its looks what it is: a trace of messages, a line of a Claude Code session, an entry of
 * callgate's record, a span. Throws an Error that says why it is none of them; `name` stands in for an id.
 */
export function readTraceLine(text: string, name: string): readonly ReadLine[] {
  const line: unknown = JSON.parse(text)
  if (typeof line !== 'object' || line === null || Array.isArray(line)) throw new Error('the line is no JSON object')
  const object = line as Line
  if (Array.isArray(object['messages'])) return [wholeTrace(object, object['messages'], name)]
  if (isEntry(object)) return recordLine(object)
  const spans = spansOf(object)
  if (spans !== undefined) return spans.flatMap(spanLine)
  if (object['attributes'] !== undefined) return spanLine(object)
  if (typeof object['type'] === 'string' && ('sessionId' in object || 'message' in object)) return sessionLine(object, name)
  throw new Error('the line is no trace that is known: it has neither messages, nor a message, nor attributes, nor is it an entry of the record')
}

function wholeTrace(line: Line, messages: readonly unknown[], name: string): ReadLine {
  const items = messages.flatMap((message, at) => messageItems(message, String(at)))
  return { trace: typeof line['id'] === 'string' ? line['id'] : name, isWhole: true, items }
}

/** A line of a Claude Code session; lines that hold no message are passed over. */
function sessionLine({ message, sessionId, uuid, isMeta }: Line, name: string): readonly ReadLine[] {
  const trace = typeof sessionId === 'string' ? sessionId : name
  if (typeof message !== 'object' || message === null || isMeta === true) return []
  const { id } = message as Line
  return [{ trace, isWhole: false, items: messageItems(message, String(id ?? uuid ?? name)) }]
}

function spanLine(span: Line): readonly ReadLine[] {
  const found = spanItems(span)
  return found === undefined ? [] : [{ ...found, isWhole: false }]
}

function isEntry({ kind, seq, hash, session, data }: Line): boolean {
  return typeof kind === 'string' && typeof seq === 'number' && typeof hash === 'string' && typeof session === 'string' && typeof data === 'object' && data !== null
}

/** Of the record, what was sent, and whether it failed; what tools returned is not in it. */
function recordLine({ kind, session, call, data }: Line): readonly ReadLine[] {
  const { tool, args, outcome, verdict, hold } = data as Line
  const id = String(call)
  const read = (item: TraceItem): readonly ReadLine[] => [{ trace: String(session), isWhole: false, items: [item] }]
  // The decision to run after a yes is about a call that has been read before.
  if (kind === 'decision' && verdict === 'run' && hold !== undefined) return []
  if (kind === 'decision' && typeof tool === 'string') return read({ kind: 'call', id, turn: id, call: { tool, args: { value: args ?? {} } } })
  return kind === 'outcome' && outcome === 'failed' ? read({ kind: 'result', id, result: resultOf(undefined, true) }) : []
}
