import { expect, test } from 'vitest'
import type { GateRule, MarkRule } from '../gates/gate-rule.ts'
import { call, ex, recorded, stage, verdicts, vote } from './stage.fixture.ts'

const id = ex('args.id', ({ args }) => args['id'])
const edit: GateRule = { gate: 'read', tools: ['edit'], message: 'Read it first.', key: id }
const look: MarkRule = { gate: 'read', tools: ['look'], keys: id }
const editClears: MarkRule = { gate: 'read', tools: ['edit'], clear: true, keys: id }
const fail = (): never => {
  throw new Error('no')
}

test('two edits at once after one read both pass: running does not take the prerequisite away (case C18)', async () => {
  const { session } = stage({ rules: [edit], marks: [look] })
  await call(session, 'look', { id: 'a' })
  const outcomes = await session.turn([{ tool: 'edit', args: { id: 'a' } }, { tool: 'edit', args: { id: 'a' } }], () => 1)
  expect(outcomes.map(({ verdict }) => verdict)).toEqual(['ran', 'ran'])
})

test('where an edit clears what was read, one of two at once passes', async () => {
  const { session } = stage({ rules: [edit], marks: [look, editClears] })
  await call(session, 'look', { id: 'a' })
  const outcomes = await session.turn([{ tool: 'edit', args: { id: 'a' } }, { tool: 'edit', args: { id: 'a' } }], () => 1)
  expect(outcomes.map(({ verdict }) => verdict).toSorted()).toEqual(['ran', 'refused'])
  expect(outcomes.find(({ verdict }) => verdict === 'refused')).toMatchObject({ cause: 'gate', rule: 'read' })
})

test('a gate is cleared when the call starts, not when it ends', async () => {
  const { session } = stage({ rules: [edit], marks: [look, { gate: 'read', tools: ['wipe'], clear: true }] })
  await call(session, 'look', { id: 'a' })
  let finish = (): void => undefined
  let begin = (): void => undefined
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const wiping = session.call({ tool: 'wipe' }, async () => {
    begin()
    await new Promise<void>((resolve) => (finish = resolve))
  })
  await begun
  expect(await verdicts(session, 'edit', { id: 'a' })).toEqual(['refused'])
  finish()
  await wiping
})

test('what a call clears stays cleared though the call fails', async () => {
  const { session } = stage({ rules: [edit], marks: [look, editClears] })
  await call(session, 'look', { id: 'a' })
  await call(session, 'look', { id: 'b' })
  await expect(session.call({ tool: 'edit', args: { id: 'a' } }, fail)).rejects.toThrow('no')
  expect(await verdicts(session, 'edit', { id: 'a' }, { id: 'b' })).toEqual(['refused', 'ran'])
})

test('a refused call and a held one clear nothing; the held one does when it is claimed', async () => {
  const rules = [edit, { gate: 'ok', tools: ['wipe'], message: 'Ask first.' }, { gate: 'confirm', tools: ['wipe'], message: 'Wipe?' }]
  const { session, ports } = stage({ rules, marks: [look, { gate: 'read', tools: ['wipe'], clear: true }], external: ['ok'] })
  await call(session, 'look', { id: 'a' })
  expect((await call(session, 'wipe')).verdict).toBe('refused')
  expect(await verdicts(session, 'edit', { id: 'a' })).toEqual(['ran'])
  await session.mark('ok')
  const { holdId = '' } = await call(session, 'wipe')
  expect(await verdicts(session, 'edit', { id: 'a' })).toEqual(['ran'])
  expect(await vote(ports, holdId, 'bob')).toBe('approved')
  expect((await session.resume(holdId, () => 1)).verdict).toBe('ran')
  expect(await verdicts(session, 'edit', { id: 'a' })).toEqual(['refused'])
})

test('clear comes before mark: a call that does both leaves only what it marked', async () => {
  const { session } = stage({ rules: [edit], marks: [{ gate: 'read', tools: ['list'], clear: true }, { gate: 'read', tools: ['list'], keys: ex('result.ids', ({ result }) => result['ids']) }] })
  await call(session, 'list', {}, { ids: ['a', 'b'] })
  await call(session, 'list', {}, { ids: ['b', 'c'] })
  expect(await verdicts(session, 'edit', { id: 'a' }, { id: 'b' }, { id: 'c' })).toEqual(['refused', 'ran', 'ran'])
  await expect(session.call({ tool: 'list' }, fail)).rejects.toThrow('no')
  expect(await verdicts(session, 'edit', { id: 'b' })).toEqual(['refused'])
})

test('a call that does not say which keys it touches clears all of them', async () => {
  const { session } = stage({ rules: [edit], marks: [look, { gate: 'read', tools: ['write'], clear: true, keys: id }] })
  await call(session, 'look', { id: 'a' })
  await call(session, 'look', { id: 'b' })
  await call(session, 'write', { id: ['a'] })
  expect(await verdicts(session, 'edit', { id: 'a' }, { id: 'b' })).toEqual(['refused', 'ran'])
  await call(session, 'write')
  expect(await verdicts(session, 'edit', { id: 'b' })).toEqual(['refused'])
})

test('clearing that cannot be judged refuses the call, naming the rule', async () => {
  const { session } = stage({ marks: [look, { gate: 'read', tools: ['write'], clear: true, keys: ex('args.no.such', () => { throw new Error('no such overload') }), line: 5 }] })
  const refused = await call(session, 'write')
  expect(refused.verdict).toBe('refused')
  expect(refused.message).toContain('the clearing of the gate "read" (line 5)')
})

test("a decision's entry says which gates the call clears", async () => {
  const found = stage({ rules: [edit], marks: [look, editClears] })
  await call(found.session, 'look', { id: 'a' })
  await call(found.session, 'edit', { id: 'a' })
  expect((await recorded(found, 'decision')).map(({ tool, clears }) => [tool, clears])).toEqual([['look', undefined], ['edit', ['read']]])
})
