import type { Candidate } from '../model/candidate.ts'
import { Attempt } from '../model/attempt.ts'
import { isCallgateError } from '../model/callgate-error.ts'
import type { Decision } from '../model/decision.ts'
import type { JsonObject } from '../model/json-value.ts'
import type { DecisionReason } from '../model/reason.ts'
import { hostMarks } from '../gates/host-marks.ts'
import { readMarks } from '../gates/read-marks.ts'
import type { ResultReading, ToolReading } from '../gates/read-marks.ts'
import type { Ran, Run, RunContext } from './call.ts'
import type { Ticket } from './call-journal.ts'
import { keepClaim } from './claim-lease.ts'
import type { RecordedOutcome } from './entries.ts'
import type { Completion, Environment } from './environment.ts'
import { writeMarks } from './mark-gate.ts'
import { redactError, redactionOf } from './redact-call.ts'
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
    const said = completionOf(state.env, ticket, result)
    const read = said === 'success' ? readResult(state, ticket, args, result) : undefined
    const completion = read?.failed === true ? 'failure' : said
    if (said !== 'incomplete') state.journal.tried(ticket.call.tool, completion === 'success')
    const deliver = await markResult(state, cleared, read, completion === 'success')
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
  const mark: RunContext['mark'] = (gate, detail = {}) => {
    hostMarks(gate, detail, state.env.clock.now())
    ticket.ownMarks.push({ gate, detail })
  }
  const context: RunContext = { tool: ticket.call.tool, callId: ticket.callId, changes: decision.changes, mark }
  const body = async (): Promise<T> => run(args, context)
  try {
    return await (scope === undefined ? body() : scope.run(ticket, body))
  } catch (error) {
    state.journal.tried(ticket.call.tool, false)
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
    env.warn(`The result of call ${ticket.callId} could not be read, so it marks nothing: ${redactError(env, ticket, error)}`)
    return 'failure'
  }
}

/** What the result marks, read only where the tool marks something; doubt about it counts as a failure (contract 9). */
function readResult({ env }: SessionState, ticket: Ticket, args: JsonObject, result: unknown): ResultReading | undefined {
  const { tool } = ticket.call
  if (env.gates.termsOf(tool).marks.length === 0) return undefined
  let reading: ToolReading
  try {
    reading = env.reading(result)
  } catch (error) {
    env.warn(`What ${tool} returned could not be read, so rules see no content of it: ${redactError(env, ticket, error)}`)
    reading = {}
  }
  return readMarks(env.gates, { tool, args }, reading, env.clock.now())
}

/**
 * Marks what a success marks, and tells what could not be read of any result. A mark that cannot be written leaves its gate
 * closed; the call has run all the same.
 */
async function markResult(state: SessionState, { ticket, decision }: ClearedCall, read: ResultReading | undefined, isSuccess: boolean): Promise<(() => void) | undefined> {
  const { env } = state
  const { tool } = ticket.call
  const redaction = redactionOf(env, ticket, decision)
  const problems = read?.problems ?? []
  for (const problem of problems) env.warn(redaction.text(problem))
  try {
    const own = (isSuccess ? ticket.ownMarks : []).flatMap(({ gate, detail }) => hostMarks(gate, detail, env.clock.now()))
    return await writeMarks(state, { callId: ticket.callId, tool, redaction }, [...(read?.marks ?? []), ...own], problems)
  } catch (error) {
    env.warn(`The call ${ticket.callId} of ${tool} ran, but its marks could not be written: ${redactError(env, ticket, error, decision)}`)
    return undefined
  }
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
    env.warn(`The outcome of call ${ticket.callId} (${outcome}) could not be recorded: ${redactError(env, ticket, error, decision)}`)
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
