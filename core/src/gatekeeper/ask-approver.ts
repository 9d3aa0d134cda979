import type { Hold } from '../holds/hold.ts'
import type { ApproverReply } from '../ports/approver.ts'
import type { SessionState } from './session-state.ts'
import { answerEntry } from './answer-hold.ts'

/** Asks the host's approver, where there is one, about a hold that nobody has answered; without an answer it stays pending. */
export async function askApprover(state: SessionState, hold: Hold): Promise<Hold> {
  const { env } = state
  if (env.approver === undefined || hold.status !== 'pending') return hold
  const reply = await askHost(state, hold)
  if (reply === undefined || reply === null) return hold
  if (!isReply(reply)) {
    env.warn(`Approval ${hold.id}: an answer needs a verdict ("approve" or "deny"), a known approver, and text for a reason; this one counts for nothing.`)
    return hold
  }
  const at = env.clock.now()
  const { verdict, approver, roles, reason } = reply
  const answer = { verdict, approver: approver.toWellFormed(), ...(roles !== undefined && { roles }), at, ...(reason !== undefined && { reason: reason.toWellFormed() }) }
  const moved = await env.store.holds.apply(hold.id, { kind: 'answer', answer }, [answerEntry(hold, answer)])
  if (moved.kind === 'refused') env.warn(`Approval ${hold.id}: the answer of ${approver} counts for nothing: ${moved.why}.`)
  return moved.hold
}

async function askHost(state: SessionState, hold: Hold): ReturnType<NonNullable<SessionState['env']['approver']>['ask']> {
  try {
    return await state.env.approver?.ask(hold)
  } catch (error) {
    state.env.warn(`Approval ${hold.id}: the approver could not be asked, so it stays pending: ${String(error)}`)
    return undefined
  }
}

function isReply({ verdict, approver, roles, reason }: Partial<Record<keyof ApproverReply, unknown>>): boolean {
  const isKnown = typeof approver === 'string' && approver.trim() !== ''
  const hasRoles = roles === undefined || (Array.isArray(roles) && roles.every((role) => typeof role === 'string'))
  return (verdict === 'approve' || verdict === 'deny') && isKnown && hasRoles && (reason === undefined || typeof reason === 'string')
}
