import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hold, HoldEvent, HoldStatus } from './hold.ts'
import { isTerminal, transitionHold } from './transition-hold.ts'

const ada = { verdict: 'approve', approver: 'ada', at: 10 } as const
const claim = { owner: 'p1', at: 20, leaseUntil: 50 }

function holdIn(status: HoldStatus, more: Partial<Hold> = {}): Hold {
  return {
    id: 'h1', binding: 'b1', principal: 'p', session: 's', tool: 't', args: '{}', question: 'Run it?', createdAt: 0, expiresAt: 100,
    status, count: 1, told: false,
    ...(status === 'pending' || status === 'expired' || status === 'cancelled' ? {} : { answer: ada }),
    ...(status === 'denied' ? { answer: { ...ada, verdict: 'deny' as const } } : {}),
    ...(status === 'claimed' || status === 'ran' || status === 'failed' || status === 'unknown' ? { claim } : {}),
    ...more,
  }
}

const statuses: readonly HoldStatus[] = ['pending', 'approved', 'claimed', 'denied', 'expired', 'cancelled', 'ran', 'failed', 'unknown']
const terminal = statuses.filter(isTerminal)
const events: readonly HoldEvent[] = [
  { kind: 'join', at: 30 },
  { kind: 'leave', at: 30 },
  { kind: 'cancel', at: 30 },
  { kind: 'answer', answer: { ...ada, approver: 'bob' } },
  { kind: 'claim', at: 30, binding: 'b1', owner: 'p1', leaseUntil: 60 },
  { kind: 'renew', at: 30, owner: 'p1', leaseUntil: 60 },
  { kind: 'finish', at: 30, owner: 'p1', outcome: 'ran' },
  { kind: 'lose', at: 51, owner: 'p1' },
  { kind: 'expire', at: 100 },
  { kind: 'tell', at: 30 },
]

test('pending, approved and claimed live; the others are terminal', () => {
  expect(terminal).toEqual(['denied', 'expired', 'cancelled', 'ran', 'failed', 'unknown'])
})

// The whole table: which events move a hold in which state, and to where.
const moves: Readonly<Record<HoldStatus, Partial<Record<HoldEvent['kind'], HoldStatus>>>> = {
  pending: { join: 'pending', leave: 'pending', cancel: 'cancelled', answer: 'approved', expire: 'expired' },
  approved: { join: 'approved', leave: 'approved', cancel: 'cancelled', claim: 'claimed', expire: 'expired' },
  claimed: { leave: 'claimed', renew: 'claimed', finish: 'ran', lose: 'unknown' },
  denied: { tell: 'denied' },
  expired: { tell: 'expired' },
  cancelled: { tell: 'cancelled' },
  ran: { tell: 'ran' },
  failed: { tell: 'failed' },
  unknown: { tell: 'unknown' },
}

for (const status of statuses)
  for (const event of events) {
    const to = moves[status][event.kind]
    test(`${event.kind} on a hold that is ${status}: ${to === undefined ? 'refused' : `it is then ${to}`}`, () => {
      const hold = holdIn(status)
      const transition = transitionHold(hold, event)
      expect(transition.kind).toBe(to === undefined ? 'refused' : 'moved')
      expect(transition.hold.status).toBe(to ?? status)
      if (transition.kind === 'refused') {
        expect(transition.hold).toBe(hold)
        expect(transition.why).not.toBe('')
      }
    })
  }

test('terminal states are final: no sequence of events changes anything but `told`', () => {
  const anyEvent = fc.constantFrom(...events)
  fc.assert(
    fc.property(fc.constantFrom(...terminal), fc.array(anyEvent, { maxLength: 8 }), (status, sequence) => {
      const start = holdIn(status)
      const end = sequence.reduce((hold, event) => transitionHold(hold, event).hold, start)
      expect({ ...end, told: false }).toEqual(start)
    }),
  )
})

test('no sequence of events claims a hold twice', () => {
  const anyEvent = fc.oneof(
    fc.constantFrom(...events),
    fc.record({ kind: fc.constant('claim' as const), at: fc.nat(120), binding: fc.constantFrom('b1', 'b2'), owner: fc.constantFrom('p1', 'p2'), leaseUntil: fc.nat(200) }),
  )
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 30 }), (sequence) => {
      let hold = holdIn('pending')
      let claims = 0
      for (const event of sequence) {
        const transition = transitionHold(hold, event)
        if (event.kind === 'claim' && transition.kind === 'moved') claims += 1
        hold = transition.hold
      }
      expect(claims).toBeLessThanOrEqual(1)
      expect(hold.count).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('an answer before the deadline counts, one at the deadline does not', () => {
  const answer = (at: number): HoldEvent => ({ kind: 'answer', answer: { verdict: 'approve', approver: 'ada', at } })
  expect(transitionHold(holdIn('pending'), answer(99))).toMatchObject({ kind: 'moved', hold: { status: 'approved' } })
  expect(transitionHold(holdIn('pending'), answer(100))).toMatchObject({ kind: 'refused', why: 'expired', hold: { status: 'pending' } })
})

test('a no keeps who said it, when and why', () => {
  const answer = { verdict: 'deny', approver: 'ada', at: 9, reason: 'wrong account' } as const
  expect(transitionHold(holdIn('pending'), { kind: 'answer', answer }).hold).toMatchObject({ status: 'denied', answer })
})

test('an answer without a name is no answer', () => {
  const answer = { verdict: 'approve', approver: '', at: 9 } as const
  expect(transitionHold(holdIn('pending'), { kind: 'answer', answer })).toMatchObject({ kind: 'refused', why: 'an answer needs a known person' })
})

test.each(['approved', 'claimed', 'ran', 'failed', 'unknown'] as const)('the same yes by the same person is harmless on a hold that is %s', (status) => {
  const hold = holdIn(status)
  const transition = transitionHold(hold, { kind: 'answer', answer: { ...ada, at: 200 } })
  expect(transition.kind).toBe('moved')
  expect(transition.hold).toBe(hold)
})

test('the same no by the same person is harmless', () => {
  const hold = holdIn('denied')
  expect(transitionHold(hold, { kind: 'answer', answer: { verdict: 'deny', approver: 'ada', at: 11 } }).hold).toBe(hold)
})

test.each([
  ['approved', { verdict: 'deny', approver: 'ada', at: 11 }, 'already approved by ada'],
  ['approved', { verdict: 'approve', approver: 'bob', at: 11 }, 'already approved by ada'],
  ['denied', { verdict: 'approve', approver: 'ada', at: 11 }, 'already denied by ada'],
  ['ran', { verdict: 'deny', approver: 'bob', at: 11 }, 'already approved by ada'],
  ['expired', { verdict: 'approve', approver: 'ada', at: 11 }, 'expired'],
  ['cancelled', { verdict: 'approve', approver: 'ada', at: 11 }, 'cancelled'],
] as const)('on a hold that is %s, %o is refused: %s', (status, answer, why) => {
  expect(transitionHold(holdIn(status), { kind: 'answer', answer })).toMatchObject({ kind: 'refused', why })
})

test('a yes that expired unused cannot be repeated', () => {
  const expired = transitionHold(holdIn('approved'), { kind: 'expire', at: 100 }).hold
  expect(transitionHold(expired, { kind: 'answer', answer: ada })).toMatchObject({ kind: 'refused', why: 'expired' })
})

const claimAt = (at: number, binding = 'b1'): HoldEvent => ({ kind: 'claim', at, binding, owner: 'p1', leaseUntil: at + 30 })

test('the deadline is checked again when the yes is used', () => {
  expect(transitionHold(holdIn('approved'), claimAt(99)).hold).toMatchObject({ status: 'claimed', claim: { owner: 'p1', at: 99, leaseUntil: 129 } })
  expect(transitionHold(holdIn('approved'), claimAt(100))).toMatchObject({ kind: 'refused', why: 'expired', hold: { status: 'approved' } })
})

test('a yes is bound to the call it was given for', () => {
  expect(transitionHold(holdIn('approved'), claimAt(30, 'b2'))).toMatchObject({ kind: 'refused', why: 'the approval was given for another call' })
})

test('a refusal names the state that stands in the way', () => {
  const why = (status: HoldStatus): unknown => transitionHold(holdIn(status), claimAt(30))
  expect(why('pending')).toMatchObject({ why: 'not answered yet' })
  expect(why('claimed')).toMatchObject({ why: 'claimed by p1' })
  expect(why('denied')).toMatchObject({ why: 'denied by ada' })
  expect(why('expired')).toMatchObject({ why: 'expired' })
  expect(why('cancelled')).toMatchObject({ why: 'cancelled' })
  expect(why('ran')).toMatchObject({ why: 'already used' })
  expect(why('failed')).toMatchObject({ why: 'already used' })
  expect(why('unknown')).toMatchObject({ why: 'already used, its outcome is unknown' })
  expect(transitionHold(holdIn('approved'), { kind: 'tell', at: 1 })).toMatchObject({ why: 'approved by ada, not claimed' })
})

test.each(['renew', 'finish', 'lose'] as const)('only an event that names the owner of the claim can %s it', (kind) => {
  const event = { renew: events[5], finish: events[6], lose: events[7] }[kind] as HoldEvent
  expect(transitionHold(holdIn('claimed'), { ...event, owner: 'p2' } as HoldEvent)).toMatchObject({ kind: 'refused', why: 'claimed by p1' })
})

test('a renewed claim stands longer', () => {
  expect(transitionHold(holdIn('claimed'), { kind: 'renew', at: 40, owner: 'p1', leaseUntil: 90 }).hold.claim).toEqual({ owner: 'p1', at: 20, leaseUntil: 90 })
})

test.each(['ran', 'failed', 'unknown'] as const)('the owner may say that the call %s', (outcome) => {
  expect(transitionHold(holdIn('claimed'), { kind: 'finish', at: 40, owner: 'p1', outcome }).hold.status).toBe(outcome)
})

test('a claim is lost after its lease, or before where its owner is known to be gone', () => {
  const lose = (at: number, gone?: boolean): HoldEvent => ({ kind: 'lose', at, owner: 'p1', ...(gone === undefined ? {} : { gone }) })
  expect(transitionHold(holdIn('claimed'), lose(50))).toMatchObject({ kind: 'refused', why: 'its lease is not over' })
  expect(transitionHold(holdIn('claimed'), lose(50, false)).kind).toBe('refused')
  expect(transitionHold(holdIn('claimed'), lose(51)).hold.status).toBe('unknown')
  expect(transitionHold(holdIn('claimed'), lose(21, true)).hold.status).toBe('unknown')
})

test('a hold is joined before its deadline only', () => {
  expect(transitionHold(holdIn('pending'), { kind: 'join', at: 99 }).hold.count).toBe(2)
  expect(transitionHold(holdIn('pending'), { kind: 'join', at: 100 })).toMatchObject({ kind: 'refused', why: 'expired' })
})

test('a hold does not expire before its deadline', () => {
  expect(transitionHold(holdIn('pending'), { kind: 'expire', at: 99 })).toMatchObject({ kind: 'refused', why: 'its deadline is ahead' })
})

test('who leaves is no longer counted, and a hold on which nobody waits stays', () => {
  const left = transitionHold(holdIn('pending'), { kind: 'leave', at: 1 }).hold
  expect(left).toMatchObject({ status: 'pending', count: 0 })
  expect(transitionHold(left, { kind: 'leave', at: 1 })).toMatchObject({ kind: 'refused', why: 'nobody waits on it' })
})

test('a cancel ends a hold once nobody else waits on it', () => {
  const first = transitionHold(holdIn('pending', { count: 2 }), { kind: 'cancel', at: 1 }).hold
  expect(first).toMatchObject({ status: 'pending', count: 1 })
  expect(transitionHold(first, { kind: 'cancel', at: 1 }).hold).toMatchObject({ status: 'cancelled', count: 0 })
  expect(transitionHold(holdIn('approved', { count: 0 }), { kind: 'cancel', at: 1 }).hold).toMatchObject({ status: 'cancelled', count: 0 })
})

test('an end is told once; telling it again changes nothing', () => {
  const told = transitionHold(holdIn('denied'), { kind: 'tell', at: 1 }).hold
  expect(told.told).toBe(true)
  expect(transitionHold(told, { kind: 'tell', at: 2 }).hold).toBe(told)
})
