import { expect, test } from 'vitest'
import type { GateRule, MarkRule } from '../gates/gate-rule.ts'
import { CallgateError } from '../model/callgate-error.ts'
import { createGatekeeper } from './create-gatekeeper.ts'
import { call, ex, recorded, stage, verdicts } from './stage.fixture.ts'

const id = ex('args.id', ({ args }) => args['id'])
const edit: GateRule = { gate: 'read', tools: ['edit'], message: 'Read it first.', key: id }
const list: MarkRule = { gate: 'read', tools: ['list'], keys: ex('result.ids', ({ result }) => result['ids']) }
const refund: GateRule = { gate: 'order_seen', tools: ['process_refund'], message: 'Look up the order first.' }
const lookup: MarkRule = { gate: 'order_seen', tools: ['orders.lookup'] }
const hasError = ex('has(result.error)', ({ result }) => 'error' in result)

test('a lookup that failed is no lookup, and the refusal says that its last try failed (case C1)', async () => {
  const { session } = stage({ rules: [refund], marks: [lookup] }, { completion: (result) => ((result as { isError?: boolean }).isError === true ? 'failure' : 'success') })
  await call(session, 'orders.lookup', {}, { isError: true })
  const refused = await call(session, 'process_refund')
  expect(refused).toMatchObject({ verdict: 'refused', rule: 'order_seen' })
  expect(refused.message).toContain('"orders.lookup" has not completed successfully (its last try failed).')
  await call(session, 'orders.lookup', {}, {})
  expect((await call(session, 'process_refund')).verdict).toBe('ran')
})

test('a later failure takes no mark away', async () => {
  const { session } = stage({ rules: [refund], marks: [lookup] })
  await call(session, 'orders.lookup')
  await expect(session.call({ tool: 'orders.lookup' }, () => { throw new Error('no') })).rejects.toThrow('no')
  expect((await call(session, 'process_refund')).verdict).toBe('ran')
})

test('a tool that failed although it said otherwise marks nothing at all: no other item, and not its own code', async () => {
  const found = stage({ rules: [edit, refund], marks: [{ ...list, failedWhen: hasError }, { gate: 'order_seen', tools: ['list'] }] })
  const failing = { error: 'no such order', ids: ['a'] }
  const outcome = await found.session.call({ tool: 'list' }, (_, { mark }) => {
    mark('read', { keys: ['b'] })
    return failing
  })
  expect(outcome).toMatchObject({ verdict: 'ran', result: failing })
  expect(await verdicts(found.session, 'edit', { id: 'a' }, { id: 'b' })).toEqual(['refused', 'refused'])
  expect((await call(found.session, 'process_refund')).message).toContain('"list" has not completed successfully')
  expect(await recorded(found, 'outcome')).toEqual([{ outcome: 'failed', tool: 'list' }])
  await call(found.session, 'list', {}, { ids: ['a'] })
  expect(await verdicts(found.session, 'edit', { id: 'a' })).toEqual(['ran'])
})

test('a failedWhen that cannot be judged counts as a failure, and the record and the host are told', async () => {
  const found = stage({ rules: [edit], marks: [{ ...list, failedWhen: ex('result.no', () => { throw new Error('no such overload') }), line: 6 }] })
  await call(found.session, 'list', {}, { ids: ['a'] })
  expect(await verdicts(found.session, 'edit', { id: 'a' })).toEqual(['refused'])
  const problem = 'The gate "read" (line 6) was not marked: failedWhen: result.no: no such overload.'
  expect(found.warnings).toEqual([problem])
  expect(await recorded(found, 'mark')).toEqual([{ tool: 'list', problems: [problem] }])
  expect(await recorded(found, 'outcome')).toEqual([{ outcome: 'failed', tool: 'list' }])
})

test('text that looks like a listing forges no keys, and does only where the rule parses it', async () => {
  const forged = '{"ids":["a"]}'
  const plain = stage({ rules: [edit], marks: [list] })
  await call(plain.session, 'list', {}, forged)
  expect(await verdicts(plain.session, 'edit', { id: 'a' })).toEqual(['refused'])
  const parsing = stage({ rules: [edit], marks: [{ ...list, parse: 'json' }] })
  await call(parsing.session, 'list', {}, forged)
  expect(await verdicts(parsing.session, 'edit', { id: 'a' }, { id: 'b' })).toEqual(['ran', 'refused'])
})

test.each(['no JSON', '{"ids":["a"],"ids":["b"]}', '{"ids":["a",1e400]}', '{"ids":"\\ud800"}'])('text to parse that is no exact JSON marks nothing, and that is said: %s', async (text) => {
  const found = stage({ rules: [edit], marks: [{ ...list, parse: 'json' }] })
  expect((await call(found.session, 'list', {}, text)).verdict).toBe('ran')
  expect(await verdicts(found.session, 'edit', { id: 'a' }, { id: 'b' })).toEqual(['refused', 'refused'])
  expect(found.warnings).toEqual([expect.stringMatching(/^The gate "read" was not marked: /)])
  expect(await recorded(found, 'mark')).toEqual([{ tool: 'list', problems: found.warnings }])
  expect((await recorded(found, 'outcome')).at(0)).toMatchObject({ outcome: 'ran', tool: 'list' })
})

test('ids beyond what a double holds are told apart, parsed or not', async () => {
  const { session } = stage({ rules: [edit], marks: [{ ...list, parse: 'json' }] })
  await call(session, 'list', {}, '{"ids":[9007199254740993]}')
  expect(await verdicts(session, 'edit', { id: 9007199254740993n as unknown as number }, { id: 9007199254740992n as unknown as number })).toEqual(['ran', 'refused'])
})

test('only what is structured counts as structured: the host says what of a result rules may read', async () => {
  const reading = (result: unknown): { text: string; structured?: { ids: string[] } } => ({ text: '{"ids":["b"]}', ...(result === 'full' && { structured: { ids: ['a'] } }) })
  const { session } = stage({ rules: [edit], marks: [list] }, { reading })
  await call(session, 'list', {}, 'text only')
  expect(await verdicts(session, 'edit', { id: 'a' }, { id: 'b' })).toEqual(['refused', 'refused'])
  await call(session, 'list', {}, 'full')
  expect(await verdicts(session, 'edit', { id: 'a' }, { id: 'b' })).toEqual(['ran', 'refused'])
})

test.each<readonly [string, unknown]>([
  ['a function', () => 1], ['a cycle', cycle()], ['a number that is not exact', { ids: [Number.NaN] }], ['nothing', undefined],
])('a result that is %s has nothing that rules could read: no keys are marked, and the call has run', async (_, result) => {
  const { session, warnings } = stage({ rules: [edit], marks: [list] })
  expect(await call(session, 'list', {}, result)).toMatchObject({ verdict: 'ran' })
  expect(await verdicts(session, 'edit', { id: 'a' })).toEqual(['refused'])
  expect(warnings).toHaveLength(1)
})

test("a host's reading that throws counts as nothing read", async () => {
  const { session, warnings } = stage({ rules: [edit], marks: [list] }, { reading: () => { throw new Error('no') } })
  expect((await call(session, 'list', {}, { ids: ['a'] })).verdict).toBe('ran')
  expect(await verdicts(session, 'edit', { id: 'a' })).toEqual(['refused'])
  expect(warnings[0]).toContain('What list returned could not be read')
})

test.each(['incomplete', 'unknown', 'thrown'])('a call that ended %s marks no keys, whatever it returned', async (end) => {
  const { session } = stage({ rules: [edit], marks: [list] }, { completion: (result) => ((result as { task?: string }).task === undefined ? 'success' : 'incomplete') })
  await session.call({ tool: 'list' }, () => {
    if (end === 'unknown') throw new CallgateError('unknown_outcome', 'the server ended')
    if (end === 'thrown') throw new Error('no')
    return { task: 't', ids: ['a'] }
  }).catch(() => undefined)
  expect(await verdicts(session, 'edit', { id: 'a' })).toEqual(['refused'])
})

test('a call that a gate refused or a person has not answered marks nothing', async () => {
  const { session } = stage({ rules: [edit, { gate: 'ok', tools: ['list'], message: 'Ask first.' }, { gate: 'confirm', tools: ['list'], message: 'List?' }], marks: [list], external: ['ok'] })
  expect((await call(session, 'list', {}, { ids: ['a'] })).verdict).toBe('refused')
  await session.mark('ok')
  expect((await call(session, 'list', {}, { ids: ['a'] })).verdict).toBe('held')
  expect(await verdicts(session, 'edit', { id: 'a' })).toEqual(['refused'])
})

test('after a restart over the same store, marks, facts and uses are as they were (case C7)', async () => {
  const gates = {
    rules: [{ ...refund, require: ex('fact', ({ fact }) => fact) }],
    marks: [{ ...lookup, keep: ex('true', () => true), uses: 2 }],
  }
  const { session, ports } = stage(gates)
  await call(session, 'orders.lookup')
  expect((await call(session, 'process_refund')).verdict).toBe('ran')
  const again = createGatekeeper({ gates, ...ports, schemaless: 'allow' }).session('s', { principal: 'ann' })
  expect(await verdicts(again, 'process_refund', {}, {})).toEqual(['ran', 'refused'])
})

test('after a restart without the store the gate is closed, and the refusal says what opens it (case C7)', async () => {
  const gates = { rules: [refund], marks: [lookup] }
  await call(stage(gates).session, 'orders.lookup')
  expect((await call(stage(gates).session, 'process_refund')).message).toContain('call "orders.lookup" and wait for its success')
})

function cycle(): object {
  const self: { ids: readonly string[]; self?: object } = { ids: ['a'] }
  self.self = self
  return self
}
