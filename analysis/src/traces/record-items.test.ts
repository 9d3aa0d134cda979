import { createGatekeeper } from '@callgate/core'
import { local } from '@callgate/core/local'
import { expect, test } from 'vitest'
import { jsonLines, readAll } from './trace-files.fixture.ts'

const RULES = [{ gate: 'listed', tools: ['pay'], message: 'List first.' }, { gate: 'confirm', tools: ['wipe'], message: 'Wipe?' }]

test('our own record, as a gatekeeper writes it: what was sent, in order, and how it ended', async () => {
  const ports = local()
  const gatekeeper = createGatekeeper({ ...ports, gates: { rules: RULES, marks: [{ gate: 'listed', tools: ['list'] }] } })
  const session = gatekeeper.session('s', { principal: 'ada' })
  await session.call({ tool: 'pay', args: { to: 1 } }, () => 'paid')
  const held = await session.call({ tool: 'wipe', args: { all: true } }, () => 'wiped')
  await session.call({ tool: 'list', args: {} }, () => ['x'])
  await expect(session.call({ tool: 'pay', args: { to: 2 } }, () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  const answer = { verdict: 'approve' as const, approver: 'bob', at: Date.now() }
  await ports.store.holds.apply(held.holdId ?? '', { kind: 'answer', answer })
  await session.resume(held.holdId ?? '', () => 'wiped')
  const entries = await ports.store.record.read(0, 1_000)

  const { events, unread } = await readAll(jsonLines(...entries))
  expect(unread).toEqual([])
  expect(events).toMatchObject([
    { kind: 'calls', trace: 'ada s', at: entries[0]?.at, calls: [{ tool: 'pay', args: { value: { to: 1 } } }] },
    { kind: 'calls', calls: [{ tool: 'list', result: { isError: false } }] },
    { kind: 'calls', calls: [{ tool: 'pay', args: { value: { to: 2 } }, result: { isError: true } }] },
    { kind: 'calls', calls: [{ tool: 'wipe', args: { value: { all: true } }, result: { isError: false } }] },
    { kind: 'end' },
  ])
})

const entry = (kind: string, call: string, data: object, session = 's'): object => ({ kind, seq: 1, hash: 'x', prev: 'y', principal: 'p', session, call, at: 5, data })

test('calls that were in flight together are siblings; one that was refused is in flight for nobody', async () => {
  const { events } = await readAll(jsonLines(
    entry('decision', '1', { verdict: 'run', tool: 'a' }),
    entry('decision', '2', { verdict: 'run', tool: 'b' }),
    entry('outcome', '1', { outcome: 'ran' }),
    entry('outcome', '2', { outcome: 'unknown' }),
    entry('decision', '3', { verdict: 'refuse', tool: 'c' }),
    entry('decision', '4', { verdict: 'run', tool: 'd' }),
  ))
  expect(events).toMatchObject([
    { calls: [{ tool: 'a', result: { isError: false } }, { tool: 'b', result: { isError: true } }] },
    { calls: [{ tool: 'c' }] },
    { calls: [{ tool: 'd' }] },
    { kind: 'end' },
  ])
})

test('a call that was held and never settled counts once, at the end', async () => {
  const { events } = await readAll(jsonLines(entry('decision', '1', { verdict: 'hold', tool: 'a' }), entry('hold', '1', { event: 'opened' }), entry('decision', '2', { verdict: 'run', tool: 'b' })))
  expect(events).toMatchObject([{ calls: [{ tool: 'b' }] }, { calls: [{ tool: 'a' }] }, { kind: 'end' }])
})

test('a hold that ended in a refusal is one call', async () => {
  const { events } = await readAll(jsonLines(entry('decision', '1', { verdict: 'hold', tool: 'a' }), entry('decision', '1', { verdict: 'refuse', hold: 'h', tool: 'a' })))
  expect(events).toMatchObject([{ calls: [{ tool: 'a' }] }, { kind: 'end' }])
})

test('sessions of the same name are apart where their principals are', async () => {
  const { events } = await readAll(jsonLines(entry('decision', '1', { verdict: 'run', tool: 'a' }), { ...entry('decision', '2', { verdict: 'run', tool: 'b' }), principal: 'q' }))
  expect(events.filter(({ kind }) => kind === 'calls').map(({ trace }) => trace)).toEqual(['p s', 'q s'])
})
