import { expect, test } from 'vitest'
import { createGatekeeper } from '@callgate/core'
import type { Outcome, Session } from '@callgate/core'
import { local } from '@callgate/core/local'
import type { LocalPorts } from '@callgate/core/local'
import { approve } from './gatekeeper.fixture.ts'

const GATES = {
  rules: [
    { gate: 'confirm', tools: ['pay'], message: 'Pay?' },
    { gate: 'listed', tools: ['set'], message: 'List first.' },
  ],
  marks: [{ gate: 'listed', tools: ['list'] }],
}

const start = (): { readonly ports: LocalPorts; readonly session: Session } => {
  const ports = local()
  return { ports, session: createGatekeeper({ gates: GATES, ...ports }).session('s', { principal: 'p' }) }
}
const heldOn = (outcome: Outcome<unknown>): string => outcome.holdId ?? 'not held'

test('a turn that is played again runs none of its calls again', async () => {
  const { session } = start()
  let runs = 0
  const calls = [{ tool: 'list', callId: 'a' }, { tool: 'other', callId: 'b' }]
  const first = await session.turn(calls, () => (runs += 1))
  expect(await session.turn(calls, () => (runs += 1))).toEqual(first)
  expect(runs).toBe(2)
})

test('a call that still runs is never forgotten, however many come after it', async () => {
  const { session } = start()
  let finish = (): void => undefined
  let runs = 0
  const call = { tool: 'list', callId: 'long' }
  const running = session.call(call, () => {
    runs += 1
    return new Promise<void>((resolve) => (finish = resolve))
  })
  for (let n = 0; n < 300; n += 1) await session.call({ tool: 'other', callId: `c${n}` }, () => 1)
  const again = session.call(call, () => (runs += 1))
  finish()
  expect(await again).toEqual(await running)
  expect(runs).toBe(1)
})

test('a held call that comes in again is one waiting call, and runs once however it is resumed', async () => {
  const { ports, session } = start()
  let runs = 0
  const run = (): number => (runs += 1)
  const call = { tool: 'pay', args: { to: 'ann' }, callId: 'c1' }
  const held = heldOn(await session.call(call, run))
  expect(heldOn(await session.call(call, run))).toBe(held)
  expect(heldOn(await session.call(call, run))).toBe(held)
  expect(await ports.store.holds.get(held)).toMatchObject({ count: 1 })
  await approve(ports, held)
  const outcomes = await Promise.all([session.resume(held, run), session.call(call, run), session.resume(held, run)])
  expect(outcomes.map(({ verdict }) => verdict)).toEqual(['ran', 'ran', 'ran'])
  expect((await session.call(call, run)).verdict).toBe('ran')
  expect(runs).toBe(1)
  expect(await ports.store.holds.list({ limit: 10 })).toHaveLength(1)
})

test('a refusal that only a fault made is not remembered', async () => {
  const ports = local()
  let isDown = true
  const marks = { ...ports.store.marks, list: async (scope: Parameters<typeof ports.store.marks.list>[0]) => {
    if (isDown) throw new Error('down')
    return ports.store.marks.list(scope)
  } }
  const session = createGatekeeper({ gates: GATES, ...ports, store: { ...ports.store, marks } }).session('s', { principal: 'p' })
  const call = { tool: 'set', callId: 'c1' }
  expect(await session.call(call, () => 1)).toMatchObject({ verdict: 'refused', cause: 'store' })
  isDown = false
  expect(await session.call(call, () => 1)).toMatchObject({ verdict: 'refused', cause: 'gate' })
})

test('a call that came in again, or a turn that could not be taken, is not in flight for ever', async () => {
  const { session } = start()
  const list = { tool: 'list', callId: 'c1' }
  const fail = (): never => {
    throw new Error('down')
  }
  await expect(session.call(list, fail)).rejects.toThrow('down')
  await expect(session.call(list, fail)).rejects.toThrow('down')
  await expect(session.turn([{ tool: 'list' }, { tool: '' }], () => 1)).rejects.toMatchObject({ code: 'invalid_call' })
  const refused = await session.call({ tool: 'set' }, () => 1)
  expect(refused.message).not.toContain('still running')
})

test('a session that is asked for twice is one session', async () => {
  const gatekeeper = createGatekeeper({ gates: GATES, ...local() })
  const handle = (): Session => gatekeeper.session('s', { principal: 'p' })
  await handle().call({ tool: 'list', turn: 't' }, () => 1)
  expect((await handle().call({ tool: 'set', turn: 't' }, () => 1)).verdict).toBe('refused')
  expect((await handle().call({ tool: 'set', turn: 'u' }, () => 1)).verdict).toBe('ran')
})
