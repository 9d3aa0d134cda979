import { parseExactJson } from './exact-json.ts'
import { messageItems } from './message-items.ts'
import { firstText, readTime } from './read-scalar.ts'
import { entryItems, isEntry } from './record-items.ts'
import { spanItems, spansOf } from './span-items.ts'
import type { Span } from './span-items.ts'
import type { TraceItem } from './trace.ts'
import { typedText } from './typed-text.ts'

type Line = Readonly<Record<string, unknown>>

/** What one line of a recording holds: a trace that is whole, or items of one that goes on. */
export type ReadLine = { readonly trace: string; readonly isWhole: boolean; readonly items: readonly TraceItem[] }

/** Reads the lines of one file. `name` stands in for an id. Throws an Error that says why a line is no part of a trace. */
export type LineReader = { read(text: string, name: string): readonly ReadLine[] }

const MAX_CONVERSATIONS = 10_000

/** One of these stands in each line of a Claude Code session. */
const SESSION_MEMBERS = ['sessionId', 'message', 'leafUuid', 'messageId']

/**
 * Makes a reader that tells by its looks what a line is: a trace of messages, a message, a line of a Claude Code session, an
 * entry of callgate's record, a span; or a list of such. Lines that name no trace belong to the one of `file`.
 */
export function createLineReader(file: string): LineReader {
  const conversations = new Map<string, string>()

  const readValue = (value: unknown, name: string): readonly ReadLine[] => {
    if (Array.isArray(value)) return readList(value, name)
    if (typeof value !== 'object' || value === null) throw new Error('it is no JSON object')
    const line = value as Line
    if (Array.isArray(line['messages'])) return [messagesTrace(line['messages'], typeof line['id'] === 'string' ? line['id'] : name)]
    if (isEntry(line)) return [{ ...entryItems(line), isWhole: false }]
    const spans = spansOf(line) ?? (line['attributes'] === undefined ? undefined : [line])
    if (spans !== undefined) return spans.flatMap(spanLine)
    if (typeof line['type'] === 'string' && SESSION_MEMBERS.some((member) => member in line)) return sessionLine(line, file, name)
    if (typeof line['role'] === 'string') return [{ trace: file, isWhole: false, items: messageItems(line, name) }]
    throw new Error('it has neither messages, nor a message, nor attributes, nor is it an entry of the record')
  }
  const readList = (list: readonly unknown[], name: string): readonly ReadLine[] => {
    const isMessages = list.length > 0 && list.every((one) => typeof one === 'object' && one !== null && 'role' in one)
    return isMessages ? [messagesTrace(list, name)] : list.flatMap((one, at) => readValue(one, `${name}:${at}`))
  }
  // Spans of tools seldom name the conversation that the spans of the model beside them do.
  const spanLine = (span: Span): readonly ReadLine[] => {
    const found = spanItems(span)
    if (found === undefined) return []
    const { trace, conversation, items } = found
    if (conversation !== undefined && (conversations.has(trace) || conversations.size < MAX_CONVERSATIONS)) conversations.set(trace, conversation)
    return items.length === 0 ? [] : [{ trace: conversation ?? conversations.get(trace) ?? trace, isWhole: false, items }]
  }
  return { read: (text, name) => readValue(parsed(text), name) }
}

function parsed(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch (cause) {
    throw new Error('it is no JSON', { cause })
  }
}

function messagesTrace(messages: readonly unknown[], trace: string): ReadLine {
  return { trace, isWhole: true, items: messages.flatMap((message, at) => messageItems(message, String(at))) }
}

/**
 * A line of a Claude Code session; lines that hold no message are passed over. In the chain of a helper that the agent started,
 * which is a trace of its own, and in a summary, it is the agent that writes as the user; what the program writes there is not the user's.
 */
function sessionLine({ message, sessionId, uuid, isMeta, isSidechain, isCompactSummary, timestamp }: Line, file: string, name: string): readonly ReadLine[] {
  if (typeof message !== 'object' || message === null || isMeta === true) return []
  const { id } = message as Line
  const session = typeof sessionId === 'string' ? sessionId : file
  const at = readTime(timestamp)
  const items = messageItems(typedMessage(message as Line), firstText(id, uuid) ?? name)
    .filter(({ kind }) => kind !== 'user' || (isSidechain !== true && isCompactSummary !== true))
    .map((item): TraceItem => (at === undefined ? item : { ...item, at }))
  return items.length === 0 ? [] : [{ trace: isSidechain === true ? `${session} (sidechain)` : session, isWhole: false, items }]
}

/** A message of the user's with only what the user typed of each text; results and all else as they are. */
function typedMessage(message: Line): Line {
  const { role, content } = message
  if (role !== 'user') return message
  if (typeof content === 'string') return { ...message, content: typedText(content) }
  if (!Array.isArray(content)) return message
  return { ...message, content: content.map((part: unknown) => (isTextPart(part) ? { ...part, text: typedText(part.text) } : part)).filter((part) => !isTextPart(part) || part.text !== '') }
}

function isTextPart(part: unknown): part is Line & { readonly text: string } {
  return typeof part === 'object' && part !== null && (part as Line)['type'] === 'text' && typeof (part as Line)['text'] === 'string'
}
