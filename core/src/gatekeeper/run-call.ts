import type { Candidate } from '../model/candidate.ts'
import { Attempt } from '../model/attempt.ts'
import { isCallgateError } from '../model/callgate-error.ts'
import type { Decision } from '../model/decision.ts'
import type { JsonObject } from '../model/json-value.ts'
import type { DecisionReason } from '../model/reason.ts'
import type { Durability, Mark } from '../ports/store.ts'
import { markable } from '../gates/compile-gates.ts'
import type { Ran, Run, RunContext } from './call.ts'
import type { Ticket } from './call-journal.ts'
import { keepClaim } from './claim-lease.ts'
import type { RecordedOutcome } from './entries.ts'
import type { Completion, Environment } from './environment.ts'
import type { SessionState } from './session-state.ts'

/** A call whose decision is durable and that is about to run, under a claimed approval where `hold` is named. */
export type ClearedCall = { readonly ticket: Ticket; readonly decision: Decision; readonly hold?: string }

const OUTCOMES = { success: 'ran', failure: 'failed', incomplete: 'incomplete' } as const

/** Runs a cleared call once; then what its success marks, then its outcome (architecture's order). Throws what `run` throws. */
export async function runCall<T>(state: SessionState, cleared: ClearedCall, run: Run<T>): Promise<Ran<T>> {
  const { ticket, decision, hold } = cleared
  const release = hold === undefined ? undefined : keepClaim(state.env, hold)
  try {
    const args = decision.candidate.fields['arguments'] as JsonObject
    const result = await invoke(state, cleared, args, run)
    const completion = completionOf(state.env, ticket, result)
    const deliver = completion === 'success' ? await markSuccess(state, ticket) : undefined
    await recordOutcome(state, cleared, OUTCOMES[completion])
    deliver?.()
    const { reasons, changes } = decision
    return { verdict: 'ran', result, args, repaired: changes.length > 0, reasons, callId: ticket.callId }
  } finally {
    release?.()
  }
}

async function invoke<T>(state: SessionState, cleared: ClearedCall, args: JsonObject, run: Run<T>): Promise<T> {
  const { ticket, decision } = cleared
  const { scope } = state.env
  const mark = (gate: string): void => void ticket.ownMarks.add(markable(gate, 'mark'))
  const context: RunContext = { tool: ticket.call.tool, callId: ticket.callId, changes: decision.changes, mark }
  const body = async (): Promise<T> => run(args, context)
  try {
    return await (scope === undefined ? body() : scope.run(ticket, body))
  } catch (error) {
    await recordOutcome(state, cleared, outcomeOf(error))
    throw error
  }
}

/** What a thrown error says of the call: that nobody knows, that it never reached the tool, or that it failed. */
function outcomeOf(error: unknown): 'unknown' | 'not_run' | 'failed' {
  if (!isCallgateError(error)) return 'failed'
  return error.code === 'unknown_outcome' ? 'unknown' : error.code === 'not_run' ? 'not_run' : 'failed'
}

/** A host's own reading of a result that throws is no success: nothing is marked. */
function completionOf(env: Environment, ticket: Ticket, result: unknown): Completion {
  try {
    return env.completion(result)
  } catch (error) {
    env.warn(`The result of call ${ticket.callId} could not be read, so it marks nothing: ${String(error)}`)
    return 'failure'
  }
}

/** A mark that cannot be written leaves its gate closed; the call has run all the same. */
async function markSuccess({ env, journal, scope, entries }: SessionState, ticket: Ticket): Promise<(() => void) | undefined> {
  const gates = [...new Set([...env.gates.marksOf(ticket.call.tool), ...ticket.ownMarks])]
  if (gates.length === 0) return undefined
  const at = env.clock.now()
  const marks = gates.map((gate): Mark => ({ gate, at }))
  const deliver = journal.marking(gates)
  try {
    await env.store.marks.add(scope, marks, durabilityOf(env, gates))
    await env.store.record.append(gates.map((gate) => entries.mark(ticket.callId, gate, ticket.call.tool)), 'soon')
  } catch (error) {
    env.warn(`The call ${ticket.callId} of ${ticket.call.tool} ran, but its marks could not be written: ${String(error)}`)
  }
  return deliver
}

/** A lost mark closes its gate, but one that a rule has as its condition would open another. */
export function durabilityOf(env: Environment, gates: readonly string[]): Durability {
  return gates.some((gate) => env.gates.isCondition(gate)) ? 'now' : 'soon'
}

async function recordOutcome({ env, journal, entries }: SessionState, cleared: ClearedCall, outcome: RecordedOutcome): Promise<void> {
  const { ticket, decision, hold } = cleared
  if (outcome === 'incomplete' || outcome === 'unknown') journal.doubt(ticket)
  const isOver = outcome === 'failed' || outcome === 'ran'
  const observations = isOver && env.hasPolicies ? observe(env, ticket, decision.candidate, outcome) : []
  const entry = entries.outcome(ticket, outcome, { hold, observations })
  try {
    if (hold === undefined) return await env.store.record.append([entry], 'soon')
    const finished = outcome === 'incomplete' ? 'ran' : outcome === 'not_run' ? 'cancelled' : outcome
    await env.store.holds.apply(hold, { kind: 'finish', at: env.clock.now(), owner: env.owner, outcome: finished }, [entry])
  } catch (error) {
    env.warn(`The outcome of call ${ticket.callId} (${outcome}) could not be recorded: ${String(error)}`)
  }
}

/** The post phase (contract 5.7): what policies say of what ran; nothing is enacted and nothing is retried. */
function observe(env: SessionState['env'], ticket: Ticket, candidate: Candidate, outcome: 'ran' | 'failed'): readonly DecisionReason[] {
  const { tool, schema } = ticket.call
  const server = ticket.call.server ?? env.server
  const attempt = Attempt.create({
    phase: 'post',
    event: outcome === 'ran' ? 'tool.success' : 'tool.failure',
    target: { adapter: env.adapter.id, tool, ...(server !== undefined && { server }) },
    candidate,
    ...(schema !== undefined && { schema }),
  })
  return env.kernel.admit(attempt, env.adapter).reasons
}
