import { Candidate } from '../model/candidate.ts'
import { sha256Hex } from '../model/digest.ts'
import type { DecisionReason } from '../model/reason.ts'
import type { Outcome, Run, ToolCall } from './call.ts'
import type { Ticket } from './call-journal.ts'
import { createCallMemory } from './call-memory.ts'
import { schemaKeyOf } from './entries.ts'
import { candidateOf } from './judge-call.ts'
import { resumeCall } from './resume-call.ts'
import type { Waiting } from './resume-call.ts'
import type { SessionState } from './session-state.ts'
import { settleCall } from './settle-call.ts'

/** Takes calls in and sees to it that each is settled once at a time, whoever asks again. */
export type CallDriver = {
  /** Takes calls in together, in order, so that each knows its siblings; `turn` names them where they name no turn themselves. */
  take<T>(calls: readonly ToolCall[], run: Run<T>, turn?: string): readonly Promise<Outcome<T>>[]
  resume<T>(found: Waiting, run: Run<T>): Promise<Outcome<T>>
}

type Entering = { readonly ticket: Ticket; readonly key: string | undefined }

/** Makes the driver of one session. */
export function createCallDriver(state: SessionState): CallDriver {
  const { env, journal, waiting } = state
  const memory = createCallMemory()
  const underway = new Map<Ticket, Promise<Outcome<unknown>>>()
  const keys = new WeakMap<Ticket, string>()

  /** In flight from now on; a call that is being settled is not settled a second time beside it. */
  const drive = <T>(ticket: Ticket, work: () => Promise<Outcome<T>>): Promise<Outcome<T>> => {
    const before = underway.get(ticket)
    if (before !== undefined) return before as Promise<Outcome<T>>
    journal.start(ticket)
    const outcome = work().finally(() => {
      underway.delete(ticket)
      journal.end(ticket)
    })
    underway.set(ticket, outcome)
    const key = keys.get(ticket)
    if (key !== undefined) memory.keep(key, ticket, outcome)
    return outcome
  }
  const resume = <T>(found: Waiting, run: Run<T>): Promise<Outcome<T>> => drive(found.ticket, () => resumeCall(state, found, run))

  /** What became of a call that came in before; a held one is looked after again, since a person may have answered. */
  const again = async <T>(ticket: Ticket, outcome: Promise<Outcome<unknown>>, run: Run<T>): Promise<Outcome<T>> => {
    const known = (await outcome) as Outcome<T>
    if (known.verdict !== 'held' || waiting.find(known.holdId, ticket.callId) !== ticket) return known
    const hold = await env.store.holds.get(known.holdId)
    return hold === undefined ? known : resume({ hold, ticket, isOwn: true }, run)
  }
  const enter = (call: ToolCall, turn: string | undefined, candidate: Candidate | DecisionReason): Ticket =>
    journal.enter({ turn, ...call }, call.callId ?? env.random.id(), candidate, schemaKeyOf(call.schema))

  return {
    resume,
    take<T>(calls: readonly ToolCall[], run: Run<T>, turn?: string): readonly Promise<Outcome<T>>[] {
      const taken = calls.map((call): Entering | Promise<Outcome<T>> => {
        const candidate = candidateOf(call.args)
        const key = memoryKey(call, candidate)
        const known = key === undefined ? undefined : memory.find(key)
        return known === undefined ? { ticket: enter(call, turn, candidate), key } : again(known.ticket, known.outcome, run)
      })
      return taken.map((one) => {
        if (one instanceof Promise) return one
        if (one.key !== undefined) keys.set(one.ticket, one.key)
        return drive(one.ticket, () => settleCall(state, one.ticket, run))
      })
    },
  }
}

/** Names a call that comes in again: the same id, turn, tool and arguments; none where the host gave no id. */
function memoryKey({ callId, turn, tool }: ToolCall, candidate: Candidate | DecisionReason): string | undefined {
  if (callId === undefined || !Candidate.isCandidate(candidate)) return undefined
  return sha256Hex(JSON.stringify([callId, turn ?? '', tool, candidate.digest]))
}
