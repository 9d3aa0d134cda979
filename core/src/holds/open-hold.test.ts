import { expect, test } from 'vitest'
import type { Hold, HoldDraft } from './hold.ts'
import { openHold } from './open-hold.ts'

const draft: HoldDraft = {
  binding: 'b1', principal: 'p', session: 's', tool: 't', args: '{}', question: 'Run it?', createdAt: 50, expiresAt: 150,
}
const answer = { verdict: 'approve', approver: 'ada', at: 10 } as const
const latest = (more: Partial<Hold>): Hold => ({ ...draft, id: 'old', createdAt: 0, expiresAt: 100, status: 'pending', count: 1, told: false, ...more })
const opened = { kind: 'opened', hold: { ...draft, id: 'new', status: 'pending', count: 1, told: false } }

test('the first call of its kind opens a hold, with nobody else waiting', () => {
  expect(openHold(undefined, draft, 'new')).toEqual(opened)
})

test.each(['pending', 'approved'] as const)('an identical call joins a hold that is %s', (status) => {
  const found = openHold(latest({ status }), draft, 'new')
  expect(found).toMatchObject({ kind: 'joined', hold: { id: 'old', status, count: 2, expiresAt: 100 } })
})

test.each(['pending', 'approved'] as const)('a hold that was %s at its deadline is read once as expired', (status) => {
  const old = latest({ status, expiresAt: 50 })
  const found = openHold(old, draft, 'new')
  expect(found).toEqual({ kind: 'ended', hold: { ...old, status: 'expired' } })
  expect(openHold({ ...found.hold, told: true }, draft, 'new')).toEqual(opened)
})

test.each(['denied', 'expired', 'unknown'] as const)('that the last one ended as %s is read once, and asked anew after that', (status) => {
  const old = latest({ status })
  expect(openHold(old, draft, 'new')).toEqual({ kind: 'ended', hold: old })
  expect(openHold({ ...old, told: true }, draft, 'new')).toEqual(opened)
})

test.each(['ran', 'failed', 'cancelled'] as const)('after one that %s, an identical call asks anew', (status) => {
  expect(openHold(latest({ status, answer }), draft, 'new')).toEqual(opened)
})

test('while one call runs on its yes, another of the same kind asks anew', () => {
  const running = latest({ status: 'claimed', answer, claim: { owner: 'p1', at: 20, leaseUntil: 50 } })
  expect(openHold(running, draft, 'new')).toEqual(opened)
})

test('a claim without a sign of life beyond its lease is read once as an unknown outcome', () => {
  const lost = latest({ status: 'claimed', answer, claim: { owner: 'p1', at: 20, leaseUntil: 49 } })
  expect(openHold(lost, draft, 'new')).toEqual({ kind: 'ended', hold: { ...lost, status: 'unknown' } })
})

test('the hold that a process opened is its own object, with the id it was given', () => {
  expect(openHold(undefined, { ...draft, id: 'from the draft' } as HoldDraft, 'new').hold.id).toBe('new')
})

const ask = { question: 'Pay it?', approvers: ['finance'], quorum: 1 } as const
const another = { question: 'Send it?', quorum: 2 } as const
const asks = (...what: readonly (typeof ask | typeof another)[]): Partial<Hold> => ({ asks: what })

test.each([
  ['the same', asks(ask, another), asks(ask, another)],
  ['the same in another order', asks(ask, another), asks(another, ask)],
  ['less', asks(ask, another), asks(ask)],
  ['nothing in particular', asks(ask), {}],
])('a call that asks %s joins', (_what, live, wanted) => {
  expect(openHold(latest(live), { ...draft, ...wanted }, 'new')).toMatchObject({ kind: 'joined', hold: { id: 'old', count: 2 } })
})

test.each([
  ['more', asks(ask), asks(ask, another)],
  ['something where nothing was asked', {}, asks(ask)],
  ['other people', asks(ask), { asks: [{ ...ask, approvers: ['legal'] }] }],
  ['more people', asks(ask), { asks: [{ ...ask, quorum: 2 }] }],
  ['through another channel', asks(ask), { asks: [{ ...ask, channel: 'elicitation' }] }],
  ['others than the requester', asks(ask), { asks: [{ ...ask, notBy: 'requester' }] }],
] as const)('a call that asks %s waits on a hold of its own, whatever the other one is told', (_what, live, wanted) => {
  for (const status of ['pending', 'approved'] as const) {
    const found = openHold(latest({ status, ...live }), { ...draft, ...wanted }, 'new')
    expect(found).toEqual({ kind: 'opened', hold: { ...draft, ...wanted, id: 'new', status: 'pending', count: 1, told: false } })
  }
})

test('where the requester may not answer, who asks the same call joins only what they asked for themselves', () => {
  const guarded = { asks: [{ ...ask, notBy: 'requester' as const }], requester: 'Ada' }
  expect(openHold(latest(guarded), { ...draft, ...guarded, requester: ' ada ' }, 'new').kind).toBe('joined')
  expect(openHold(latest(guarded), { ...draft, ...guarded, requester: 'Bob' }, 'new').kind).toBe('opened')
  expect(openHold(latest({ ...guarded, requester: 'p' }), { ...draft, asks: guarded.asks }, 'new').kind).toBe('joined')
  expect(openHold(latest({ ...asks(ask), requester: 'Ada' }), { ...draft, ...asks(ask), requester: 'Bob' }, 'new').kind).toBe('joined')
})
