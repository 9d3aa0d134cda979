import { Ajv2020 } from 'ajv/dist/2020.js'
import { Attempt, Candidate, PrimitiveSchema, PrimitiveTypistPolicy } from '@callgate/core'
import type { JsonObject, JsonValue, Proposal } from '@callgate/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attemptOf, objectSchema, schemaOf, strict } from './typing.fixture.ts'

const nearNumeral = fc.oneof(
  fc.integer({ min: -120, max: 120 }).map(String),
  fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }).map(String),
  fc.double({ noNaN: true }).map(String),
  fc.array(fc.constantFrom(...'0123456789', '-', '+', '.', ',', 'e', ' ', '\u0663', 'x'), { maxLength: 6 }).map((parts) => parts.join('')),
  fc.constantFrom('true', 'false', 'True', 'null', '[]', '{}', '', 'x'.repeat(1025), '9007199254740991', '9007199254740992', '-9007199254740992'),
)
const scalar: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: nearNumeral },
  fc.integer({ min: -120, max: 120 }),
  fc.constantFrom(true, false, null, 0.5, -1.5, 2 ** 53, -(2 ** 53), 1e300, 2n ** 53n, -(2n ** 70n), Number.MAX_SAFE_INTEGER),
)
const value = fc.oneof({ weight: 8, arbitrary: scalar }, fc.array(scalar, { maxLength: 3 }), fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), scalar, { maxKeys: 2 }))

const safeBound = fc.oneof(fc.integer({ min: -130, max: 130 }), fc.constantFrom(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 0))
const primitive = fc.oneof(
  fc.tuple(safeBound, safeBound).map(([one, other]) => ({ expected: 'integer' as const, minimum: Math.min(one, other), maximum: Math.max(one, other) })),
  fc.boolean().map((allowLowercaseBoolean) => ({ expected: 'boolean' as const, allowLowercaseBoolean })),
)

/** What a proposal says, whoever says it: verdict, codes, and the one value that would run. */
function verdictOf(proposal: Proposal, field: (fields: { readonly [key: string]: JsonValue }) => unknown): unknown {
  switch (proposal.kind) {
    case 'repair':
      return { repair: field(proposal.candidate.fields), codes: proposal.reasons.map(({ code }) => code) }
    case 'deny':
      return { deny: proposal.reasons.map(({ code }) => code) }
    default:
      return proposal.kind
  }
}

test('Schema Typist and Primitive Typist agree on every boolean, and on every integer whose bounds lie in the safe range', () => {
  const primitives = new PrimitiveTypistPolicy()
  fc.assert(
    fc.property(primitive, fc.array(value, { minLength: 10, maxLength: 20 }), (wanted, sent) => {
      const { expected: type } = wanted
      const primitiveSchema = PrimitiveSchema.create({ schemaId: 'tool', version: '1', ...wanted })
      const schema = objectSchema({ argument: wanted.expected === 'integer' ? { type, minimum: wanted.minimum, maximum: wanted.maximum } : { type } })
      const policy = strict(wanted.expected === 'boolean' ? { lowercaseBooleans: wanted.allowLowercaseBoolean } : {})
      for (const argument of sent) {
        const candidate = Candidate.of({ argument })
        const one = primitives.evaluate(Attempt.create({ phase: 'pre', event: 'tool.call', target: { adapter: 'test', tool: 'tool' }, candidate, schema: primitiveSchema }))
        const other = policy.evaluate(attemptOf(schema, { argument }))
        expect(verdictOf(other, (fields) => (fields['arguments'] as { argument: unknown }).argument)).toEqual(verdictOf(one, (fields) => fields['argument']))
      }
    }),
    { numRuns: 150 },
  )
})

const leaf = fc.constantFrom<JsonValue>(
  { type: 'integer' }, { type: 'integer', minimum: 0, maximum: 50 }, { type: 'number' }, { type: 'number', maximum: 10 }, { type: 'boolean' }, { type: 'string' },
  { type: 'string', maxLength: 2 }, { type: ['integer', 'null'] }, { type: ['integer', 'string'] }, { anyOf: [{ type: 'integer' }, { type: 'string', maxLength: 1 }] },
  { enum: [1, '1', true] }, { const: 7 }, { type: 'integer', enum: [5, 7] }, { $ref: '#/$defs/Limit' }, { $ref: '#/$defs/Text' }, { type: 'array', items: { type: 'integer' } },
  { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false }, { oneOf: [{ type: 'integer' }, { type: 'number' }] }, { type: 'null' }, {}, true, false,
)
const numeric = fc.constantFrom<JsonValue>({ type: 'integer' }, { type: 'number' }, { type: 'boolean' }, { $ref: '#/$defs/Limit' }, { type: 'integer', maximum: 50 })
const describable = ['a', 'b', 'c', 'limit', 'toString']
const names = [...describable, '__proto__']
const schema = fc
  .record(
    {
      properties: fc.dictionary(fc.constantFrom(...describable), fc.oneof(leaf, { weight: 2, arbitrary: numeric }), { minKeys: 2, maxKeys: 5 }),
      required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 1 }),
      additionalProperties: fc.constantFrom<JsonValue>(true, true, false, { type: 'string' }),
      patternProperties: fc.constantFrom<JsonValue>({}, { '^l': { maximum: 20 } }),
      anyOf: fc.constantFrom<JsonValue>([true], [{ required: ['a'] }, { properties: { b: { type: 'string' } } }]),
    },
    { requiredKeys: ['properties'] },
  )
  .map((parts) => ({ type: 'object', $defs: { Limit: { type: 'integer', minimum: 1, maximum: 9 }, Text: { type: 'string' } }, ...parts }))
const plainText = fc.oneof(fc.integer({ min: -5, max: 60 }).map(String), fc.constantFrom('true', 'false', '0.5', '1.25'))
const args = fc.dictionary(fc.constantFrom(...names), fc.oneof({ weight: 3, arbitrary: plainText }, value), { maxKeys: 3 })

test('for every schema and arguments: valid ones are never touched, a repair casts texts of described properties only and ends valid', () => {
  let repaired = 0
  fc.assert(
    fc.property(schema, fc.array(args, { minLength: 10, maxLength: 20 }), fc.boolean(), (inputSchema, calls, lowercaseBooleans) => {
      const isValid = new Ajv2020({ strict: false, ownProperties: true, meta: false, validateSchema: false }).compile(inputSchema)
      const [policy, given] = [strict({ lowercaseBooleans }), schemaOf(inputSchema)]
      for (const sent of calls) {
        const candidate = Candidate.ofArguments(sent)
        const before = candidate.fields['arguments'] as JsonObject
        const proposal = policy.evaluate(attemptOf(given, candidate))
        const wasValid = isValid(doubles(before))
        if (proposal.kind === 'accept') expect(wasValid).toBe(true)
        if (wasValid) expect(proposal.kind === 'accept' || hasCode(proposal, 'unsafe_integer')).toBe(true)
        if (proposal.kind !== 'repair') continue
        repaired += 1
        const after = proposal.candidate.fields['arguments'] as JsonObject
        expect(isValid(doubles(after))).toBe(true)
        expect(castNames(before, after).filter((name) => !Object.hasOwn(inputSchema.properties, name))).toEqual([])
        expect(policy.evaluate(attemptOf(given, proposal.candidate))).toEqual({ kind: 'accept' })
      }
    }),
    { numRuns: 150 },
  )
  expect(repaired).toBeGreaterThan(50)
})

test('whatever is given as a schema, and whatever is sent, the policy answers in every tier and never throws', () => {
  const keyword = fc.constantFrom('type', 'properties', 'patternProperties', 'additionalProperties', 'prefixItems', 'allOf', 'oneOf', 'const', 'nullable', '$ref', '$id', '$schema', 'anyOf', 'enum', 'required', 'items', 'minimum', 'pattern', '$async', '$defs', 'not', 'a', '__proto__')
  const junk = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, scalar, fc.array(tie('any'), { maxLength: 3 }), fc.dictionary(keyword, tie('any'), { maxKeys: 4 })),
  })).any
  fc.assert(
    fc.property(fc.oneof(junk, fc.dictionary(keyword, junk, { maxKeys: 5 }), fc.anything()), fc.dictionary(fc.oneof(fc.string({ maxLength: 3 }), keyword), value), fc.constantFrom('strict', 'basic', 'flexible'), (inputSchema, sent, mode) => {
      const given = schemaOf(inputSchema)
      const { kind } = strict({ mode }).evaluate(attemptOf(given, sent))
      expect(given.compiles ? ['accept', 'deny', 'repair'] : ['abstain']).toContain(kind)
      expect(typeof given.problem).toBe(given.compiles ? 'undefined' : 'string')
    }),
    { numRuns: 400 },
  )
})

/** The properties whose value changed; each must have been a text, and print as that text again. */
function castNames(before: JsonObject, after: JsonObject): readonly string[] {
  expect(Object.keys(after)).toEqual(Object.keys(before))
  const changed = Object.keys(before).filter((name) => !Object.is(after[name], before[name]) && typeof after[name] !== 'object')
  for (const name of changed) expect(JSON.stringify(after[name])).toBe(before[name])
  const kept = (args: JsonObject): JsonObject => Object.fromEntries(Object.entries(args).filter(([name]) => !changed.includes(name)))
  expect(kept(after)).toEqual(kept(before))
  return changed
}

function hasCode(proposal: Proposal, code: string): boolean {
  return proposal.kind === 'deny' && proposal.reasons.some((reason) => reason.code === code)
}

/** The doubles that a validator reads, written here without the policy's own copy. */
function doubles(of: unknown): unknown {
  return JSON.parse(JSON.stringify(of, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each)))
}
