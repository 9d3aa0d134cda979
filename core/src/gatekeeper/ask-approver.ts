import type { Hold } from '../holds/hold.ts'
import type { OpenedHold } from '../holds/hold.ts'
import type { Ticket } from './call-journal.ts'
import type { SessionState } from './session-state.ts'
import { answerEntry } from './answer-hold.ts'

/** Records a hold that was opened or joined, and asks the host's approver where there is one; without an answer it stays pending. */
export async function askApprover(state: SessionState, ticket: Ticket, { kind, hold }: OpenedHold): Promise<Hold> {
  const { env, entries } = state
  await env.store.record.append([entries.hold(ticket.callId, hold.id, kind, ticket.call.tool)], 'soon')
  if (env.approver === undefined) return hold
  const reply = await askHost(state, hold)
  if (reply === undefined) return hold
  if (reply.approver === '') {
    env.warn(`Approval ${hold.id}: an answer without a known approver counts for nothing.`)
    return hold
  }
  const at = env.clock.now()
  const { verdict, approver, reason } = reply
  const answer = { verdict, approver: approver.toWellFormed(), at, ...(reason !== undefined && { reason: reason.toWellFormed() }) }
  const moved = await env.store.holds.apply(hold.id, { kind: 'answer', answer }, [answerEntry(hold, answer)])
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
