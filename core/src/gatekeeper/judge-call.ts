import { chargeCall } from '../gates/charge-call.ts'
import type { GateJudgement, UnmetGate } from '../gates/judge-gates.ts'
import { judgeViews } from '../gates/judge-views.ts'
import { prepareCall } from '../gates/prepare-call.ts'
import type { PreparedCall } from '../gates/prepare-call.ts'
import { Attempt } from '../model/attempt.ts'
import { Candidate } from '../model/candidate.ts'
import { isCallgateError } from '../model/callgate-error.ts'
import type { CallgateError } from '../model/callgate-error.ts'
import type { Decision } from '../model/decision.ts'
import type { JsonObject } from '../model/json-value.ts'
import type { DecisionReason } from '../model/reason.ts'
import type { RefusalCause } from './call.ts'
import type { Ticket } from './call-journal.ts'
import type { Environment } from './environment.ts'
import { isAlive } from './journal-marks.ts'
import type { Judgement } from './judgement.ts'
import { argumentsMessage } from './message.ts'
import { redactionOf } from './redact-call.ts'
import type { SessionState } from './session-state.ts'
import { blockedMessage, chargeFaultMessage, unmetMessage } from './unmet-message.ts'
import type { UnmetContext } from './unmet-message.ts'
import { NO_OBJECT, wholeArguments } from './whole-arguments.ts'

const MAX_KEYS_TOLD = 3
const NOTHING_MARKED: MarkedBeside = { keys: [], isMarkedSince: false }

/** Copies the arguments as they are now, or says why they are not exact (contract 2), as the error that is handed in may. */
export function candidateOf(args: unknown): Candidate | DecisionReason {
  if (Candidate.isCandidate(args)) return args
  if (isCallgateError(args)) return reasonOf(args)
  try {
    return Candidate.ofArguments(args === undefined ? {} : args)
  } catch (error) {
    if (!isCallgateError(error)) throw error
    return reasonOf(error)
  }
}

function reasonOf({ code, message }: CallgateError): DecisionReason {
  return { policy: 'kernel', code, message }
}

/**
 * Judges arguments and gates (contract 9); rejects where the marks could not be read. Rules look at the admitted arguments;
 * where there are none, those that look at arguments are left out, and the gate's message comes before the arguments'.
 */
export async function judgeCall(state: SessionState, ticket: Ticket): Promise<Judgement> {
  const { env, scope, journal } = state
  const admission = admit(env, ticket)
  const { decision, args } = admission
  const prepared = prepareCall(env.gates, {
    tool: ticket.call.tool,
    annotations: ticket.call.annotations,
    isListed: ticket.call.isListed,
    args,
    argsFault: () => (args === undefined ? undefined : argsFaultOf(env, ticket, args)),
  })
  const marks = prepared.queries.length === 0 ? [] : await env.store.marks.list(scope, prepared.queries)
  const found = judgeViews(env.gates, prepared, journal.views(ticket, marks, env.clock.now()))
  const judged = args === undefined ? { ...found, unmet: found.unmet.filter(({ why }) => why !== 'arguments') } : found
  if (decision === undefined || args === undefined) {
    const refusal = await refusalOf(state, ticket, judged, { cause: 'arguments', message: argumentsMessage(admission.refusal ?? '') })
    return { kind: 'refused', reasons: admission.reasons, ...judged, ...refusal, ...(decision !== undefined && { decision }) }
  }
  return judgeAdmitted(state, ticket, { decision, args, prepared, judged })
}

type AdmittedCall = { readonly decision: Decision; readonly args: JsonObject; readonly prepared: PreparedCall; readonly judged: GateJudgement }

async function judgeAdmitted(state: SessionState, ticket: Ticket, { decision, args, prepared, judged }: AdmittedCall): Promise<Judgement> {
  const { gates } = state.env
  const charge = chargeCall(gates, prepared, args, gates.countsRepeats ? repeatOf(state.env, ticket, decision) : '')
  const isRefused = judged.blocked !== undefined || judged.unmet.length > 0 || charge.faults.length > 0
  if (!isRefused) return { kind: 'admitted', reasons: decision.reasons, ...judged, decision, charge }
  const [fault] = charge.faults
  const refusal = await refusalOf(state, ticket, judged, fault && { cause: fault.kind === 'arguments' ? 'arguments' : 'limit', message: chargeFaultMessage(fault) })
  return { kind: 'refused', reasons: decision.reasons, ...judged, ...refusal, decision }
}

/** Names the call and its arguments in the store; keyed where a redacted value could be guessed from it (contract 11). */
function repeatOf(env: Environment, ticket: Ticket, decision: Decision): string {
  return redactionOf(env, ticket, decision).digest(JSON.stringify([ticket.call.tool, decision.digestAfter]))
}

type Admission = {
  readonly decision?: Decision
  readonly args?: JsonObject
  readonly reasons: readonly DecisionReason[]
  readonly refusal?: string
}

/** What the kernel makes of the arguments; without `args` they were refused. */
function admit(env: Environment, ticket: Ticket): Admission {
  const { candidate } = ticket
  if (!Candidate.isCandidate(candidate)) return { reasons: [candidate], refusal: candidate.message ?? candidate.code }
  const decision = env.kernel.admit(attemptOf(env, ticket, candidate), env.adapter)
  if (decision.verdict === 'refuse') return { decision, reasons: decision.reasons, refusal: decision.message ?? 'The arguments were refused.' }
  const args = wholeArguments(decision)
  return args === undefined ? { decision, reasons: [...decision.reasons, NO_OBJECT], refusal: NO_OBJECT.message ?? '' } : { decision, reasons: decision.reasons, args }
}

/** Whose schema vouches for the arguments (contract 9): without one, a rule that looks at them cannot rely on what it reads. */
function argsFaultOf({ schemaless }: Environment, { call: { schema } }: Ticket, args: JsonObject): string | undefined {
  if (schema?.faultOf !== undefined) return schema.faultOf(args)
  if (schemaless === 'allow') return undefined
  return 'the schema of this tool is not known, so nobody can tell how it reads them. The host passes `schema` with the call, or sets `schemaless: "allow"`.'
}

/** What refused the call first, and what the model reads of it: the gate's message, then `rest`. */
async function refusalOf(
  state: SessionState,
  ticket: Ticket,
  { blocked, unmet }: GateJudgement,
  rest: { readonly cause: RefusalCause; readonly message: string } | undefined,
): Promise<{ readonly cause: RefusalCause; readonly refusal: string }> {
  const { tool } = ticket.call
  if (blocked !== undefined) return { cause: blocked.kind === 'unlisted' ? 'unlisted' : 'deny', refusal: blockedMessage(tool, blocked) }
  const [first] = unmet
  if (first === undefined) return { cause: rest?.cause ?? 'arguments', refusal: rest?.message ?? '' }
  const { env, journal } = state
  const marked = first.why === 'missing_key' || first.why === 'unmarked' ? await markedBeside(state, ticket, first) : NOTHING_MARKED
  const message = unmetMessage(first, { gates: env.gates, inFlight: journal.inFlightBeside(ticket), hasFailed: journal.hasFailed, ...marked })
  return { cause: 'gate', refusal: rest === undefined ? message : `${message}\n\n${rest.message}` }
}

type MarkedBeside = Pick<UnmetContext, 'keys' | 'isMarkedSince'>

/** What the gate is marked with beside the mark that is missing: keys that count for the call, and that mark itself for later calls. */
async function markedBeside({ env, scope, journal }: SessionState, ticket: Ticket, { rule: { gate }, key }: UnmetGate): Promise<MarkedBeside> {
  const at = env.clock.now()
  const marks = await env.store.marks.list(scope, [{ gate }])
  const { before, now } = journal.views(ticket, marks, at)
  const keys = (now ?? before).marksOf(gate).flatMap((mark) => mark.key ?? [])
  return { keys: keys.slice(0, MAX_KEYS_TOLD), isMarkedSince: marks.some((mark) => (key === undefined || mark.key === key) && isAlive(mark, at)) }
}

function attemptOf(env: Environment, ticket: Ticket, candidate: Candidate): Attempt {
  const { tool, schema } = ticket.call
  const server = ticket.call.server ?? env.server
  return Attempt.create({
    phase: 'pre',
    event: 'tool.call',
    target: { adapter: env.adapter.id, tool, ...(server !== undefined && { server }) },
    candidate,
    ...(schema !== undefined && { schema }),
  })
}
