import { judgeGates } from '../gates/judge-gates.ts'
import { Attempt } from '../model/attempt.ts'
import { Candidate } from '../model/candidate.ts'
import { isCallgateError } from '../model/callgate-error.ts'
import type { CallgateError } from '../model/callgate-error.ts'
import type { DecisionReason } from '../model/reason.ts'
import type { Ticket } from './call-journal.ts'
import type { Environment } from './environment.ts'
import type { Judgement } from './judgement.ts'
import { argumentsMessage, gateMessage } from './message.ts'
import type { SessionState } from './session-state.ts'

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

/** Judges arguments and gates; rejects where the marks could not be read. The gate's message comes before the arguments'. */
export async function judgeCall({ env, scope, journal }: SessionState, ticket: Ticket): Promise<Judgement> {
  const marks = await env.store.marks.list(scope)
  const { unmet, confirms } = judgeGates(env.gates, ticket.call.tool, journal.view(ticket, marks))
  const [first] = unmet
  const gateText = first === undefined ? [] : [gateMessage(first, env.gates, journal.inFlightBeside(ticket))]
  if (!Candidate.isCandidate(ticket.candidate)) {
    const refusal = [...gateText, argumentsMessage(ticket.candidate.message ?? ticket.candidate.code)].join('\n\n')
    return { kind: 'refused', reasons: [ticket.candidate], unmet, confirms, refusal }
  }
  const decision = env.kernel.admit(attemptOf(env, ticket, ticket.candidate), env.adapter)
  const judged = { decision, reasons: decision.reasons, unmet, confirms }
  const argumentsText = decision.verdict === 'refuse' ? [argumentsMessage(decision.message ?? 'The arguments were refused.')] : []
  const refusal = [...gateText, ...argumentsText].join('\n\n')
  return refusal === '' ? { kind: 'admitted', ...judged } : { kind: 'refused', ...judged, refusal }
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
