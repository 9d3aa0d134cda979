import { isSamePerson, requesterOf } from './count-votes.ts'
import type { Hold, HoldAsk, HoldDraft, OpenedHold } from './hold.ts'
import { transitionHold } from './transition-hold.ts'

/**
 * What a call that must wait finds (contract 10), given the latest hold of the same binding: it joins a live one, reads
 * once how the last one ended (denied, expired, outcome unknown), or opens its own under `id`; also where the live one does
 * not ask all that this call needs, or a rule that excludes the requester would judge another one. Pure; "now" is the
 * draft's `createdAt`. An `ended` hold may have a new state, which the store keeps.
 */
export function openHold(latest: Hold | undefined, draft: HoldDraft, id: string): OpenedHold {
  if (latest === undefined) return opened(draft, id)
  const joined = transitionHold(latest, { kind: 'join', at: draft.createdAt })
  if (joined.kind === 'moved') return isAskedBy(latest, draft) ? { kind: 'joined', hold: joined.hold } : opened(draft, id)
  const settled = settle(latest, draft.createdAt)
  const isNews = settled.status === 'denied' || settled.status === 'expired' || settled.status === 'unknown'
  return isNews && !settled.told ? { kind: 'ended', hold: settled } : opened(draft, id)
}

/** True where a yes to the hold answers all that the draft asks, of the same requester where that counts. */
function isAskedBy(hold: Hold, draft: HoldDraft): boolean {
  const asked = new Set(hold.asks?.map(textOf))
  if (draft.asks?.some((ask) => !asked.has(textOf(ask)))) return false
  const excludesRequester = hold.asks?.some(({ notBy }) => notBy === 'requester') ?? false
  return !excludesRequester || isSamePerson(requesterOf(hold), requesterOf(draft))
}

function textOf({ question, approvers, quorum, notBy, channel, showTo }: HoldAsk): string {
  return JSON.stringify([question, approvers ?? null, quorum, notBy ?? null, channel ?? null, showTo ?? null])
}

/** A claim whose lease is over has an unknown outcome, an unanswered or unused hold past its deadline has expired. */
function settle(hold: Hold, at: number): Hold {
  if (hold.claim === undefined) return transitionHold(hold, { kind: 'expire', at }).hold
  return transitionHold(hold, { kind: 'lose', at, owner: hold.claim.owner }).hold
}

function opened(draft: HoldDraft, id: string): OpenedHold {
  return { kind: 'opened', hold: { ...draft, id, status: 'pending', count: 1, told: false } }
}
