import { resultOf } from './message-items.ts'
import type { TraceItem } from './trace.ts'

type Line = Readonly<Record<string, unknown>>

/** True for a line that is an entry of callgate's record. */
export function isEntry({ kind, seq, hash, session, data }: Line): boolean {
  return typeof kind === 'string' && typeof seq === 'number' && typeof hash === 'string' && typeof session === 'string' && typeof data === 'object' && data !== null
}

const PHASES: ReadonlyMap<unknown, 'sent' | 'held' | 'refused'> = new Map([['run', 'sent'], ['hold', 'held'], ['refuse', 'refused']])

/** Of the record, what was sent, when, and how it ended; what tools returned is not in it. A session counts with its principal. */
export function entryItems({ kind, principal, session, call, data, at }: Line): { readonly trace: string; readonly items: readonly TraceItem[] } {
  const { tool, args, outcome, verdict } = data as Line
  const phase = PHASES.get(verdict)
  const trace = `${String(principal)} ${String(session)}`
  const id = String(call)
  if (kind === 'decision' && typeof tool === 'string' && phase !== undefined) {
    return { trace, items: [{ kind: 'call', id, phase, call: { tool, args: { value: args ?? {} } }, ...(typeof at === 'number' && { at }) }] }
  }
  return { trace, items: kind === 'outcome' ? [{ kind: 'result', id, result: resultOf(undefined, outcome !== 'ran') }] : [] }
}
