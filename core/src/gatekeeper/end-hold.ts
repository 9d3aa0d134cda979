import type { Hold } from '../holds/hold.ts'
import type { EntryDraft } from '../record/entry.ts'
import type { Environment } from './environment.ts'

/** The record's entry for a hold that ended without an answer of its call's: its outcome is unknown, or nobody answered in time. */
export function endEntry({ id, principal, session, tool, status }: Hold, at: number): EntryDraft {
  const common = { at, principal, session, call: id }
  if (status === 'unknown') return { kind: 'outcome', ...common, data: { outcome: 'unknown', tool, hold: id } }
  return { kind: 'hold', ...common, data: { hold: id, event: status, tool } }
}

/** Ends a hold whose time is over, and says so in the record: unanswered or unused past its deadline, or claimed and lost. */
export async function endDue(env: Environment, hold: Hold, isOwnerGone: (owner: string) => boolean = () => false): Promise<Hold> {
  const at = env.clock.now()
  const { holds } = env.store
  if (hold.status === 'claimed' && hold.claim !== undefined) {
    const { owner, leaseUntil } = hold.claim
    const isOver = at > leaseUntil
    if (!isOver && !isOwnerGone(owner)) return hold
    return (await holds.apply(hold.id, { kind: 'lose', at, owner, gone: !isOver }, [endEntry({ ...hold, status: 'unknown' }, at)])).hold
  }
  if ((hold.status !== 'pending' && hold.status !== 'approved') || at < hold.expiresAt) return hold
  return (await holds.apply(hold.id, { kind: 'expire', at }, [endEntry({ ...hold, status: 'expired' }, at)])).hold
}
