import { CallgateError } from '../model/callgate-error.ts'
import type { SessionState } from './session-state.ts'

/** A caller stops waiting on a hold (contract 10); one that is named and does not wait changes nothing. Throws `unknown_hold`. */
export async function departFrom(state: SessionState, kind: 'leave' | 'cancel', holdId: string, callId: string | undefined): Promise<void> {
  const { env, scope, waiting, entries } = state
  const hold = await env.store.holds.get(holdId)
  if (hold === undefined || hold.principal !== scope.principal) {
    throw new CallgateError('unknown_hold', `There is no approval ${holdId} for this principal; nothing was changed.`)
  }
  const ticket = waiting.find(holdId, callId)
  if (ticket === undefined && callId !== undefined) return
  if (ticket !== undefined) waiting.remove(ticket.callId)
  const entry = entries.hold(ticket?.callId ?? holdId, holdId, kind === 'cancel' ? 'cancelled by its caller' : 'left by its caller', hold.tool)
  await env.store.holds.apply(holdId, { kind, at: env.clock.now() }, [entry])
}
