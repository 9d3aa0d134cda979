import type { MarkDetail } from '../gates/host-marks.ts'
import type { SessionScope } from '../ports/store.ts'
import type { Outcome, Run, ToolCall } from './call.ts'
import { createCallDriver } from './call-driver.ts'
import { createCallJournal } from './call-journal.ts'
import { checkedCall } from './check-call.ts'
import { departFrom } from './depart.ts'
import { createEntryWriter } from './entries.ts'
import type { Environment } from './environment.ts'
import { markGate, markSaid } from './mark-gate.ts'
import { findWaiting } from './resume-call.ts'
import type { ResumeDetail } from './resume-call.ts'
import { createWaitingCalls } from './session-state.ts'
import type { SessionState } from './session-state.ts'

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
  /**
   * Marks a gate, with the keys and one fact a key where there are such: inside `run` it counts when that call succeeds,
   * elsewhere at once. Rejects with `reserved_gate` for `confirm`, and with `invalid_call` for keys and facts that cannot be
   * marked, and where it cannot be told which call it belongs to (no `scope` port, and calls in flight: `run` is then given
   * a `mark` of its own).
   */
  mark(gate: string, detail?: MarkDetail): Promise<void>
  /** What the user wrote, and only that (contract 9): marks the gates that come `from: user`, for the calls after it. */
  said(text: string): Promise<void>
  /** A waiting caller has gone (time-out, disconnect): the hold stays until its deadline. Rejects with `unknown_hold`. */
  leave(holdId: string, callId?: string): Promise<void>
  /** A waiting caller cancelled: terminal for the hold once nobody else waits on it. Rejects with `unknown_hold`. */
  cancel(holdId: string, callId?: string): Promise<void>
}

/** A session, and whether no call of it is judged, waits to be resumed or runs. */
export type LiveSession = { readonly session: Session; readonly isIdle: boolean }

/** Makes a session over the environment's ports. */
export function createSession(env: Environment, scope: SessionScope, requester?: string): LiveSession {
  const journal = createCallJournal(env.gates)
  const state: SessionState = { env, scope, requester, journal, entries: createEntryWriter(env, scope), waiting: createWaitingCalls() }
  const calls = createCallDriver(state)
  const session: Session = {
    id: scope.session,
    principal: scope.principal,
    async call(call, run) {
      const [outcome] = calls.take([checkedCall(call)], run)
      return outcome as NonNullable<typeof outcome>
    },
    async resume(holdId, run, detail = {}) {
      return calls.resume(await findWaiting(state, holdId, detail), run)
    },
    async turn(turnCalls, run) {
      const checked = turnCalls.map(checkedCall)
      return allOrThrow(await Promise.allSettled(calls.take(checked, run, env.random.id())))
    },
    mark: async (gate, detail) => markGate(state, gate, detail),
    said: (text) => markSaid(state, text),
    leave: (holdId, callId) => departFrom(state, 'leave', holdId, callId),
    cancel: (holdId, callId) => departFrom(state, 'cancel', holdId, callId),
  }
  return {
    session,
    get isIdle() {
      return journal.isIdle
    },
  }
}

function allOrThrow<T>(settled: readonly PromiseSettledResult<T>[]): readonly T[] {
  const thrown = settled.filter((one) => one.status === 'rejected').map((one): unknown => one.reason)
  if (thrown.length > 1) throw new AggregateError(thrown, `${thrown.length} calls of the turn failed.`)
  if (thrown.length === 1) throw thrown[0]
  return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}
