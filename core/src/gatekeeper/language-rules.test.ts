import { expect, test } from 'vitest'
import { fixedClock } from '../testing/fixed-clock.ts'
import { local } from '../local/local.ts'
import type { Expression, ExpressionInput } from '../gates/expression.ts'
import type { GateRule, GateRules } from '../gates/gate-rule.ts'
import type { JsonObject } from '../model/json-value.ts'
import type { Outcome } from './call.ts'
import { createGatekeeper } from './create-gatekeeper.ts'
import type { GatekeeperOptions } from './create-gatekeeper.ts'
import type { Session } from './session.ts'

type Input = { readonly args: JsonObject; readonly result: JsonObject; readonly fact: JsonObject; readonly text: string }
const ex = (source: string, evaluate: (input: Input) => unknown): Expression => ({ source, evaluate: (input: ExpressionInput) => evaluate(input as Input) })
const id = ex('args.id', ({ args }) => args['id'])
const ids = ex('result.ids', ({ result }) => result['ids'])
const edit: GateRule = { gate: 'read', tools: ['edit'], message: 'Read it first.', key: id }

function start(gates: GateRules, more: Partial<GatekeeperOptions> = {}): { readonly session: Session; readonly clock: ReturnType<typeof fixedClock>; readonly ports: ReturnType<typeof local>; readonly warnings: string[] } {
  const ports = local()
  const clock = fixedClock(1_000)
  const warnings: string[] = []
  const gatekeeper = createGatekeeper({ gates, ...ports, clock, schemaless: 'allow', warn: (text) => void warnings.push(text), ...more })
  return { session: gatekeeper.session('s', { principal: 'p' }), clock, ports, warnings }
}

const call = (session: Session, tool: string, args: JsonObject = {}, result: unknown = {}): Promise<Outcome<unknown>> => session.call({ tool, args }, () => result)
const verdict = async (session: Session, tool: string, args: JsonObject = {}, result: unknown = {}): Promise<string> => (await call(session, tool, args, result)).verdict

test('a mark opens its gate for its keys, which add up, and for no other', async () => {
  const { session } = start({ rules: [edit], marks: [{ gate: 'read', tools: ['list'], keys: ids }] })
  await call(session, 'list', {}, { ids: ['a', 7] })
  await call(session, 'list', {}, { ids: ['b'] })
  expect(await verdict(session, 'edit', { id: 'a' })).toBe('ran')
  expect(await verdict(session, 'edit', { id: 'b' })).toBe('ran')
  expect(await verdict(session, 'edit', { id: 7 })).toBe('ran')
  expect(await verdict(session, 'edit', { id: '7' })).toBe('refused')
})

test('a refusal for a key names it, and those that are marked', async () => {
  const { session } = start({ rules: [edit], marks: [{ gate: 'read', tools: ['list'], keys: ids }] })
  await call(session, 'list', {}, { ids: ['src/a.ts'] })
  const refused = await call(session, 'edit', { id: '/repo/src/a.ts' })
  expect(refused).toMatchObject({ verdict: 'refused', cause: 'gate', rule: 'read', unmet: [{ gate: 'read', why: 'missing_key', key: '"/repo/src/a.ts"' }] })
  expect(refused.message).toBe('Read it first.\n\nNothing was executed. The gate "read" is not marked for "/repo/src/a.ts" (it is marked for "src/a.ts"): call "list" for "/repo/src/a.ts" and wait for its success, then send the same call again.')
})

test('a rule whose key is a list needs all of them; an empty list, null and a missing value are unmet', async () => {
  const { session } = start({ rules: [edit], marks: [{ gate: 'read', tools: ['list'], keys: ids }] })
  await call(session, 'list', {}, { ids: ['a', 'b'] })
  expect(await verdict(session, 'edit', { id: ['a', 'b'] })).toBe('ran')
  for (const given of [{ id: ['a', 'c'] }, { id: [] }, { id: null }, {}]) expect(await verdict(session, 'edit', given)).toBe('refused')
})

test('a later mark of the same key replaces the fact, and no fact is unmet', async () => {
  const rule: GateRule = { ...edit, require: ex('fact.open', ({ fact }) => fact['open']) }
  const { session } = start({ rules: [rule], marks: [
    { gate: 'read', tools: ['look'], keys: id, keep: ex('result', ({ result }) => ({ open: result['open'] })) },
    { gate: 'read', tools: ['glance'], keys: id },
  ] })
  await call(session, 'look', { id: 'a' }, { open: true })
  expect(await verdict(session, 'edit', { id: 'a' })).toBe('ran')
  await call(session, 'look', { id: 'a' }, { open: false })
  expect(await call(session, 'edit', { id: 'a' })).toMatchObject({ verdict: 'refused', unmet: [{ why: 'require' }] })
  await call(session, 'glance', { id: 'b' })
  expect(await call(session, 'edit', { id: 'b' })).toMatchObject({ verdict: 'refused', unmet: [{ why: 'require' }] })
})

test('keys and facts of different lengths mark nothing, and the record and the host are told', async () => {
  const { session, ports, warnings } = start({ rules: [edit], marks: [{ gate: 'read', tools: ['list'], keys: ids, keep: ex('[1]', () => [1]) }] })
  await call(session, 'list', {}, { ids: ['a', 'b'] })
  expect(await verdict(session, 'edit', { id: 'a' })).toBe('refused')
  expect(warnings.join()).toContain('"read"')
  const entries = await ports.store.record.read(0, 100)
  expect(entries.find(({ kind }) => kind === 'mark')?.data).toMatchObject({ problems: [expect.stringContaining('"read"')] })
})

test('siblings of a turn do not see what one of them has read, nor what it now says', async () => {
  const rule: GateRule = { ...edit, require: ex('fact.open', ({ fact }) => fact['open']) }
  const { session } = start({ rules: [rule], marks: [{ gate: 'read', tools: ['look'], keys: id, keep: ex('result', ({ result }) => ({ open: result['open'] })) }] })
  const results = new Map([['look', { open: true }]])
  const turn = (open: boolean): Promise<readonly Outcome<unknown>[]> => {
    results.set('look', { open })
    return session.turn([{ tool: 'look', args: { id: 'a' } }, { tool: 'edit', args: { id: 'a' } }], (_, { tool }) => results.get(tool) ?? {})
  }
  expect((await turn(true)).map((one) => one.verdict)).toEqual(['ran', 'refused'])
  expect((await turn(false)).map((one) => one.verdict)).toEqual(['ran', 'ran'])
  expect((await turn(true)).map((one) => one.verdict)).toEqual(['ran', 'refused'])
})

test('a mark goes stale at its time, not before', async () => {
  const { session, clock } = start({ rules: [edit], marks: [{ gate: 'read', tools: ['look'], keys: id, expiresMs: 1_000 }] })
  await call(session, 'look', { id: 'a' })
  clock.advance(999)
  expect(await verdict(session, 'edit', { id: 'a' })).toBe('ran')
  clock.advance(1)
  expect(await verdict(session, 'edit', { id: 'a' })).toBe('refused')
})

test('of two calls at once that need one use, one runs', async () => {
  const { session } = start({ rules: [{ gate: 'ok', tools: ['pay'], message: 'Ask first.' }], marks: [{ gate: 'ok', tools: ['ask'], uses: 1 }] })
  await call(session, 'ask')
  const both = await Promise.all([verdict(session, 'pay'), verdict(session, 'pay')])
  expect(both.toSorted()).toEqual(['ran', 'refused'])
})

test('a failed call spends its use, a refused one none', async () => {
  const rules = [{ gate: 'ok', tools: ['pay'], message: 'Ask first.' }, { gate: 'more', tools: ['pay'], message: 'More first.' }]
  const { session } = start({ rules, marks: [{ gate: 'ok', tools: ['ask'], uses: 1 }], external: ['more'] })
  await call(session, 'ask')
  expect(await verdict(session, 'pay')).toBe('refused')
  await session.mark('more')
  await expect(session.call({ tool: 'pay' }, () => { throw new Error('no') })).rejects.toThrow('no')
  expect(await call(session, 'pay')).toMatchObject({ verdict: 'refused', rule: 'ok' })
})

test('a write makes the read stale when it starts, whatever comes of it; without that it does not', async () => {
  const marks = [{ gate: 'read', tools: ['look'], keys: id }]
  const { session } = start({ rules: [edit], marks: [...marks, { gate: 'read', tools: ['edit'], clear: true, keys: id }] })
  await call(session, 'look', { id: 'a' })
  await call(session, 'look', { id: 'b' })
  await expect(session.call({ tool: 'edit', args: { id: 'a' } }, () => { throw new Error('no') })).rejects.toThrow('no')
  expect(await verdict(session, 'edit', { id: 'a' })).toBe('refused')
  expect(await verdict(session, 'edit', { id: 'b' })).toBe('ran')
  const plain = start({ rules: [edit], marks })
  await call(plain.session, 'look', { id: 'a' })
  expect(await Promise.all([verdict(plain.session, 'edit', { id: 'a' }), verdict(plain.session, 'edit', { id: 'a' })])).toEqual(['ran', 'ran'])
})

test('what the user wrote marks, and a result that says the same does not', async () => {
  const { session } = start({ rules: [edit], marks: [{ gate: 'read', from: 'user', keys: ex('text', ({ text }) => text.split(' ')) }] })
  await call(session, 'look', {}, 'edit a please')
  expect((await call(session, 'edit', { id: 'a' })).message).toContain('it comes from what the user wrote')
  await session.said('edit a please')
  expect(await verdict(session, 'edit', { id: 'a' })).toBe('ran')
})

test("the host's own code marks with keys and facts, inside a call once it succeeds", async () => {
  const { session } = start({ rules: [edit], external: ['read'] })
  await expect(session.call({ tool: 'look' }, async (_, { mark }) => { mark('read', { keys: ['a'] }); throw new Error('no') })).rejects.toThrow('no')
  expect(await verdict(session, 'edit', { id: 'a' })).toBe('refused')
  await session.call({ tool: 'look' }, () => session.mark('read', { keys: ['a'] }))
  expect(await verdict(session, 'edit', { id: 'a' })).toBe('ran')
})

test('a tool that failed although it said otherwise marks nothing, and its failure is told', async () => {
  const { session } = start({ rules: [edit], marks: [{ gate: 'read', tools: ['look'], keys: id, failedWhen: ex('result.text', ({ result }) => result['text'] === 'Error: not found') }] })
  await call(session, 'look', { id: 'a' }, 'Error: not found')
  expect((await call(session, 'edit', { id: 'a' })).message).toContain('"look" has not completed successfully (its last try failed). call "look"')
  await call(session, 'look', { id: 'a' }, 'found')
  expect(await verdict(session, 'edit', { id: 'a' })).toBe('ran')
})
