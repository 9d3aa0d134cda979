import type { Hold, HoldDraft, OpenedHold } from './hold.ts'
import { transitionHold } from './transition-hold.ts'

/**
 * What a call that must wait finds (contract 10), given the latest hold of the same binding: it joins a live one, reads
 * once how the last one ended (denied, expired, outcome unknown), or opens its own under `id`. Pure; "now" is the
 * draft's `createdAt`. An `ended` hold may have a new state, which the store keeps.
 */
export function openHold(latest: Hold | undefined, draft: HoldDraft, id: string): OpenedHold {
  if (latest === undefined) return opened(draft, id)
  const joined = transitionHold(latest, { kind: 'join', at: draft.createdAt })
  if (joined.kind === 'moved') return { kind: 'joined', hold: joined.hold }
  const settled = settle(latest, draft.createdAt)
  const isNews = settled.status === 'denied' || settled.status === 'expired' || settled.status === 'unknown'
  return isNews && !settled.told ? { kind: 'ended', hold: settled } : opened(draft, id)
}

/** A claim whose lease is over has an unknown outcome, an unanswered or unused hold past its deadline has expired. */
function settle(hold: Hold, at: number): Hold {
  if (hold.claim === undefined) return transitionHold(hold, { kind: 'expire', at }).hold
  return transitionHold(hold, { kind: 'lose', at, owner: hold.claim.owner }).hold
}

function opened(draft: HoldDraft, id: string): OpenedHold {
  return { kind: 'opened', hold: { ...draft, id, status: 'pending', count: 1, told: false } }
}
