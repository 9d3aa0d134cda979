import { Candidate } from '@callgate/core'
import type { Attempt, JsonObject, Policy, Proposal } from '@callgate/core'
import { SchemaTypistPolicy } from '@callgate/schema-typist'
import { expect, test } from 'vitest'
import { TIERS } from '../typing/tiers.ts'
import { fuzzTyping } from './fuzz-typing.ts'
import { createJudges } from './judge-pair.ts'
import { shrinkPair } from './shrink-pair.ts'

const SCHEMA = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' } } }

test('thousands of random pairs: never an exception, an invalid result, or a changed valid value', () => {
  const { pairs, verdicts, failing } = fuzzTyping({ runs: 4_000, seed: 20_261, argumentsPerSchema: 100 })
  expect(failing).toBeUndefined()
  expect(pairs).toBe(4_000)
  for (const tier of TIERS) expect(Math.min(verdicts[tier].unchanged, verdicts[tier].refused)).toBeGreaterThan(400)
  expect(verdicts.strict.repaired).toBeGreaterThan(10)
  expect(verdicts.basic.repaired).toBeGreaterThan(verdicts.strict.repaired)
  expect(verdicts.flexible.repaired).toBeGreaterThan(verdicts.basic.repaired)
}, 60_000)

test('a seed is one run', () => {
  const run = (seed: number): unknown => fuzzTyping({ runs: 40, seed, argumentsPerSchema: 20 })
  expect(run(7)).toEqual(run(7))
  expect(run(8)).not.toEqual(run(7))
})

/** The policy, but for what `spoil` makes of its proposals. */
function spoilt(spoil: (proposal: Proposal, attempt: Attempt) => Proposal): Parameters<typeof createJudges>[0] {
  return (mode): Policy => {
    const policy = new SchemaTypistPolicy({ mode, lowercaseBooleans: true })
    return { id: policy.id, version: policy.version, owns: ['arguments'], evaluate: (attempt) => spoil(policy.evaluate(attempt), attempt) }
  }
}

function replaced(attempt: Attempt, change: (args: JsonObject) => JsonObject): Proposal {
  const before = attempt.candidate.fields['arguments'] as JsonObject
  const after = change(before)
  if (JSON.stringify(after) === JSON.stringify(before)) return { kind: 'accept' }
  return { kind: 'repair', candidate: Candidate.ofArguments(after), reasons: [{ code: 'spoilt' }] }
}

test.each<readonly [string, Parameters<typeof spoilt>[0], JsonObject, RegExp]>([
  ['changes a valid value', (_, attempt) => replaced(attempt, (args) => ({ ...args, b: 'other' })), { b: 'text' }, /^valid arguments were changed/],
  ['lets an invalid value run', () => ({ kind: 'accept' }), { a: 'text' }, /^an invalid result/],
  ['refuses what is valid', () => ({ kind: 'deny', reasons: [{ code: 'type_mismatch' }] }), { a: 1 }, /^valid arguments were refused/],
  ['casts what is no text', (_, attempt) => replaced(attempt, (args) => ({ ...args, a: 1 })), { a: true }, /^a change of what is no text/],
  ['drops a text that is not empty', (_, attempt) => replaced(attempt, ({ a: _a, ...args }) => args), { a: 'text' }, /^a change of what is no text/],
  ['throws', () => { throw new Error('spoilt') }, { a: 1 }, /^evaluator_failure/],
])('a policy that %s is found out', (_, spoil, args, what) => {
  const outcome = createJudges(spoilt(spoil))(SCHEMA).judge({ kind: 'object', args })
  expect(outcome).toMatchObject({ tier: 'strict', what: expect.stringMatching(what) as unknown })
})

test.each([
  ['draft-07 passes over what stands beside a reference', 'http://json-schema.org/draft-07/schema#', 'unchanged'],
  ['2020-12 counts it', undefined, 'refused'],
] as const)('%s, for the judge as for the policy', (_, $schema, verdict) => {
  const schema = { ...($schema !== undefined && { $schema }), properties: { a: { $ref: '#/$defs/any', not: {} } }, $defs: { any: {} } }
  const judge = createJudges()(schema)
  expect(judge.judge({ kind: 'object', args: { a: 3 } })).toEqual(TIERS.map(() => verdict))
})

test('arguments at which the validator throws are refused, and found out where they run', () => {
  const schema = { properties: { a: { enum: [{ x: 1 }, { x: 2 }] } } }
  const sent = { kind: 'object', args: { a: { toString: 1 } } } as const
  expect(createJudges()(schema).judge(sent)).toEqual(TIERS.map(() => 'refused'))
  expect(createJudges(spoilt(() => ({ kind: 'accept' })))(schema).judge(sent)).toMatchObject({ what: expect.stringMatching(/^an invalid result/) as unknown })
})

test('a tier that does not contain the one before is found out', () => {
  const judges = createJudges((tier) => new SchemaTypistPolicy({ mode: tier === 'basic' ? 'strict' : tier === 'strict' ? 'basic' : tier, lowercaseBooleans: true }))
  expect(judges(SCHEMA).judge({ kind: 'object', args: { a: '7.0' } })).toMatchObject({ tier: 'basic', what: expect.stringContaining('a lower tier gives') as unknown })
})

test('a failing pair is printed without what it does not need', () => {
  const judges = createJudges(spoilt(() => ({ kind: 'accept' })))
  const schema = { ...SCHEMA, required: ['b'], additionalProperties: { type: 'array', items: { type: 'null' } }, $defs: { unused: { type: 'null' } } }
  const sent = { kind: 'object' as const, args: { a: 'text', b: 'text', limit: [null] } }
  const fault = judges(schema).judge(sent)
  if (!('what' in fault)) throw new Error('the pair does not fail')
  const shrunk = shrinkPair({ schema, sent, fault }, judges)
  expect(JSON.stringify(shrunk.schema).length + JSON.stringify(shrunk.sent.kind === 'object' ? shrunk.sent.args : {}).length).toBeLessThan(60)
  expect(judges(shrunk.schema as object & typeof schema).judge(shrunk.sent)).toMatchObject({ tier: 'strict' })
})
