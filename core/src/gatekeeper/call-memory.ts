import type { Outcome } from './call.ts'
import type { Ticket } from './call-journal.ts'

const MAX_REMEMBERED = 256

/** A call that carries an id, and what became of it or is becoming. */
export type RememberedCall = { readonly ticket: Ticket; readonly outcome: Promise<Outcome<unknown>> }

/** The calls that carry an id, so that re-entry is harmless: at most 256 that have ended, the oldest forgotten first. */
export type CallMemory = {
  find(key: string): RememberedCall | undefined
  /** Remembers what becomes of a call, in place of what became of it before; a refusal that only a fault made is forgotten. */
  keep(key: string, ticket: Ticket, outcome: Promise<Outcome<unknown>>): void
}

/** Makes an empty memory. */
export function createCallMemory(): CallMemory {
  const calls = new Map<string, RememberedCall>()
  const ended = new Set<string>()

  const end = (key: string, call: RememberedCall, isFault: boolean): void => {
    if (calls.get(key) !== call) return
    if (isFault) return void calls.delete(key)
    ended.add(key)
    const [oldest] = ended
    if (ended.size <= MAX_REMEMBERED || oldest === undefined) return
    ended.delete(oldest)
    calls.delete(oldest)
  }
  return {
    find: (key) => calls.get(key),
    keep(key, ticket, outcome) {
      const call = { ticket, outcome }
      calls.set(key, call)
      ended.delete(key)
      outcome.then(
        ({ verdict, cause }: { readonly verdict: string; readonly cause?: string }) =>
          end(key, call, verdict === 'refused' && (cause === 'store' || cause === 'record')),
        () => end(key, call, false),
      )
    },
  }
}
