import { CallgateError } from '../model/callgate-error.ts'
import { Candidate } from '../model/candidate.ts'
import { sha256Hex } from '../model/digest.ts'
import { markable } from '../gates/compile-gates.ts'
import type { HoldEvent } from '../holds/hold.ts'
import type { SessionScope } from '../ports/store.ts'
import type { Outcome, Run, ToolCall } from './call.ts'
import { createCallJournal } from './call-journal.ts'
import type { Ticket } from './call-journal.ts'
import { createCallMemory } from './call-memory.ts'
import { createEntryWriter } from './entries.ts'
import type { Environment } from './environment.ts'
import { candidateOf } from './judge-call.ts'
import { durabilityOf } from './run-call.ts'
import { findWaiting, resumeCall } from './resume-call.ts'
import type { ResumeDetail } from './resume-call.ts'
import { createWaitingCalls } from './session-state.ts'
import type { SessionState } from './session-state.ts'
import { settleCall } from './settle-call.ts'

/** One scope of marks: the calls of one conversation, request or connection, judged in the order in which they come in. */
export type Session = {
  readonly id: string
  readonly principal: string
  /**
   * Decides a call and, where it may, runs it once. Rejects with what `run` throws, or with `invalid_call` for a call
   * that names no tool. The arguments are copied at once; a call that comes in again with its `callId` does not run again.
   */
  call<T>(call: ToolCall, run: Run<T>): Promise<Outcome<T>>
  /** Runs a held call once if it was approved; else refused or still held. Rejects with `unknown_hold`, or what `run` throws. */
  resume<T>(holdId: string, run: Run<T>, detail?: ResumeDetail): Promise<Outcome<T>>
  /** The calls of one model turn, judged against the marks before it; settles them all, then rejects if any `run` threw. */
  turn<T>(calls: readonly ToolCall[], run: Run<T>): Promise<readonly Outcome<T>[]>
  /** Marks a gate: inside `run` it counts when that call succeeds, elsewhere at once. Throws `reserved_gate` for `confirm`. */
  mark(gate: string): Promise<void>
  /** A waiting caller has gone (time-out, disconnect): the hold stays until its deadline. */
  leave(holdId: string, callId?: string): Promise<void>
  /** A waiting caller cancelled: terminal for the hold once nobody else waits on it. */
  cancel(holdId: string, callId?: string): Promise<void>
}

/** Makes a session over the environment's ports. */
export function createSession(env: Environment, scope: SessionScope): Session {
  const journal = createCallJournal(env.gates)
  const state: SessionState = { env, scope, journal, entries: createEntryWriter(env, scope), waiting: createWaitingCalls() }
  const memory = createCallMemory()

  const enter = (call: ToolCall): Ticket => {
    checkCall(call)
    const ticket = journal.enter(call, call.callId ?? env.random.id(), candidateOf(call.args))
    journal.start(ticket)
    return ticket
  }
  const settle = <T>(ticket: Ticket, run: Run<T>): Promise<Outcome<T>> =>
    memory.once(memoryKey(ticket), () => settleCall(state, ticket, run).finally(() => journal.end(ticket)))

  const depart = async (kind: 'leave' | 'cancel', holdId: string, callId?: string): Promise<void> => {
    const ticket = state.waiting.find(holdId, callId)
    if (ticket !== undefined) state.waiting.remove(ticket.callId)
    const event: HoldEvent = { kind, at: env.clock.now() }
    await env.store.holds.apply(holdId, event)
  }

  return {
    id: scope.session,
    principal: scope.principal,
    call: async (call, run) => settle(enter(call), run),
    async resume(holdId, run, detail = {}) {
      const found = await findWaiting(state, holdId, detail)
      journal.start(found.ticket)
      return resumeCall(state, found, run).finally(() => journal.end(found.ticket))
    },
    async turn(calls, run) {
      const turn = env.random.id()
      const tickets = calls.map((call) => enter({ turn, ...call }))
      return allOrThrow(await Promise.allSettled(tickets.map((ticket) => settle(ticket, run))))
    },
    async mark(gate) {
      const name = markable(gate, 'mark')
      const current = env.scope?.current()
      if (current !== undefined && journal.isInFlight(current)) return void (current as Ticket).ownMarks.add(name)
      const deliver = journal.marking([name])
      await env.store.marks.add(scope, [{ gate: name, at: env.clock.now() }], durabilityOf(env, [name]))
      await env.store.record.append([state.entries.mark('', name)], 'soon')
      deliver()
    },
    leave: (holdId, callId) => depart('leave', holdId, callId),
    cancel: (holdId, callId) => depart('cancel', holdId, callId),
  }
}

/** Names a call that comes in again: the same id, turn, tool and arguments; none where the host gave no id. */
function memoryKey({ call, candidate }: Ticket): string | undefined {
  if (call.callId === undefined || !Candidate.isCandidate(candidate)) return undefined
  return sha256Hex(JSON.stringify([call.callId, call.turn ?? '', call.tool, candidate.digest]))
}

function checkCall(call: ToolCall): void {
  const wrong = [call?.tool, call?.callId ?? 'id', call?.turn ?? 'turn'].find((text) => typeof text !== 'string' || text === '' || !text.isWellFormed())
  if (wrong === undefined && call?.tool !== undefined) return
  throw new CallgateError('invalid_call', 'A call needs a tool, and its callId and turn where given, as well-formed text that is not empty.')
}

function allOrThrow<T>(settled: readonly PromiseSettledResult<T>[]): readonly T[] {
  const thrown = settled.filter((one) => one.status === 'rejected').map((one): unknown => one.reason)
  if (thrown.length > 1) throw new AggregateError(thrown, `${thrown.length} calls of the turn failed.`)
  if (thrown.length === 1) throw thrown[0]
  return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}
