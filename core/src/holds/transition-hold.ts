import { faultOfVoter, isSamePerson, isSatisfied } from './count-votes.ts'
import type { Hold, HoldAnswer, HoldEvent, HoldStatus, HoldTransition } from './hold.ts'

type EventOf<K extends HoldEvent['kind']> = Extract<HoldEvent, { readonly kind: K }>

const LIVE: ReadonlySet<HoldStatus> = new Set(['pending', 'approved', 'claimed'])

/** True where a hold has ended: such a state is final (contract 10). */
export function isTerminal(status: HoldStatus): boolean {
  return !LIVE.has(status)
}

/** The life of a hold as a pure function (contract 10): total, terminal states are final, and the deadline counts at every use. */
export function transitionHold(hold: Hold, event: HoldEvent): HoldTransition {
  switch (event.kind) {
    case 'join':
      return join(hold, event)
    case 'leave':
      return leave(hold)
    case 'cancel':
      return cancel(hold)
    case 'answer':
      return answer(hold, event.answer)
    case 'claim':
      return claim(hold, event)
    case 'renew':
      return renew(hold, event)
    case 'finish':
      return finish(hold, event)
    case 'lose':
      return lose(hold, event)
    case 'expire':
      return expire(hold, event)
    case 'tell':
      return tell(hold)
  }
}

function join(hold: Hold, event: EventOf<'join'>): HoldTransition {
  if (hold.status !== 'pending' && hold.status !== 'approved') return refused(hold, stateOf(hold))
  if (event.at >= hold.expiresAt) return refused(hold, 'expired')
  return moved({ ...hold, count: hold.count + 1 })
}

function leave(hold: Hold): HoldTransition {
  if (isTerminal(hold.status)) return refused(hold, stateOf(hold))
  if (hold.count === 0) return refused(hold, 'nobody waits on it')
  return moved({ ...hold, count: hold.count - 1 })
}

function cancel(hold: Hold): HoldTransition {
  if (hold.status !== 'pending' && hold.status !== 'approved') return refused(hold, stateOf(hold))
  if (hold.count > 1) return moved({ ...hold, count: hold.count - 1 })
  return moved({ ...hold, count: 0, status: 'cancelled' })
}

function answer(hold: Hold, given: HoldAnswer): HoldTransition {
  if (given.approver.trim() === '') return refused(hold, 'an answer needs a known person')
  if (hold.status === 'expired' || hold.status === 'cancelled') return refused(hold, hold.status)
  const { answer: decided, votes = [] } = hold
  const isIn = (said: readonly HoldAnswer[]): boolean => said.some((one) => one.verdict === given.verdict && isSamePerson(one.approver, given.approver))
  if (decided !== undefined) {
    const isRepeated = decided.verdict === given.verdict && isIn([...votes, decided])
    return isRepeated ? moved(hold) : refused(hold, `already ${decided.verdict === 'approve' ? 'approved' : 'denied'} by ${decided.approver}`)
  }
  if (hold.status !== 'pending') return refused(hold, stateOf(hold))
  if (given.at >= hold.expiresAt) return refused(hold, 'expired')
  if (isIn(votes)) return moved(hold)
  const fault = faultOfVoter(hold, given)
  if (fault !== undefined) return refused(hold, fault)
  return given.verdict === 'deny' ? moved({ ...hold, status: 'denied', answer: given }) : approve(hold, given)
}

/** One more yes: it is kept until there are enough, and decides where it is the last that was needed (contract 10). */
function approve(hold: Hold, given: HoldAnswer): HoldTransition {
  const votes = [...(hold.votes ?? []), given]
  const isLast = isSatisfied(hold, votes)
  return moved({
    ...hold,
    ...(votes.length > 1 || !isLast ? { votes } : {}),
    ...(isLast ? { status: 'approved' as const, answer: given } : {}),
  })
}

function claim(hold: Hold, event: EventOf<'claim'>): HoldTransition {
  if (hold.status !== 'approved') return refused(hold, stateOf(hold))
  if (event.binding !== hold.binding) return refused(hold, 'the approval was given for another call')
  if (event.at >= hold.expiresAt) return refused(hold, 'expired')
  return moved({ ...hold, status: 'claimed', claim: { owner: event.owner, at: event.at, leaseUntil: event.leaseUntil } })
}

function renew(hold: Hold, event: EventOf<'renew'>): HoldTransition {
  if (hold.status !== 'claimed' || hold.claim === undefined) return refused(hold, stateOf(hold))
  if (hold.claim.owner !== event.owner) return refused(hold, `claimed by ${hold.claim.owner}`)
  return moved({ ...hold, claim: { ...hold.claim, leaseUntil: event.leaseUntil } })
}

function finish(hold: Hold, event: EventOf<'finish'>): HoldTransition {
  if (hold.status !== 'claimed' || hold.claim === undefined) return refused(hold, stateOf(hold))
  if (hold.claim.owner !== event.owner) return refused(hold, `claimed by ${hold.claim.owner}`)
  return moved({ ...hold, status: event.outcome })
}

function lose(hold: Hold, event: EventOf<'lose'>): HoldTransition {
  if (hold.status !== 'claimed' || hold.claim === undefined) return refused(hold, stateOf(hold))
  if (hold.claim.owner !== event.owner) return refused(hold, `claimed by ${hold.claim.owner}`)
  if (event.gone !== true && event.at <= hold.claim.leaseUntil) return refused(hold, 'its lease is not over')
  return moved({ ...hold, status: 'unknown' })
}

function expire(hold: Hold, event: EventOf<'expire'>): HoldTransition {
  if (hold.status !== 'pending' && hold.status !== 'approved') return refused(hold, stateOf(hold))
  if (event.at < hold.expiresAt) return refused(hold, 'its deadline is ahead')
  return moved({ ...hold, status: 'expired' })
}

function tell(hold: Hold): HoldTransition {
  if (!isTerminal(hold.status)) return refused(hold, stateOf(hold))
  return moved(hold.told ? hold : { ...hold, told: true })
}

function stateOf(hold: Hold): string {
  switch (hold.status) {
    case 'pending':
      return 'not answered yet'
    case 'approved':
      return `approved by ${hold.answer?.approver ?? 'nobody'}, not claimed`
    case 'claimed':
      return `claimed by ${hold.claim?.owner ?? 'nobody'}`
    case 'denied':
      return `denied by ${hold.answer?.approver ?? 'nobody'}`
    case 'expired':
    case 'cancelled':
      return hold.status
    case 'ran':
    case 'failed':
      return 'already used'
    case 'unknown':
      return 'already used, its outcome is unknown'
  }
}

function moved(hold: Hold): HoldTransition {
  return { kind: 'moved', hold }
}

function refused(hold: Hold, why: string): HoldTransition {
  return { kind: 'refused', hold, why }
}
