import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AdmissionKernel } from '../../kernel/admission-kernel.ts'
import type { AdapterDeclaration } from '../../model/adapter.ts'
import { Attempt } from '../../model/attempt.ts'
import type { AttemptEvent, AttemptPhase, AttemptSchema } from '../../model/attempt.ts'
import { Candidate } from '../../model/candidate.ts'
import type { Proposal } from '../../model/policy.ts'
import { PrimitiveSchema } from './primitive-schema.ts'
import { PrimitiveTypistPolicy } from './primitive-typist-policy.ts'

const policy = new PrimitiveTypistPolicy()
const count = PrimitiveSchema.create({ schemaId: 'tool.count', version: '1', expected: 'integer', minimum: 0, maximum: 100 })
const flag = PrimitiveSchema.create({ schemaId: 'tool.flag', version: '1', expected: 'boolean', allowLowercaseBoolean: true })
const adapter: AdapterDeclaration = {
  id: 'test', version: '1', lifecycle: ['pre:tool.call', 'post:tool.success', 'post:tool.failure'], identity: true, completeCandidate: true,
  effects: { deny: true, replace: true, hold: false, observe: true },
}

type Given = { readonly schema?: AttemptSchema; readonly phase?: AttemptPhase; readonly event?: AttemptEvent }

function attemptOf(fields: Readonly<Record<string, unknown>>, { schema, phase = 'pre', event = 'tool.call' }: Given): Attempt {
  return Attempt.create({ phase, event, target: { adapter: 'test', tool: 'count' }, candidate: Candidate.of(fields), schema })
}

function proposalFor(argument: unknown, given: Given = { schema: count }): Proposal {
  return policy.evaluate(attemptOf({ argument }, given))
}

test('the policy owns the one field, and nothing of it can be changed', () => {
  expect(policy).toMatchObject({ id: 'primitive-typist', version: '1', owns: ['argument'] })
  expect(Object.isFrozen(policy.owns)).toBe(true)
})

test('an exact integer within bounds is accepted', () => {
  expect(proposalFor(7)).toEqual({ kind: 'accept' })
})

test('a canonical text is repaired to the whole successor', () => {
  const proposal = proposalFor('7')
  expect(proposal).toMatchObject({ kind: 'repair', reasons: [{ code: 'canonical_integer' }] })
  expect(proposal.kind === 'repair' && proposal.candidate.fields).toEqual({ argument: 7 })
})

test('true and false are repaired where the schema opts in', () => {
  const proposal = proposalFor('false', { schema: flag })
  expect(proposal).toMatchObject({ kind: 'repair', reasons: [{ code: 'canonical_boolean' }] })
  expect(proposal.kind === 'repair' && proposal.candidate.fields).toEqual({ argument: false })
})

test('a denial carries its code, the place and a message that teaches', () => {
  expect(proposalFor('+7')).toEqual({
    kind: 'deny',
    reasons: [
      {
        code: 'plus_sign',
        pointer: '/argument',
        message: 'The argument must be an integer from 0 to 100, and "+7" is not admitted: it has a plus sign. Write it without quotes, for example 0.',
      },
    ],
  })
})

test.each<readonly [string, () => Proposal]>([
  ['no schema', () => policy.evaluate(attemptOf({ argument: '7' }, {}))],
  ['a schema of another policy', () => proposalFor('7', { schema: { schemaId: 'x', version: '1' } })],
  ['a look-alike of a schema', () => proposalFor('7', { schema: { ...count } })],
  ['a proxy of a schema', () => proposalFor('7', { schema: new Proxy(count, {}) })],
  ['another field', () => policy.evaluate(attemptOf({ arguments: '7' }, { schema: count }))],
  ['one field more', () => policy.evaluate(attemptOf({ argument: '7', other: 1 }, { schema: count }))],
  ['no field', () => policy.evaluate(attemptOf({}, { schema: count }))],
  ['a success', () => proposalFor('7', { schema: count, phase: 'post', event: 'tool.success' })],
  ['a pair that is not in the table', () => proposalFor('7', { schema: count, phase: 'pre', event: 'tool.failure' })],
  ['the other pair that is not in the table', () => proposalFor('7', { schema: count, phase: 'post', event: 'tool.call' })],
])('with %s the policy abstains', (_, proposal) => {
  expect(proposal()).toEqual({ kind: 'abstain' })
})

test('after a failure, a safe cast that was there is observed, and nothing else', () => {
  const failed: Given = { schema: count, phase: 'post', event: 'tool.failure' }
  expect(proposalFor('7', failed)).toEqual({ kind: 'observe', reasons: [{ code: 'safe_cast_available' }] })
  for (const argument of [7, '101', ' 7', '+7', '07', null, true, '']) expect(proposalFor(argument, failed)).toEqual({ kind: 'abstain' })
})

test('through the kernel, the repaired argument is what runs', () => {
  const decision = new AdmissionKernel([policy]).admit(attemptOf({ argument: '7' }, { schema: count }), adapter)
  expect(decision.verdict).toBe('run')
  expect(decision.candidate.fields).toEqual({ argument: 7 })
  expect(decision.reasons).toEqual([{ policy: 'primitive-typist', code: 'canonical_integer' }])
  expect(decision.digestBefore).not.toBe(decision.digestAfter)
})

test('through the kernel, a failure is never answered with a retry, even where the adapter could', () => {
  const attempt = attemptOf({ argument: '7' }, { schema: count, phase: 'post', event: 'tool.failure' })
  const decision = new AdmissionKernel([policy]).admit(attempt, { ...adapter, effects: { ...adapter.effects, retry: true } } as AdapterDeclaration)
  expect(decision).toMatchObject({ verdict: 'observe', retry: 'never', reasons: [{ policy: 'primitive-typist', code: 'safe_cast_available' }] })
  expect(decision.candidate).toBe(attempt.candidate)
})

test('through the kernel, an adapter that cannot replace gets a denial and keeps its candidate', () => {
  const attempt = attemptOf({ argument: '7' }, { schema: count })
  const decision = new AdmissionKernel([policy]).admit(attempt, { ...adapter, effects: { ...adapter.effects, replace: false } })
  expect(decision.verdict).toBe('refuse')
  expect(decision.reasons.map(({ code }) => code)).toContain('cannot_replace')
  expect(decision.candidate).toBe(attempt.candidate)
})

test('for every argument, a repair is one that the policy then accepts', () => {
  const argument = fc.oneof(fc.bigInt({ min: -150n, max: 150n }).map(String), fc.constantFrom('true', 'false'), fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
  fc.assert(
    fc.property(argument, fc.constantFrom(count, flag), (sent, schema) => {
      const proposal = proposalFor(sent, { schema })
      if (proposal.kind !== 'repair') return
      expect(proposalFor(proposal.candidate.fields['argument'], { schema })).toEqual({ kind: 'accept' })
    }),
    { numRuns: 1_000 },
  )
})
