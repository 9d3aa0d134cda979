import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hold, HoldAnswer, HoldAsk, HoldTransition } from './hold.ts'
import { isTerminal, transitionHold } from './transition-hold.ts'

function pending(asks: readonly HoldAsk[], more: Partial<Hold> = {}): Hold {
  return {
    id: 'h1', binding: 'b1', principal: 'Pia', session: 's', tool: 't', args: '{}', question: 'Run it?', createdAt: 0, expiresAt: 100,
    asks, status: 'pending', count: 1, told: false, ...more,
  }
}

function say(hold: Hold, approver: string, roles: readonly string[] = [], verdict: HoldAnswer['verdict'] = 'approve', at = 10): HoldTransition {
  return transitionHold(hold, { kind: 'answer', answer: { verdict, approver, roles, at } })
}

const anyone: HoldAsk = { question: 'Run it?', quorum: 1 }
const finance: HoldAsk = { question: 'Pay it?', approvers: ['finance', 'board'], quorum: 1 }
const legal: HoldAsk = { question: 'Sign it?', approvers: ['legal'], quorum: 1 }

test.each<readonly [string, readonly HoldAsk[], readonly string[]]>([
  ['anyone may answer', [anyone], []],
  ['they have one of the roles', [finance], ['ops', 'board']],
  ['they have a role of each of what is asked', [finance, legal, anyone], ['legal', 'finance']],
])('one yes approves where %s, and leaves no list of votes', (_why, asks, roles) => {
  const { hold, kind } = say(pending(asks), 'Ada', roles)
  expect([kind, hold.status, hold.answer, hold.votes]).toEqual(['moved', 'approved', { verdict: 'approve', approver: 'Ada', roles, at: 10 }, undefined])
})

test('with an empty list of what is asked, one yes of anyone approves', () => {
  expect(say(pending([]), 'Ada').hold.status).toBe('approved')
})

test.each<readonly [string, readonly HoldAsk[], readonly string[] | undefined, string]>([
  ['no role', [finance], [], 'not one of the approvers: finance, board'],
  ['no roles at all', [finance], undefined, 'not one of the approvers: finance, board'],
  ['another role', [finance], ['legal'], 'not one of the approvers: finance, board'],
  ['a role in another case', [finance], ['Finance'], 'not one of the approvers: finance, board'],
  ['no role of any that is asked', [finance, legal], ['ops'], 'not one of the approvers: finance, board; not one of the approvers: legal'],
  ['no role, where the list of roles is empty', [{ ...finance, approvers: [] }], ['finance'], 'not one of the approvers: '],
])('who has %s is refused, whatever they say, and the hold is as it was', (_what, asks, roles, why) => {
  const hold = pending(asks)
  for (const verdict of ['approve', 'deny'] as const) {
    const answer = { verdict, approver: 'Ada', at: 10, ...(roles !== undefined && { roles }) }
    const refused = transitionHold(hold, { kind: 'answer', answer })
    expect(refused).toEqual({ kind: 'refused', hold, why })
    expect(refused.hold).toBe(hold)
  }
})

const notByAsker: HoldAsk = { question: 'Pay it?', quorum: 1, notBy: 'requester' }

test.each([
  ['Pia', undefined], [' pia\t', undefined], ['PIA', undefined], ['\uff30\uff29\uff21', undefined], ['P\u0131a', undefined],
  ['Stra\u00dfe', 'STRASSE'], ['Jos\u00e9', 'jose\u0301'], ['\u03c3\u03bf\u03c2', '\u03a3\u039f\u03a3'],
])('where the requester may not answer, %j is told apart by no spelling', (approver, requester) => {
  const hold = pending([notByAsker], requester === undefined ? {} : { requester })
  expect(say(hold, approver)).toEqual({ kind: 'refused', hold, why: 'whoever asks may not answer' })
})

test('the requester is the one who is named, else the principal', () => {
  expect(say(pending([notByAsker], { requester: 'Ada' }), 'Pia').hold.status).toBe('approved')
  expect(say(pending([notByAsker]), 'Ada').hold.status).toBe('approved')
  expect(say(pending([anyone]), 'Pia').hold.status).toBe('approved')
})

test('a requester who may answer one thing that is asked does not answer the other', () => {
  const first = say(pending([notByAsker, anyone]), 'Pia').hold
  expect([first.status, first.answer, first.votes?.map(({ approver }) => approver)]).toEqual(['pending', undefined, ['Pia']])
  expect(say(first, 'Ada').hold.status).toBe('approved')
})

test('a quorum of two needs two people, and keeps who said yes and when', () => {
  const first = say(pending([{ ...finance, quorum: 2 }]), 'Ada', ['finance'], 'approve', 10)
  expect(first.hold).toMatchObject({ status: 'pending', votes: [{ approver: 'Ada', roles: ['finance'], at: 10 }] })
  const second = say(first.hold, 'Bob', ['board'], 'approve', 20)
  expect(second.hold).toMatchObject({ status: 'approved', answer: { approver: 'Bob', at: 20 }, votes: [{ approver: 'Ada' }, { approver: 'Bob' }] })
})

test('the same person who says yes again changes nothing, under any spelling or role', () => {
  const first = say(pending([{ ...anyone, quorum: 2 }, legal]), 'Ada').hold
  for (const name of ['Ada', ' ADA', '\uff21da']) expect(say(first, name, ['legal'])).toEqual({ kind: 'moved', hold: first })
  const done = say(first, 'Bob', ['legal']).hold
  expect(done.status).toBe('approved')
  for (const name of ['Ada', 'Bob']) expect(say(done, name).hold).toBe(done)
  expect(say(done, 'Cy')).toMatchObject({ kind: 'refused', why: 'already approved by Bob' })
  expect(say(done, 'Ada', [], 'deny')).toMatchObject({ kind: 'refused', why: 'already approved by Bob' })
})

test('every quorum counts: what is asked of others still waits', () => {
  const first = say(pending([finance, legal]), 'Ada', ['finance']).hold
  expect(first.status).toBe('pending')
  const second = say(first, 'Bob', ['board']).hold
  expect(second.status).toBe('pending')
  expect(say(second, 'Cy', ['legal']).hold.status).toBe('approved')
})

test('a no by one who may answer decides at once, also by one who said yes before', () => {
  const first = say(pending([{ ...anyone, quorum: 3 }]), 'Ada').hold
  for (const name of ['Bob', 'Ada']) {
    const no = say(first, name, [], 'deny').hold
    expect(no).toMatchObject({ status: 'denied', answer: { verdict: 'deny', approver: name }, votes: [{ approver: 'Ada', verdict: 'approve' }] })
    expect(say(no, 'Ada')).toMatchObject({ kind: 'refused', why: `already denied by ${name}` })
  }
})

test('no vote counts from the deadline on, repeated or not', () => {
  const first = say(pending([{ ...anyone, quorum: 2 }]), 'Ada', [], 'approve', 99).hold
  for (const name of ['Ada', 'Bob']) expect(say(first, name, [], 'approve', 100)).toEqual({ kind: 'refused', hold: first, why: 'expired' })
})

test.each([0, -1, Number.NaN])('a quorum of %d, which nobody may write, approves nothing by itself', (quorum) => {
  expect(say(pending([{ ...legal, quorum }, anyone]), 'Ada').hold.status).toBe('pending')
})

// Five people with fixed roles; the model counts by hand, without the code under test.
const roles = ['finance', 'legal', 'ops'] as const
const people = ['Ada', 'Bob', 'Cy', 'Dee', 'Pia']
const anyAsk: fc.Arbitrary<HoldAsk> = fc.record(
  { question: fc.constantFrom('Pay it?', 'Send it?'), quorum: fc.integer({ min: 1, max: 4 }), approvers: fc.subarray([...roles], { minLength: 1 }), notBy: fc.constant('requester' as const) },
  { requiredKeys: ['question', 'quorum'] },
)
const anyCase = fc.record({
  asks: fc.array(anyAsk, { minLength: 1, maxLength: 3 }),
  rolesOf: fc.array(fc.subarray([...roles]), { minLength: people.length, maxLength: people.length }),
  order: fc.shuffledSubarray(people),
})

type Case = { readonly asks: readonly HoldAsk[]; readonly rolesOf: readonly (readonly string[])[] }

function mayAnswer(ask: HoldAsk, person: string, has: readonly string[]): boolean {
  return (ask.approvers === undefined || ask.approvers.some((role) => has.includes(role))) && !(ask.notBy === 'requester' && person === 'Pia')
}

function shouldBeApproved({ asks, rolesOf }: Case, voters: readonly string[]): boolean {
  return asks.every((ask) => voters.filter((person) => mayAnswer(ask, person, rolesOf[people.indexOf(person)] ?? [])).length >= ask.quorum)
}

function afterYesesOf(given: Case, voters: readonly string[]): Hold {
  return voters.reduce((hold, person) => say(hold, person, rolesOf(given, person)).hold, pending(given.asks))
}

function rolesOf(given: Case, person: string): readonly string[] {
  return given.rolesOf[people.indexOf(person)] ?? []
}

test('a hold is approved exactly where each quorum is met by different people who may answer', () => {
  fc.assert(
    fc.property(anyCase, (given) => {
      const { order } = given
      for (let n = 1; n <= order.length; n += 1) {
        const voters = order.slice(0, n)
        expect(afterYesesOf(given, voters).status).toBe(shouldBeApproved(given, voters) ? 'approved' : 'pending')
      }
    }),
  )
})

test('the order of the yeses does not matter', () => {
  fc.assert(
    fc.property(anyCase, fc.array(fc.nat(), { minLength: 5, maxLength: 5 }), (given, keys) => {
      const other = given.order.map((person, n) => ({ person, key: keys[n] ?? 0 })).toSorted((a, b) => a.key - b.key)
      expect(afterYesesOf(given, other.map(({ person }) => person)).status).toBe(afterYesesOf(given, given.order).status)
    }),
  )
})

test('with any mix of yes and no, no state but pending is left again, and nobody is counted twice', () => {
  const anyVote = fc.record({ person: fc.nat(4), verdict: fc.constantFrom('approve' as const, 'approve' as const, 'deny' as const) })
  fc.assert(
    fc.property(anyCase, fc.array(anyVote, { maxLength: 12 }), (given, votes) => {
      let hold = pending(given.asks)
      for (const { person, verdict } of votes) {
        const name = people[person] ?? ''
        const next = say(hold, name, rolesOf(given, name), verdict).hold
        if (hold.status !== 'pending') expect(next).toBe(hold)
        hold = next
      }
      const yeses = (hold.votes ?? []).map(({ approver }) => approver)
      expect(new Set(yeses).size).toBe(yeses.length)
      if (hold.status === 'approved') expect(shouldBeApproved(given, hold.votes === undefined ? [hold.answer?.approver ?? ''] : yeses)).toBe(true)
      expect(isTerminal(hold.status)).toBe(hold.answer?.verdict === 'deny')
    }),
  )
})
