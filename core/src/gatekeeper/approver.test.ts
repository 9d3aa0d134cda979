import { expect, test } from 'vitest'
import { answerHold, createApproverToken, createGatekeeper } from '@callgate/core'
import type { Approver, Entry } from '@callgate/core'
import { local } from '@callgate/core/local'

const GATES = [{ gate: 'confirm', tools: ['pay'], message: 'Pay?' }]

const votes = (entries: readonly Entry[]): unknown[] => entries.filter(({ kind }) => kind === 'vote').map(({ data }) => data)

async function callWith(approver: Approver): Promise<{ outcome: unknown; entries: readonly Entry[]; warnings: string[] }> {
  const ports = local()
  const warnings: string[] = []
  const session = createGatekeeper({ gates: GATES, ...ports, approver, warn: (text) => warnings.push(text) }).session('s', { principal: 'p' })
  const outcome = await session.call({ tool: 'pay' }, () => 'paid')
  await ports.store.record.flush()
  return { outcome, entries: await ports.store.record.read(0, 100), warnings }
}

test('a host that can ask a person runs the call on a yes, and the vote is on the record', async () => {
  const { outcome, entries } = await callWith({ ask: async ({ question }) => ({ verdict: 'approve', approver: `Ann about ${question}` }) })
  expect(outcome).toMatchObject({ verdict: 'ran', result: 'paid' })
  expect(votes(entries)).toMatchObject([{ verdict: 'approve', approver: 'Ann about Pay?', tool: 'pay' }])
})

test('a no through the host refuses with its reason', async () => {
  const { outcome, entries } = await callWith({ ask: async () => ({ verdict: 'deny', approver: 'Ann', reason: 'too much' }) })
  expect(outcome).toMatchObject({ verdict: 'refused', cause: 'denied', message: expect.stringContaining('Reason: too much') })
  expect(votes(entries)).toMatchObject([{ verdict: 'deny', reason: 'too much' }])
})

test.each([
  ['nobody answers', async () => undefined],
  ['the answer has no approver', async () => ({ verdict: 'approve', approver: '' }) as const],
  ['asking fails', () => Promise.reject(new Error('no terminal'))],
])('the call stays held where %s', async (_what, ask) => {
  const { outcome, entries } = await callWith({ ask })
  expect(outcome).toMatchObject({ verdict: 'held' })
  expect(votes(entries)).toEqual([])
})

test('a token is returned once and kept as its digest only; what it is not is no approver', async () => {
  const ports = local()
  const { token, approver } = await createApproverToken(ports, { name: 'Ann', roles: ['finance'] })
  expect(token).toMatch(/^cga_[0-9a-f]{64}$/)
  expect(JSON.stringify(await ports.store.approvers.list())).not.toContain(token)
  const session = createGatekeeper({ gates: GATES, ...ports }).session('s', { principal: 'p' })
  const held = await session.call({ tool: 'pay' }, () => 1)
  const holdId = held.verdict === 'held' ? held.holdId : ''
  const say = (as: string, id = holdId): Promise<unknown> => answerHold(ports, { holdId: id, verdict: 'approve', token: as })
  await expect(say(`${token}x`)).rejects.toMatchObject({ code: 'unknown_approver' })
  await expect(say('')).rejects.toMatchObject({ code: 'unknown_approver' })
  await expect(say(token, 'other')).rejects.toMatchObject({ code: 'unknown_hold' })
  expect(await ports.store.holds.get(holdId)).toMatchObject({ status: 'pending' })
  await ports.store.approvers.revoke(approver.id, 1)
  await expect(say(token)).rejects.toMatchObject({ code: 'unknown_approver' })
  const again = await createApproverToken(ports, { name: 'Bob', roles: [] })
  expect(await say(again.token)).toMatchObject({ status: 'approved', answer: { approver: 'Bob' } })
  await expect(answerHold(ports, { holdId, verdict: 'deny', token: again.token })).rejects.toMatchObject({ code: 'invalid_answer' })
})

test('an approver without a name cannot be made', async () => {
  await expect(createApproverToken(local(), { name: ' ', roles: [] })).rejects.toMatchObject({ code: 'invalid_option' })
})
