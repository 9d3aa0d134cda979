import { expect, test } from 'vitest'
import { createGatekeeper } from '@callgate/core'
import { local } from '@callgate/core/local'

const GATES = [{ gate: 'confirm', tools: ['pay'], message: 'Pay?' }]
const PAY = { tool: 'pay', args: { to: 'ann' } }

test('a cancel counts once a caller, and ends the hold only when nobody waits any more', async () => {
  const ports = local()
  const session = createGatekeeper({ gates: GATES, ...ports }).session('s', { principal: 'p' })
  const holdId = (await session.call({ ...PAY, callId: 'c1' }, () => 1)).holdId ?? ''
  await session.call({ ...PAY, callId: 'c2' }, () => 1)
  await session.cancel(holdId, 'c1')
  await session.cancel(holdId, 'c1')
  await session.cancel(holdId, 'never seen')
  expect(await ports.store.holds.get(holdId)).toMatchObject({ status: 'pending', count: 1 })
  await session.cancel(holdId, 'c2')
  expect(await ports.store.holds.get(holdId)).toMatchObject({ status: 'cancelled' })
  const events = (await ports.store.record.read(0, 100)).filter(({ kind }) => kind === 'hold').map(({ call, data }) => [call, data['event']])
  expect(events).toEqual([['c1', 'opened'], ['c2', 'joined'], ['c1', 'cancelled by its caller'], ['c2', 'cancelled by its caller']])
})

test('another principal cannot end a hold', async () => {
  const ports = local()
  const gatekeeper = createGatekeeper({ gates: GATES, ...ports })
  const holdId = (await gatekeeper.session('s', { principal: 'p' }).call(PAY, () => 1)).holdId ?? ''
  const other = gatekeeper.session('s', { principal: 'q' })
  await expect(other.cancel(holdId)).rejects.toMatchObject({ code: 'unknown_hold' })
  await expect(other.leave(holdId)).rejects.toMatchObject({ code: 'unknown_hold' })
  await expect(other.cancel('never given out')).rejects.toMatchObject({ code: 'unknown_hold' })
  expect(await ports.store.holds.get(holdId)).toMatchObject({ status: 'pending', count: 1 })
})
