import type { Hold } from '../holds/hold.ts'
import type { EntryDraft } from '../record/entry.ts'
import type { Environment } from './environment.ts'

const PAGE = 100

/** Turns the claims whose process is gone, or whose lease is over, into unknown outcomes (contract 10); returns how many. */
export async function recoverClaims(env: Environment, isOwnerGone: (owner: string) => boolean): Promise<number> {
  let lost = 0
  let after: string | undefined
  for (;;) {
    const page = await env.store.holds.list({ statuses: ['claimed'], limit: PAGE, ...(after !== undefined && { after }) })
    for (const hold of page) if (await lose(env, hold, isOwnerGone)) lost += 1
    after = page.at(-1)?.id
    if (page.length < PAGE) return lost
  }
}

async function lose(env: Environment, hold: Hold, isOwnerGone: (owner: string) => boolean): Promise<boolean> {
  const at = env.clock.now()
  const { claim } = hold
  if (claim === undefined || (at <= claim.leaseUntil && !isOwnerGone(claim.owner))) return false
  const moved = await env.store.holds.apply(hold.id, { kind: 'lose', at, owner: claim.owner, gone: at <= claim.leaseUntil }, [unknownOutcome(hold, at)])
  return moved.kind === 'moved'
}

function unknownOutcome({ id, principal, session, tool }: Hold, at: number): EntryDraft {
  return { kind: 'outcome', at, principal, session, call: id, data: { outcome: 'unknown', tool, hold: id } }
}
