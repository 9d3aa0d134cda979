import { expect, test } from 'vitest'
import type { GateRule } from '../gates/gate-rule.ts'
import type { AttemptSchema } from '../model/attempt.ts'
import { Candidate } from '../model/candidate.ts'
import type { JsonObject } from '../model/json-value.ts'
import { definePolicy } from '../model/policy.ts'
import type { Policy } from '../model/policy.ts'
import { call, ex, recorded, stage, verdicts } from './stage.fixture.ts'

const big: GateRule = { gate: 'confirm', tools: ['pay'], message: 'Pay?', when: ex('args.amount >= 100', ({ args }) => (args['amount'] as number) >= 100) }
const looked: GateRule = { gate: 'looked', tools: ['pay'], message: 'Look first.' }
const edit: GateRule = { gate: 'read', tools: ['edit'], message: 'Read it first.', key: ex('args.id', ({ args }) => args['id']) }

/** A schema of one number, which finds what differs from its property in letter case only. */
const schema: AttemptSchema = {
  schemaId: 'pay',
  version: '1',
  faultOf(args: JsonObject) {
    const twin = Object.keys(args).find((name) => name !== 'amount' && name.toLowerCase() === 'amount')
    if (twin !== undefined) return `"${twin}" differs from "amount" in letter case only.`
    return typeof args['amount'] === 'number' ? undefined : '"amount" must be a number.'
  },
}

/** Reads digits as a number, and refuses other text. */
const digits: Policy = definePolicy({
  id: 'digits',
  version: '1',
  owns: ['/arguments/amount'],
  evaluate: ({ candidate, event }) => {
    const { amount } = candidate.fields['arguments'] as { readonly amount?: unknown }
    if (event !== 'tool.call' || typeof amount !== 'string') return { kind: 'abstain' }
    if (!/^\d+$/.test(amount)) return { kind: 'deny', reasons: [{ code: 'text', message: 'amount must be a number.' }] }
    return { kind: 'repair', candidate: Candidate.ofArguments({ amount: Number(amount) }), reasons: [{ code: 'digits', pointer: '/arguments/amount' }] }
  },
})

test('rules, the schema and the person look at the repaired arguments', async () => {
  const { session } = stage({ rules: [big] }, { policies: [digits], schemaless: 'refuse' })
  expect(await session.call({ tool: 'pay', args: { amount: '250' }, schema }, () => 1)).toMatchObject({ verdict: 'held', args: { amount: 250 } })
  expect(await session.call({ tool: 'pay', args: { amount: '25' }, schema }, (args) => args)).toMatchObject({ verdict: 'ran', result: { amount: 25 } })
})

test('keys and sums are read from the repaired arguments too', async () => {
  const amount = ex('args.amount', ({ args }) => args['amount'])
  const { session } = stage(
    { rules: [{ gate: 'read', tools: ['pay'], message: 'Read it first.', key: amount }], marks: [{ gate: 'read', tools: ['look'], keys: amount }], limits: [{ tools: ['pay'], sum: amount, max: 10 }] },
    { policies: [digits] },
  )
  await call(session, 'look', { amount: '7' })
  expect(await verdicts(session, 'pay', { amount: 7 }, { amount: '7' })).toEqual(['ran', 'refused'])
})

test.each<readonly [string, Partial<{ schema: AttemptSchema }>, RegExp]>([
  ['no schema', {}, /the schema of this tool is not known.*passes `schema`.*schemaless: "allow"/],
  ['a schema that cannot vouch', { schema: { schemaId: 'pay', version: '1' } }, /the schema of this tool is not known/],
  ['a schema that fails', { schema: { schemaId: 'pay', version: '1', faultOf: () => { throw new Error('broken') } } }, /the arguments could not be judged: broken/],
])('with %s a rule that looks at arguments refuses, whatever they are', async (_, given, words) => {
  const { session } = stage({ rules: [big] }, { schemaless: 'refuse' })
  const refused = await session.call({ tool: 'pay', args: { amount: 1 }, ...given }, () => 1)
  expect(refused).toMatchObject({ verdict: 'refused', cause: 'gate', rule: 'confirm', unmet: [{ gate: 'confirm', why: 'arguments' }] })
  expect(refused.message).toMatch(words)
})

test('where no rule looks at the arguments of a tool, it needs no schema', async () => {
  const { session } = stage({ rules: [big, { ...looked, tools: ['get'] }], marks: [{ gate: 'looked', tools: ['look'] }] }, { schemaless: 'refuse' })
  await call(session, 'look')
  expect((await call(session, 'get', { amount: 'x' })).verdict).toBe('ran')
  expect((await call(session, 'any', { amount: 'x' })).verdict).toBe('ran')
})

test('a host that has checked the arguments itself may say so, but not of a schema that finds a fault', async () => {
  const { session } = stage({ rules: [big] }, { schemaless: 'allow' })
  expect((await call(session, 'pay', { amount: 1 })).verdict).toBe('ran')
  expect(await session.call({ tool: 'pay', args: { amount: '1' }, schema }, () => 1)).toMatchObject({ verdict: 'refused', unmet: [{ why: 'arguments' }] })
})

test.each([{ amount: 1, Amount: 1_000 }, { AMOUNT: 1_000 }, { amount: 1, 'aMOUNT': 1 }])('a property that differs from one of the schema in letter case only is refused: %o', async (args) => {
  const { session } = stage({ rules: [big] }, { schemaless: 'refuse' })
  const refused = await session.call({ tool: 'pay', args, schema }, () => 1)
  expect(refused).toMatchObject({ verdict: 'refused', rule: 'confirm', unmet: [{ why: 'arguments' }] })
  expect(refused.message).toContain('differs from "amount" in letter case only. Correct them, then send the call again.')
})

test('arguments that cannot be judged refuse, also where the unmet rule would hold: nobody can be asked about them', async () => {
  const { session, ports } = stage({ rules: [{ ...edit, otherwise: 'hold' }], marks: [{ gate: 'read', from: 'user', keys: ex('text', ({ text }) => text) }] }, { schemaless: 'refuse' })
  expect(await call(session, 'edit', { id: 'a' })).toMatchObject({ verdict: 'refused', unmet: [{ why: 'arguments' }] })
  expect(await ports.store.holds.list({ limit: 5 })).toEqual([])
})

test('a refusal of the arguments and an unmet gate are told together, the gate first', async () => {
  const found = stage({ rules: [big, looked], marks: [{ gate: 'looked', tools: ['look'] }] }, { policies: [digits] })
  const refused = await call(found.session, 'pay', { amount: 'lots' })
  expect(refused).toMatchObject({ verdict: 'refused', cause: 'gate', rule: 'looked', unmet: [{ gate: 'looked' }], reasons: [{ policy: 'digits', code: 'text' }] })
  expect(refused.message).toMatch(/^Look first\.\n\nNothing was executed\. .*"look".*\n\namount must be a number\.\n\nNothing was executed\. Correct the arguments/s)
  await call(found.session, 'look')
  expect(await call(found.session, 'pay', { amount: 'lots' })).toMatchObject({ verdict: 'refused', cause: 'arguments', unmet: [] })
  expect((await recorded(found, 'decision')).at(-1)).toMatchObject({ verdict: 'refuse', cause: 'arguments' })
})

test('a rule that cannot be judged refuses by name and line, also one that would hold or ask', async () => {
  const broken = { ...edit, key: ex('args.id.x', () => { throw new Error('no such overload') }), line: 3 }
  for (const rule of [broken, { ...broken, otherwise: 'hold' as const }]) {
    const { session } = stage({ rules: [rule], external: ['read'] })
    await session.mark('read')
    const refused = await call(session, 'edit', { id: 'a' })
    expect(refused).toMatchObject({ verdict: 'refused', cause: 'gate', line: 3, unmet: [{ why: 'rule_error', line: 3 }] })
    expect(refused.message).toContain('The rule of the gate "read" (line 3) could not be judged (rule_error): args.id.x: no such overload')
  }
})
