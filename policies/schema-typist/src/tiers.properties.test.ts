import { Ajv2020 } from 'ajv/dist/2020.js'
import { AdmissionKernel, Candidate } from '@callgate/core'
import type { AdapterDeclaration, JsonObject, JsonValue } from '@callgate/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCastOf } from './repair/cast-oracle.fixture.ts'
import { SchemaTypistPolicy } from './schema-typist-policy.ts'
import { attemptOf, said, schemaOf } from './typing.fixture.ts'
import { TYPING_TIERS } from './repair/typing-tier.ts'
import type { TypingTier } from './repair/typing-tier.ts'

const adapter: AdapterDeclaration = {
  id: 'test', version: '1', lifecycle: ['pre:tool.call'], identity: true, completeCandidate: true,
  effects: { deny: true, replace: true, hold: false, observe: true },
}
const policies = new Map(TYPING_TIERS.map((mode) => [mode, new SchemaTypistPolicy({ mode })]))
const kernels = new Map([...policies].map(([mode, policy]) => [mode, new AdmissionKernel([policy])]))

const name = fc.constantFrom('a', 'b', 'kind')
const leaf = fc.constantFrom<JsonValue>(
  { type: 'integer' }, { type: 'integer', minimum: 2 }, { type: 'number', maximum: 50 }, { type: 'boolean' }, { type: 'string' }, { type: 'string', maxLength: 2 },
  { type: ['integer', 'null'] }, { type: ['boolean', 'integer'] }, { type: 'string', nullable: true }, { enum: [1, 2] }, { enum: ['On', 'Off'] }, { enum: ['on', 'ON', 1] }, { const: 7 }, { const: 'a' },
  { type: 'null' }, { $ref: '#/$defs/Limit' }, { $ref: '#/$defs/Tree' }, {}, true, false, { type: 'object' }, { type: 'array' }, { not: { type: 'string' } },
)
const schemaBelow = fc.letrec<{ any: JsonValue }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    { weight: 4, arbitrary: leaf },
    tie('any').map((items) => ({ type: 'array', items })),
    fc.tuple(tie('any'), tie('any')).map(([first, items]) => ({ type: 'array', prefixItems: [first], items })),
    fc.dictionary(name, tie('any'), { maxKeys: 3 }).map((properties) => ({ type: 'object', properties })),
    fc.tuple(fc.dictionary(name, tie('any'), { maxKeys: 3 }), name, fc.boolean()).map(([properties, required, isClosed]) => ({ type: 'object', properties, required: [required], additionalProperties: !isClosed })),
    tie('any').map((additionalProperties) => ({ type: 'object', additionalProperties, patternProperties: { '^k': { type: 'string' } } })),
    fc.tuple(fc.constantFrom('anyOf', 'oneOf', 'allOf'), fc.array(tie('any'), { minLength: 1, maxLength: 3 })).map(([word, branches]) => ({ [word]: branches })),
    fc.dictionary(fc.constantFrom('if', 'then', 'else'), tie('any'), { minKeys: 2 }),
  ),
})).any
const simple = fc.constantFrom<JsonValue>({ type: 'integer' }, { type: 'number' }, { $ref: '#/$defs/Limit' })
const inputSchema = fc.tuple(fc.dictionary(name, fc.oneof({ weight: 3, arbitrary: schemaBelow }, { weight: 4, arbitrary: simple }), { minKeys: 1, maxKeys: 3 }), fc.uniqueArray(name, { maxLength: 1 }), fc.option(schemaBelow, { freq: 1 })).map(([properties, required, more]) => ({
  type: 'object', properties, required, ...(more === null ? {} : { anyOf: [more, { properties: { b: { type: 'boolean' } } }] }),
  $defs: { Limit: { type: 'integer', minimum: 1, maximum: 9 }, Tree: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'array', items: { $ref: '#/$defs/Tree' } } } } },
}))

const plain: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(
  '7', '2', '1', '10', '007', '7.0', '2.50', ' 7 ', '+7', '1e1', '-0', '9007199254740993', '1e400', 'true', 'True', ' true', 'null', '', 'on', 'a', 'x', '7px', '[', '["1"]', '[1,"2"]', '{"a":"1"}', '{"a":1,"a":2}', '{"kind":"a","a":9007199254740993}',
  7, 1, 0.5, true, null,
)
const sentValue = fc.letrec<{ any: JsonValue }>((tie) => ({
  any: fc.oneof({ depthSize: 'small', maxDepth: 3 }, { weight: 5, arbitrary: plain }, fc.array(tie('any'), { maxLength: 3 }), fc.dictionary(fc.oneof(name, fc.constantFrom('k', '__proto__')), tie('any'), { maxKeys: 3 })),
})).any
const args = fc.dictionary(name, sentValue, { maxKeys: 3 })

test('in every tier: what is valid is never touched, a repair is made of casts of that tier, is valid, owned, and accepted', () => {
  const repaired = new Map<TypingTier, number>()
  fc.assert(
    fc.property(inputSchema, fc.array(args, { minLength: 20, maxLength: 30 }), (source, calls) => {
      const isValid = new Ajv2020({ strict: false, ownProperties: true, meta: false, validateSchema: false }).compile(source)
      const schema = schemaOf(source)
      for (const sent of calls) {
        const attempt = attemptOf(schema, sent)
        const before = attempt.candidate.fields['arguments'] as JsonObject
        const wasValid = isValid(doubles(before))
        for (const [mode, kernel] of kernels) {
          const decision = kernel.admit(attempt, adapter)
          expect(decision.reasons.filter(({ policy }) => policy === 'kernel')).toEqual([])
          if (wasValid) expect(decision).toMatchObject({ verdict: 'run', changes: [] })
          if (wasValid || decision.verdict !== 'run') continue
          repaired.set(mode, (repaired.get(mode) ?? 0) + 1)
          const after = decision.candidate.fields['arguments'] as JsonObject
          expect(isValid(doubles(after))).toBe(true)
          for (const change of decision.changes) expect({ ...change, mode, isCast: isCastOf(change.before, change.after, mode) }).toMatchObject({ isCast: true })
        }
      }
    }),
    { numRuns: 120 },
  )
  for (const mode of TYPING_TIERS) expect([mode, (repaired.get(mode) ?? 0) > 5]).toEqual([mode, true])
})

test('what a tier repairs, each wider tier repairs alike', () => {
  let repaired = 0
  fc.assert(
    fc.property(inputSchema, fc.array(args, { minLength: 10, maxLength: 20 }), (source, calls) => {
      const schema = schemaOf(source)
      for (const sent of calls) {
        let narrower: unknown
        for (const policy of policies.values()) {
          const proposal = policy.evaluate(attemptOf(schema, sent))
          if (narrower !== undefined) expect(said(proposal)).toEqual(narrower)
          if (proposal.kind === 'repair') narrower = said(proposal)
        }
        if (narrower !== undefined) repaired += 1
      }
    }),
    { numRuns: 80 },
  )
  expect(repaired).toBeGreaterThan(10)
})

test('whole arguments that came as text are read in the tier flexible only, and come out as the object would', () => {
  fc.assert(
    fc.property(inputSchema, fc.array(args, { minLength: 5, maxLength: 10 }), (source, calls) => {
      const schema = schemaOf(source)
      const policy = policies.get('flexible') as SchemaTypistPolicy
      for (const sent of calls) {
        const asObject = policy.evaluate(attemptOf(schema, Candidate.ofWire(JSON.stringify(sent))))
        const asText = Candidate.of({ arguments: JSON.stringify(sent) })
        const wanted = asObject.kind === 'repair' ? asObject.candidate.fields['arguments'] : sent
        if (asObject.kind === 'deny') expect(policy.evaluate(attemptOf(schema, asText)).kind).toBe('deny')
        else expect(said(policy.evaluate(attemptOf(schema, asText)))).toMatchObject({ repair: wanted })
        for (const mode of ['strict', 'basic'] as const) expect(policies.get(mode)?.evaluate(attemptOf(schema, asText)).kind).toBe('deny')
      }
    }),
    { numRuns: 60 },
  )
})

/** The doubles that a validator reads, written here without the policy's own copy. */
function doubles(of: unknown): unknown {
  return JSON.parse(JSON.stringify(of, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each)))
}
