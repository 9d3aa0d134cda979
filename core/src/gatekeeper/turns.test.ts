import { expect, test } from 'vitest'
import { CallgateError, createGatekeeper } from '@callgate/core'
import type { Session } from '@callgate/core'
import { local } from '@callgate/core/local'

const RULES = [{ gate: 'read', tools: ['write'], message: 'Read it first.' }]
const MARKS = [{ gate: 'read', tools: ['read'] }]

const session = (gates = { rules: RULES, marks: MARKS }): Session => createGatekeeper({ gates, ...local() }).session('s', { principal: 'p' })
const verdicts = (outcomes: readonly { verdict: string }[]): string[] => outcomes.map((one) => one.verdict)

test('siblings of a turn do not satisfy each other, whatever their order', async () => {
  expect(verdicts(await session().turn([{ tool: 'read' }, { tool: 'write' }], () => 1))).toEqual(['ran', 'refused'])
  expect(verdicts(await session().turn([{ tool: 'write' }, { tool: 'read' }], () => 1))).toEqual(['refused', 'ran'])
})

test('the same holds for single calls that carry one turn, one after the other', async () => {
  const one = session()
  await one.call({ tool: 'read', turn: 't1' }, () => 1)
  expect((await one.call({ tool: 'write', turn: 't1' }, () => 1)).verdict).toBe('refused')
  expect((await one.call({ tool: 'write', turn: 't2' }, () => 1)).verdict).toBe('ran')
})

test('a call that came in before the result of its prerequisite was delivered is refused, saying that it still runs', async () => {
  const one = session()
  let finish = (): void => undefined
  const reading = one.call({ tool: 'read' }, () => new Promise<void>((resolve) => (finish = resolve)))
  const early = await one.call({ tool: 'write' }, () => 1)
  expect(early.verdict === 'refused' && early.message).toContain('"read" is still running')
  finish()
  await reading
  expect((await one.call({ tool: 'write' }, () => 1)).verdict).toBe('ran')
})

test('a mark counts for no call that came in before its delivery, even when that call is judged after it', async () => {
  const ports = local()
  let release = (): void => undefined
  const slow = new Promise<void>((resolve) => (release = resolve))
  const marks = { ...ports.store.marks }
  let lists = 0
  marks.list = async (scope) => {
    lists += 1
    if (lists === 2) await slow
    return ports.store.marks.list(scope)
  }
  const one = createGatekeeper({ gates: { rules: RULES, marks: MARKS }, ...ports, store: { ...ports.store, marks } }).session('s', { principal: 'p' })
  const reading = one.call({ tool: 'read' }, () => 1)
  const writing = one.call({ tool: 'write' }, () => 1)
  await reading
  release()
  expect((await writing).verdict).toBe('refused')
})

test('a condition counts as marked while its marker is a sibling or in flight: doubt closes', async () => {
  const gates = {
    rules: [{ gate: 'checked', tools: ['mail'], message: 'Check first.', condition: 'external' }],
    marks: [{ gate: 'external', tools: ['add_recipient'] }],
  }
  expect(verdicts(await session(gates).turn([{ tool: 'mail' }], () => 1))).toEqual(['ran'])
  expect(verdicts(await session(gates).turn([{ tool: 'mail' }, { tool: 'add_recipient' }], () => 1))).toEqual(['refused', 'ran'])
  expect(verdicts(await session(gates).turn([{ tool: 'add_recipient' }, { tool: 'mail' }], () => 1))).toEqual(['ran', 'refused'])

  const one = session(gates)
  let finish = (): void => undefined
  const adding = one.call({ tool: 'add_recipient' }, () => new Promise<void>((resolve) => (finish = resolve)))
  expect((await one.call({ tool: 'mail' }, () => 1)).verdict).toBe('refused')
  finish()
  await adding
})

test('one call of a turn that throws leaves its siblings their outcome and is thrown on', async () => {
  const one = session()
  const ran: string[] = []
  const run = (_args: unknown, { tool }: { readonly tool: string }): void => {
    if (tool === 'bad') throw new Error('bad broke')
    ran.push(tool)
  }
  await expect(one.turn([{ tool: 'bad' }, { tool: 'read' }], run)).rejects.toThrow('bad broke')
  expect(ran).toEqual(['read'])
  expect((await one.call({ tool: 'write' }, () => 1)).verdict).toBe('ran')
  await expect(one.turn([{ tool: 'bad' }, { tool: 'bad' }], run)).rejects.toThrow('2 calls of the turn failed')
})

test('more turns than are remembered are forgotten oldest first', async () => {
  const one = session()
  await one.call({ tool: 'read', turn: 'first' }, () => 1)
  for (let turn = 0; turn < 256; turn += 1) await one.call({ tool: 'other', turn: `t${turn}` }, () => 1)
  expect((await one.call({ tool: 'write', turn: 'first' }, () => 1)).verdict).toBe('ran')
  expect((await one.call({ tool: 'write', turn: 't255' }, () => 1)).verdict).toBe('ran')
})

test('a condition that a tool marks in its own code counts while that tool still runs', async () => {
  const gates = { rules: [{ gate: 'checked', tools: ['mail'], message: 'Check first.', condition: 'external' }], marks: [{ gate: 'external', tools: ['add_recipient'] }] }
  const one = session(gates)
  let finish = (): void => undefined
  const picking = one.call({ tool: 'pick' }, async () => {
    await one.mark('external')
    await new Promise<void>((resolve) => (finish = resolve))
  })
  await expect.poll(async () => (await one.call({ tool: 'mail' }, () => 1)).verdict).toBe('refused')
  finish()
  await picking
  expect((await one.call({ tool: 'mail' }, () => 1)).verdict).toBe('refused')
})

test('where nobody declares who marks a condition, any call beside it may: doubt closes', async () => {
  const gates = { rules: [{ gate: 'checked', tools: ['mail'], message: 'Check first.', condition: 'external' }], marks: [] }
  expect(verdicts(await session(gates).turn([{ tool: 'mail' }], () => 1))).toEqual(['ran'])
  expect(verdicts(await session(gates).turn([{ tool: 'pick' }, { tool: 'mail' }], () => 1))).toEqual(['ran', 'refused'])
})

test.each(['incomplete', 'unknown'])('a marker whose call ended %s marks no gate, and counts for the rule that has it as condition', async (end) => {
  const gates = {
    rules: [
      { gate: 'checked', tools: ['mail'], message: 'Check first.', condition: 'external' },
      { gate: 'external', tools: ['share'], message: 'Add a recipient first.' },
    ],
    marks: [{ gate: 'external', tools: ['add_recipient'] }],
  }
  const one = createGatekeeper({ gates, ...local(), completion: (result) => (result === 'task' ? 'incomplete' : 'success') }).session('s', { principal: 'p' })
  expect((await one.call({ tool: 'mail' }, () => 1)).verdict).toBe('ran')
  const ending = one.call({ tool: 'add_recipient' }, () => {
    if (end === 'unknown') throw new CallgateError('unknown_outcome', 'the server ended')
    return 'task'
  })
  await ending.catch(() => undefined)
  expect((await one.call({ tool: 'mail' }, () => 1)).verdict).toBe('refused')
  expect((await one.call({ tool: 'share' }, () => 1)).verdict).toBe('refused')
})
