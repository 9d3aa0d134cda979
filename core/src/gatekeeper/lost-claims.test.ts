import { expect, test } from 'vitest'
import { createGatekeeper } from '@callgate/core'
import type { Gatekeeper } from '@callgate/core'
import { local } from '@callgate/core/local'
import { fixedClock } from '@callgate/core/testing'
import { approve } from './gatekeeper.fixture.ts'

const GATES = [{ gate: 'confirm', tools: ['pay'], message: 'Pay?' }]
const PAY = { tool: 'pay', args: { to: 'ann' } }

/** A process that claimed an approval, started the tool, and is never heard of again. */
async function crashed(): Promise<{ readonly ports: ReturnType<typeof local>; readonly clock: ReturnType<typeof fixedClock>; readonly holdId: string; readonly after: Gatekeeper }> {
  const clock = fixedClock(1_000)
  const ports = { ...local(), clock }
  const before = createGatekeeper({ gates: GATES, ...ports, clock: { ...clock, sleep: () => new Promise(() => undefined) } }).session('s', { principal: 'p' })
  const holdId = (await before.call(PAY, () => 1)).holdId ?? ''
  await approve(ports, holdId)
  void before.resume(holdId, () => new Promise(() => undefined))
  await expect.poll(async () => (await ports.store.holds.get(holdId))?.status).toBe('claimed')
  return { ports, clock, holdId, after: createGatekeeper({ gates: GATES, ...ports }) }
}

const unknownEntries = async ({ store }: ReturnType<typeof local>): Promise<number> => {
  await store.record.flush()
  return (await store.record.read(0, 100)).filter(({ kind, data }) => kind === 'outcome' && data['outcome'] === 'unknown').length
}

test('whoever resumes a call that another process has started is not told that nothing was executed', async () => {
  const { holdId, after } = await crashed()
  const outcome = await after.session('s', { principal: 'p' }).resume(holdId, () => 1)
  expect(outcome).toMatchObject({ verdict: 'refused', cause: 'running' })
  expect(outcome.message).toMatch(/has been started and has not reported/)
  expect(outcome.message).not.toContain('Nothing was executed')
})

test('a resume after the lease finds the outcome unknown, and the record says so once', async () => {
  const { ports, clock, holdId, after } = await crashed()
  clock.advance(30_001)
  const session = after.session('s', { principal: 'p' })
  expect(await session.resume(holdId, () => 1)).toMatchObject({ verdict: 'refused', cause: 'unknown_outcome' })
  expect(await after.recover()).toBe(0)
  expect((await session.call(PAY, () => 1)).verdict).toBe('held')
  expect(await unknownEntries(ports)).toBe(1)
})

test('an identical call after the lease is told the same, and the record says it once', async () => {
  const { ports, clock, after } = await crashed()
  clock.advance(30_001)
  expect(await after.session('s', { principal: 'p' }).call(PAY, () => 1)).toMatchObject({ verdict: 'refused', cause: 'unknown_outcome' })
  expect(await after.recover()).toBe(0)
  expect(await unknownEntries(ports)).toBe(1)
})

test('what has run says that it has run, not that nothing was executed', async () => {
  const ports = local()
  const session = createGatekeeper({ gates: GATES, ...ports }).session('s', { principal: 'p' })
  const holdId = (await session.call(PAY, () => 1)).holdId ?? ''
  await approve(ports, holdId)
  await session.resume(holdId, () => 1)
  const again = await session.resume(holdId, () => 1)
  expect(again).toMatchObject({ verdict: 'refused', cause: 'used' })
  expect(again.message).toMatch(/has run, once\. It was not run again/)
})
