import type { GateRule } from '../gates/gate-rule.ts'
import type { UnmetGate } from '../gates/judge-gates.ts'
import type { Refused, RefusalCause, UnmetRule } from './call.ts'
import type { Ticket } from './call-journal.ts'
import type { DecisionDetail } from './entries.ts'
import type { Judgement } from './judgement.ts'
import { unavailableMessage } from './message.ts'
import { redactError, redactionOf, redactRefused } from './redact-call.ts'
import type { SessionState } from './session-state.ts'

/** Records a refusal and says it; a refusal stays a refusal even where the record cannot be written. */
export async function refuseCall(
  state: SessionState,
  ticket: Ticket,
  judged: Judgement,
  cause: RefusalCause,
  message: string,
  detail: DecisionDetail = {},
): Promise<Refused> {
  try {
    await state.env.store.record.append([state.entries.decision(ticket, 'refuse', judged, { ...detail, cause, message })], 'now')
  } catch (error) {
    state.env.warn(`The refusal of call ${ticket.callId} of ${ticket.call.tool} could not be recorded: ${redactError(state.env, ticket, error, judged.decision)}`)
  }
  return redactRefused(redactionOf(state.env, ticket, judged.decision), refusal(ticket, cause, message, judged))
}

/** Refuses a call because state could not be read or written; there is nothing to record it in. */
export function refuseUnavailable(state: SessionState, ticket: Ticket, cause: 'record' | 'store', error: unknown): Refused {
  state.env.warn(`Call ${ticket.callId} of ${ticket.call.tool} was refused, for the ${cause} failed: ${redactError(state.env, ticket, error)}`)
  return refusal(ticket, cause, unavailableMessage(cause))
}

/** What decided: the tool's own block, the limits, or the first gate. */
function ruleOf(cause: RefusalCause, judged: Judgement | undefined): string | undefined {
  if (judged?.blocked !== undefined) return judged.blocked.kind
  if (cause === 'limit') return 'limits'
  return askingRule(judged)?.gate
}

function lineOf(cause: RefusalCause, judged: Judgement | undefined): number | undefined {
  return judged?.blocked !== undefined || cause === 'limit' ? undefined : askingRule(judged)?.line
}

function askingRule(judged: Judgement | undefined): GateRule | undefined {
  return judged?.unmet[0]?.rule ?? judged?.holds[0]?.rule ?? judged?.confirms[0]
}

function unmetRule({ rule: { gate, message, line }, why, key }: UnmetGate): UnmetRule {
  return { gate, message, why, ...(key !== undefined && { key }), ...(line !== undefined && { line }) }
}

function refusal(ticket: Ticket, cause: RefusalCause, message: string, judged?: Judgement): Refused {
  const unmet = (judged?.unmet ?? []).map(unmetRule)
  const rule = ruleOf(cause, judged)
  const line = lineOf(cause, judged)
  const reasons = judged?.reasons ?? []
  return { verdict: 'refused', message, cause, reasons, unmet, ...(rule !== undefined && { rule }), ...(line !== undefined && { line }), callId: ticket.callId }
}
