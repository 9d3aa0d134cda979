import type { SessionScope } from '../ports/store.ts'
import type { CallJournal, Ticket } from './call-journal.ts'
import type { EntryWriter } from './entries.ts'
import type { Environment } from './environment.ts'

/** What one session keeps in memory: the order of its calls, and which of them wait for a person. */
export type SessionState = {
  readonly env: Environment
  readonly scope: SessionScope
  /** Who asks, where a rule says that the requester may not approve; the principal if undefined. */
  readonly requester: string | undefined
  readonly journal: CallJournal
  readonly entries: EntryWriter
  readonly waiting: WaitingCalls
}

/** The calls of this process that wait on holds, by call id. */
export type WaitingCalls = {
  /** Remembers which hold a call waits on; the oldest is forgotten past 10,000. */
  put(ticket: Ticket, holdId: string): void
  /** The call with this id where it waits on the hold, or without an id the first that does. */
  find(holdId: string, callId?: string): Ticket | undefined
  remove(callId: string): void
}

const MAX_WAITING = 10_000

/** Makes an empty list of waiting calls. */
export function createWaitingCalls(): WaitingCalls {
  const calls = new Map<string, { readonly ticket: Ticket; readonly holdId: string }>()
  return {
    put(ticket, holdId) {
      calls.set(ticket.callId, { ticket, holdId })
      const [oldest] = calls.keys()
      if (calls.size > MAX_WAITING && oldest !== undefined) calls.delete(oldest)
    },
    find(holdId, callId) {
      if (callId !== undefined) {
        const own = calls.get(callId)
        return own?.holdId === holdId ? own.ticket : undefined
      }
      for (const waiting of calls.values()) if (waiting.holdId === holdId) return waiting.ticket
      return undefined
    },
    remove: (callId) => void calls.delete(callId),
  }
}
