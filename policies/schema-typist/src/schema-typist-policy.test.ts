import { AdmissionKernel, Candidate, isCallgateError } from '@callgate/core'
import type { AdapterDeclaration } from '@callgate/core'
import { expect, test } from 'vitest'
import type { ArgumentsSchema } from './arguments-schema.ts'
import type { SchemaTypistOptions } from './schema-typist-policy.ts'
import { SchemaTypistPolicy } from './schema-typist-policy.ts'
import { attemptOf, messages, objectSchema, propose, said, schemaOf, strict } from './typing.fixture.ts'

const listing = objectSchema({ limit: { type: 'integer', minimum: 1, maximum: 1000 }, ratio: { type: 'number' }, all: { type: 'boolean' }, name: { type: 'string' } })
const adapter: AdapterDeclaration = {
  id: 'test', version: '1', lifecycle: ['pre:tool.call', 'post:tool.success', 'post:tool.failure'], identity: true, completeCandidate: true,
  effects: { deny: true, replace: true, hold: false, observe: true },
}

test('the casts of the tier strict: canonical integer, canonical number, booleans with the opt-in', () => {
  expect(said(propose(listing, { limit: '10', ratio: '0.25', name: '7' }))).toEqual({
    repair: { limit: 10, ratio: 0.25, name: '7' }, reasons: ['canonical_integer /arguments/limit', 'canonical_number /arguments/ratio'],
  })
  expect(said(propose(listing, { all: 'true' }))).toEqual({ deny: ['boolean_cast_disabled /arguments/all'] })
  expect(said(propose(listing, { all: 'true' }, { lowercaseBooleans: true }))).toEqual({ repair: { all: true }, reasons: ['canonical_boolean /arguments/all'] })
})

test('what satisfies its schema is never touched, whatever it looks like', () => {
  for (const args of [{}, { limit: 5 }, { name: '7' }, { name: 'true', other: '5' }]) expect(said(propose(listing, args))).toBe('accept')
  const union = objectSchema({ code: { type: ['integer', 'string'] } })
  expect(said(propose(union, { code: '42' }))).toBe('accept')
})

test.each<readonly [string, unknown, unknown, string]>([
  ['a nested property', { o: { type: 'object', properties: { n: { type: 'integer' } } } }, { o: { n: '5' } }, 'type_mismatch /arguments/o/n'],
  ['an item', { ids: { type: 'array', items: { type: 'integer' } } }, { ids: ['1'] }, 'type_mismatch /arguments/ids/0'],
  ['a nullable integer', { n: { type: ['integer', 'null'] } }, { n: '5' }, 'type_mismatch /arguments/n'],
  ['a union', { n: { anyOf: [{ type: 'integer' }, { type: 'null' }] } }, { n: '5' }, 'type_mismatch /arguments/n'],
  ['an untyped enum', { n: { enum: [1, 2] } }, { n: '1' }, 'constraint /arguments/n'],
  ['JSON in a text', { o: { type: 'object' } }, { o: '{}' }, 'type_mismatch /arguments/o'],
  ['trailing zeroes', { n: { type: 'number' } }, { n: '2.50' }, 'type_mismatch /arguments/n'],
  ['the text null', { n: { type: 'null' } }, { n: 'null' }, 'type_mismatch /arguments/n'],
  ['a union in which one branch admits a string', { s: { anyOf: [{ type: 'integer' }, { type: 'string', maxLength: 1 }] } }, { s: '42' }, 'constraint /arguments/s'],
])('%s is left to the tiers that come later', (_, properties, args, fault) => {
  const proposal = said(propose(objectSchema(properties), args))
  expect(proposal).toEqual({ deny: [expect.stringMatching(new RegExp(`^(?:type_mismatch|constraint) ${fault.split(' ')[1] ?? ''}$`))] })
})

test('local references are resolved, their bounds respected', () => {
  const schema = objectSchema({ limit: { $ref: '#/$defs/Limit' } }, { $defs: { Limit: { type: 'integer', minimum: 1, maximum: 100 } } })
  expect(said(propose(schema, { limit: '7' }))).toEqual({ repair: { limit: 7 }, reasons: ['canonical_integer /arguments/limit'] })
  expect(said(propose(schema, { limit: '500' }))).toEqual({ deny: ['out_of_range /arguments/limit'] })
})

test('a repair that does not end in valid arguments is not enacted, and only what stays wrong is named', () => {
  expect(said(propose(listing, { limit: '10', name: 5 }))).toEqual({ deny: ['type_mismatch /arguments/name'] })
  expect(said(propose(listing, { limit: '0' }))).toEqual({ deny: ['out_of_range /arguments/limit'] })
  const even = objectSchema({ n: { type: 'integer', multipleOf: 2 } })
  expect(said(propose(even, { n: '3' }))).toEqual({ deny: ['constraint /arguments/n'] })
  const crossed = objectSchema({ a: { type: 'integer' }, b: {} }, { if: { properties: { a: { not: { const: 5 } } } }, else: { required: ['b'] } })
  expect(said(propose(crossed, { a: '5' }))).toEqual({ deny: ['missing_required /arguments/b'] })
  expect(said(propose(crossed, { a: '4' }))).toMatchObject({ repair: { a: 4 } })
})

test('the codes of the two canonical casts are given at their pointers', () => {
  const sent = { '': 'empty', ' 5': 'whitespace', '\u0665': 'non_ascii_digit', '+5': 'plus_sign', '5,0': 'separator', '5e1': 'exponent', '5.0': 'fraction', '-0': 'negative_zero', '05': 'leading_zero', x: 'not_an_integer', '9007199254740992': 'out_of_range' }
  for (const [limit, code] of Object.entries(sent)) expect(said(propose(listing, { limit }))).toEqual({ deny: [`${code} /arguments/limit`] })
  for (const [limit, code] of [[true, 'boolean'], [null, 'null'], [1.5, 'not_an_integer'], [[], 'not_an_integer']] as const) {
    expect(said(propose(listing, { limit }))).toEqual({ deny: [`${code} /arguments/limit`] })
  }
  expect(said(propose(listing, { all: 'yes' }))).toEqual({ deny: ['not_a_boolean /arguments/all'] })
  expect(said(propose(listing, { all: 1 }))).toEqual({ deny: ['not_a_boolean /arguments/all'] })
  expect(said(propose(listing, { ratio: 'x' }))).toEqual({ deny: ['type_mismatch /arguments/ratio'] })
  expect(said(propose(listing, { ratio: null }))).toEqual({ deny: ['null /arguments/ratio'] })
  expect(said(propose(listing, { ratio: [] }))).toEqual({ deny: ['type_mismatch /arguments/ratio'] })
})

test('an integer beyond 2^53-1 that was handed in as a number is refused wherever a number is admitted', () => {
  const ids = objectSchema({ id: { type: 'integer' }, name: { type: 'string' }, list: { type: 'array' } })
  expect(said(propose(ids, { id: 2 ** 53 }))).toEqual({ deny: ['unsafe_integer /arguments/id'] })
  expect(said(propose(ids, { list: [[2 ** 60]], other: 1e300 }))).toEqual({ deny: ['unsafe_integer /arguments/list/0/0', 'unsafe_integer /arguments/other'] })
  expect(said(propose(ids, { id: 2 ** 53, name: 5 }))).toEqual({ deny: ['unsafe_integer /arguments/id', 'type_mismatch /arguments/name'] })
  expect(said(propose(ids, { name: 2 ** 53 }))).toEqual({ deny: ['type_mismatch /arguments/name'] })
  expect(said(propose(ids, { id: [2 ** 53] }))).toEqual({ deny: ['not_an_integer /arguments/id'] })
  expect(said(propose(objectSchema({ id: { type: 'integer', maximum: 5 }, n: { type: 'integer' } }), { id: 2 ** 53, n: '5' }))).toEqual({ deny: ['unsafe_integer /arguments/id'] })
})

test('what came over the wire is exact: the validator sees the double, the text is what runs', () => {
  const schema = objectSchema({ id: { type: 'integer' }, ratio: { type: 'number', maximum: 1 }, limit: { type: 'integer' } })
  const wire = Candidate.ofWire('{"id": 2512292042121000001, "ratio": 0.10000000000000000001}')
  expect(said(propose(schema, wire))).toBe('accept')
  const repaired = propose(schema, Candidate.ofWire('{"id": 2512292042121000001, "ratio": 0.10000000000000000001, "limit": "5"}'))
  const fields = repaired.kind === 'repair' ? repaired.candidate.fields['arguments'] : undefined
  expect(fields).toMatchObject({ id: 2512292042121000001n, ratio: { text: '0.10000000000000000001' }, limit: 5 })
  expect(said(propose(schema, Candidate.ofWire('{"ratio": 1.50000000000000000001}')))).toEqual({ deny: ['out_of_range /arguments/ratio'] })
})

test('arguments that are no object are refused', () => {
  for (const args of ['{}', null, [], 5]) expect(said(propose(schemaOf({}), Candidate.of({ arguments: args })))).toEqual({ deny: ['type_mismatch /arguments'] })
  expect(said(propose(schemaOf({}), Candidate.of({ arguments: '{}' }), { invalid: 'forward' }))).toBe('abstain')
  expect(said(propose(undefined, Candidate.of({ arguments: '{}' })))).toBe('abstain')
  const tools = { tool: { limit: { maximum: 5 } } }
  for (const schema of [undefined, schemaOf({})]) {
    expect(said(propose(schema, Candidate.of({ arguments: '{"limit":500}' }), { tools, invalid: 'forward' }))).toEqual({ deny: ['type_mismatch /arguments'] })
  }
})

test('with invalid: forward the policy abstains, repairs all the same, and never forwards a number that may be rounded', () => {
  const forward = { invalid: 'forward' } as const
  expect(said(propose(listing, { limit: 'x' }, forward))).toBe('abstain')
  expect(said(propose(listing, { limit: '5' }, forward))).toMatchObject({ repair: { limit: 5 } })
  expect(said(propose(listing, { limit: 2 ** 53, name: 5 }, forward))).toEqual({ deny: ['unsafe_integer /arguments/limit'] })
})

test('bounds of a tool are tighter than its schema, hold for the repaired value, and refuse whatever else is set', () => {
  const tools = { tool: { limit: { minimum: 0, maximum: 100 } } }
  expect(said(propose(listing, { limit: '100' }, { tools }))).toMatchObject({ repair: { limit: 100 } })
  for (const invalid of ['refuse', 'forward'] as const) {
    expect(said(propose(listing, { limit: 101 }, { tools, invalid }))).toEqual({ deny: ['out_of_range /arguments/limit'] })
    expect(said(propose(listing, { limit: '101' }, { tools, invalid }))).toEqual({ deny: ['out_of_range /arguments/limit'] })
    expect(said(propose(listing, { Limit: 101 }, { tools, invalid }))).toEqual({ deny: ['unknown_property /arguments/Limit'] })
    expect(said(propose(undefined, { limit: 101 }, { tools, invalid }))).toEqual({ deny: ['out_of_range /arguments/limit'] })
    expect(said(propose(schemaOf('broken'), { limit: '5' }, { tools, invalid }))).toEqual({ deny: ['type_mismatch /arguments/limit'] })
  }
  expect(said(propose(listing, { limit: ' 5' }, { tools, invalid: 'forward' }))).toEqual({ deny: ['type_mismatch /arguments/limit'] })
  expect(said(propose(listing, { limit: ' 5' }, { tools }))).toEqual({ deny: ['whitespace /arguments/limit'] })
  expect(said(propose(listing, { limit: '5', name: 7 }, { tools }))).toEqual({ deny: ['type_mismatch /arguments/name'] })
  expect(said(propose(listing, { limit: '500', name: 7 }, { tools }))).toEqual({ deny: ['type_mismatch /arguments/name', 'out_of_range /arguments/limit'] })
  expect(said(propose(listing, { limit: 2 ** 53 }, { tools, invalid: 'forward' }))).toEqual({ deny: ['unsafe_integer /arguments/limit'] })
  expect(said(propose(listing, { limit: 101 }, { tools: { other: { limit: { maximum: 1 } } } }))).toBe('accept')
  expect(said(propose(undefined, { limit: 5 }, { tools }))).toBe('abstain')
})

test('without an ArgumentsSchema, or with one that does not compile, the policy says nothing', () => {
  expect(said(propose(undefined, { limit: '5' }))).toBe('abstain')
  expect(said(propose(schemaOf({ type: 'int' }), { limit: '5' }))).toBe('abstain')
  expect(said(propose({ ...listing } as unknown as ArgumentsSchema, { limit: '5' }))).toBe('abstain')
  expect(said(propose(listing, Candidate.of({ argument: '5' })))).toBe('abstain')
  expect(strict().owns(attemptOf(undefined, {}))).toEqual([])
  expect(strict().owns(attemptOf(schemaOf('broken'), {}))).toEqual([])
})

test('the policy owns the subtree of each property that the schema describes', () => {
  const schema = objectSchema({ limit: { type: 'integer' }, 'a/b~c': { type: 'string' } })
  expect(strict().owns(attemptOf(schema, {}))).toEqual(['/arguments/limit', '/arguments/a~1b~0c'])
})

test('a key __proto__ is data: it is kept through a repair, and reaches no prototype', () => {
  const proposal = propose(listing, JSON.parse('{"__proto__": {"limit": "7"}, "limit": "5"}'))
  const args = proposal.kind === 'repair' ? (proposal.candidate.fields['arguments'] as object) : {}
  expect(Object.entries(args)).toEqual([['__proto__', { limit: '7' }], ['limit', 5]])
})

test('after a failure, each place at which a safe cast was there is named, and nothing is proposed', () => {
  const after = (args: unknown, event: 'tool.failure' | 'tool.success' = 'tool.failure'): unknown =>
    said(strict({ tools: { tool: { limit: { maximum: 50 } } } }).evaluate(attemptOf(listing, args, { phase: 'post', event })))
  expect(after({ limit: '5', ratio: '0.5' })).toEqual({ observe: ['safe_cast_available /arguments/limit', 'safe_cast_available /arguments/ratio'] })
  for (const args of [{ limit: 5 }, { limit: 'x' }, { limit: '60' }]) expect(after(args)).toBe('abstain')
  expect(after({ limit: '5', name: 7 })).toEqual({ observe: ['safe_cast_available /arguments/limit'] })
  expect(after({ limit: '60', ratio: '0.5' })).toEqual({ observe: ['safe_cast_available /arguments/ratio'] })
  expect(after({ limit: '5' }, 'tool.success')).toBe('abstain')
  expect(said(strict().evaluate(attemptOf(listing, Candidate.of({ arguments: '5' }), { phase: 'post', event: 'tool.failure' })))).toBe('abstain')
})

test('arguments at which the validator gives up are refused', () => {
  const endless = schemaOf({ $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } }, properties: { c: { $ref: '#/$defs/a' } } })
  expect(said(propose(endless, { c: 1 }))).toEqual({ deny: ['constraint /arguments'] })
  expect(said(propose(endless, { c: 2 ** 53 }, { invalid: 'forward' }))).toEqual({ deny: ['unsafe_integer /arguments/c'] })
  const equal = objectSchema({ o: { enum: [{ a: 1 }] } })
  expect(said(propose(equal, { o: { valueOf: 1 } }))).toEqual({ deny: ['constraint /arguments'] })
})

test('every tier is one, and what is no option is refused as such', () => {
  const codeOf = (options: unknown): string => {
    try {
      return new SchemaTypistPolicy(options as SchemaTypistOptions).id
    } catch (error) {
      return isCallgateError(error) ? `${error.code} ${error.message}` : 'another error'
    }
  }
  for (const mode of ['strict', 'basic', 'flexible']) expect(codeOf({ mode })).toBe('schema-typist')
  expect(codeOf({ mode: 'loose' })).toBe('invalid_option SchemaTypistPolicy: mode must be strict, basic or flexible.')
  expect(codeOf({ mode: 'basic', redact: ['/arguments/a'] })).toBe('invalid_option SchemaTypistPolicy: redact must be a function of a pointer.')
  expect(codeOf({ mode: 'strict', lowercaseBooleans: 'yes' })).toBe('invalid_option SchemaTypistPolicy: lowercaseBooleans must be true or false.')
  expect(codeOf({ mode: 'strict', invalid: 'ignore' })).toBe('invalid_option SchemaTypistPolicy: invalid must be refuse or forward.')
  expect(codeOf({ mode: 'strict', tools: { a: { b: {} } } })).toContain('invalid_option Bounds of "b" of tool "a"')
})

test('a schema is compiled once, however often it is created anew', () => {
  const policy = strict()
  const schemas = Array.from({ length: 3 }, () => objectSchema({ limit: { type: 'integer', title: 'the same' } }))
  expect(schemas.map((schema) => said(policy.evaluate(attemptOf(schema, { limit: '5' }))))).toEqual(Array.from({ length: 3 }, () => ({ repair: { limit: 5 }, reasons: ['canonical_integer /arguments/limit'] })))
  expect(policy.owns(attemptOf(schemas[0], {}))).toEqual(policy.owns(attemptOf(schemas[2], {})))
})

test('through the kernel: the repaired whole runs, and what cannot be repaired is refused with what to write', () => {
  const kernel = new AdmissionKernel([strict()])
  const decision = kernel.admit(attemptOf(listing, { limit: '10' }), adapter)
  expect(decision).toMatchObject({ verdict: 'run', candidate: { fields: { arguments: { limit: 10 } } }, changes: [{ pointer: '/arguments/limit', before: '10', after: 10 }] })
  const refused = kernel.admit(attemptOf(listing, { limit: '10px' }), adapter)
  expect(refused).toMatchObject({ verdict: 'refuse', reasons: [{ policy: 'schema-typist', code: 'not_an_integer', pointer: '/arguments/limit' }] })
  expect(refused.message).toContain('"10px" was sent; the schema wants an integer from 1 to 1000. For example: 1, without quotes.')
})


test('the version differs where the options differ, and only there', () => {
  const limit = { minimum: 0, maximum: 9 }
  const different: readonly Partial<SchemaTypistOptions>[] = [
    {}, { lowercaseBooleans: true }, { invalid: 'forward' }, { lowercaseBooleans: true, invalid: 'forward' },
    { tools: { a: { limit } } }, { tools: { b: { limit } } }, { tools: { a: { other: limit } } }, { tools: { a: { limit: { minimum: 0 } } } }, { tools: { a: { limit: { minimum: 0, maximum: 10 } } } },
    { tools: { a: { limit: { minimum: 0, maximum: 2n ** 64n } } } }, { tools: { a: {} } }, { tools: { '\ud800': { limit } } },
  ]
  const versions = different.map((options) => strict(options).version)
  expect(new Set(versions).size).toBe(different.length)
  for (const version of versions) expect(version).toMatch(/^1-[0-9a-f]{16}$/)
  expect(different.map((options) => strict(options).version)).toEqual(versions)
  const same: readonly (readonly [Partial<SchemaTypistOptions>, Partial<SchemaTypistOptions>])[] = [
    [{}, { lowercaseBooleans: false, invalid: 'refuse', tools: {} }],
    [{}, { lowercaseBooleans: undefined, invalid: undefined, tools: undefined }],
    [{ tools: { a: { x: limit, y: limit }, b: { x: limit } } }, { tools: { b: { x: { maximum: 9, minimum: 0 } }, a: { y: limit, x: limit } } }],
  ]
  for (const [one, other] of same) expect(strict(one).version).toBe(strict(other).version)
})

const hidden: readonly (readonly [string, string])[] = [
  ['at the top', '{"type":"object","properties":{"__proto__":{"type":"integer"}}}'],
  ['below', '{"properties":{"a":{"properties":{"__proto__":{"type":"integer"}}}}}'],
  ['behind a reference', '{"$ref":"#/$defs/A","$defs":{"A":{"properties":{"__proto__":{"type":"integer"}}}}}'],
  ['in an older dialect', '{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"__proto__":{"type":"integer"}}}'],
  ['as a pattern', '{"patternProperties":{"__proto__":{"type":"integer"}}}'],
]

test.each(hidden)('a schema that describes a property named __proto__ %s does not compile: nothing is repaired', (_where, text) => {
  const schema = schemaOf(JSON.parse(text))
  expect(schema.compiles).toBe(false)
  expect(schema.problem).toBe('The input schema does not compile: it describes a property named __proto__, which the validator cannot check.')
  const args = Candidate.ofWire('{"__proto__":"7"}')
  for (const options of [{}, { invalid: 'forward' }] as const) expect(said(strict(options).evaluate(attemptOf(schema, args)))).toBe('abstain')
})

test('what a schema says of names that it does not list holds for __proto__ too', () => {
  const judge = (schema: unknown, text: string): unknown => said(strict().evaluate(attemptOf(schemaOf(schema), Candidate.ofWire(text))))
  expect(judge({ additionalProperties: { type: 'integer' } }, '{"__proto__":"7"}')).toMatchObject({ deny: expect.any(Array) as unknown })
  expect(judge({ additionalProperties: false }, '{"__proto__":7}')).toMatchObject({ deny: expect.any(Array) as unknown })
  expect(judge({ unevaluatedProperties: false }, '{"__proto__":7}')).toMatchObject({ deny: expect.any(Array) as unknown })
  expect(judge({ patternProperties: { '^__': { type: 'integer' } } }, '{"__proto__":"7"}')).toMatchObject({ deny: expect.any(Array) as unknown })
  expect(judge({ propertyNames: { maxLength: 3 } }, '{"__proto__":7}')).toMatchObject({ deny: expect.any(Array) as unknown })
  expect(judge({ required: ['__proto__'] }, '{}')).toMatchObject({ deny: expect.any(Array) as unknown })
  expect(judge({ required: ['__proto__'] }, '{"__proto__":7}')).toBe('accept')
  expect(judge({ dependentRequired: { a: ['__proto__'] } }, '{"a":7}')).toMatchObject({ deny: expect.any(Array) as unknown })
  expect(judge({ additionalProperties: { type: 'integer' } }, '{"__proto__":7}')).toBe('accept')
})

test('a hostile pattern is decided at once, and a usual one as ever', () => {
  const start = performance.now()
  const slug = objectSchema({ name: { type: 'string', pattern: '^([a-z0-9]+-?)+$' } })
  expect(said(propose(slug, { name: `${'a'.repeat(40)}!` }))).toEqual({ deny: ['constraint /arguments/name'] })
  expect(said(propose(slug, { name: `${'a'.repeat(40_000)}!` }))).toEqual({ deny: ['constraint /arguments/name'] })
  expect(said(propose(slug, { name: 'a-slug-of-9-parts' }))).toBe('accept')
  expect(said(propose(slug, { name: 'a'.repeat(40_000) }))).toBe('accept')
  const names = schemaOf({ patternProperties: { '^(a+)+$': { type: 'integer' } }, additionalProperties: false })
  expect(said(propose(names, { [`${'a'.repeat(500)}!`]: 1 }))).toEqual({ deny: [`unknown_property /arguments/${'a'.repeat(189)}…`] })
  expect(performance.now() - start).toBeLessThan(4_000)
})

test('a text that cannot be checked against a pattern in bounded time is refused with its reason, and repairs nothing beside it', () => {
  const schema = objectSchema({ name: { type: 'string', pattern: '^(?:(?=a)a+)+$' }, limit: { type: 'integer' } })
  const args = { name: `${'a'.repeat(1_000)}!`, limit: '10' }
  const proposal = propose(schema, args)
  expect(said(proposal)).toEqual({ deny: ['constraint /arguments'] })
  expect(messages(proposal)).toEqual(['A text of 1001 characters cannot be checked against the pattern "^(?:(?=a)a+)+$" in bounded time. Send a shorter text.'])
  expect(said(propose(schema, args, { invalid: 'forward' }))).toBe('abstain')
  expect(said(propose(schema, { name: 'a', limit: '10' }))).toMatchObject({ repair: { name: 'a', limit: 10 } })
})

test('the texts of one call share the steps of its patterns: the check of many is bounded too', () => {
  const schema = objectSchema({ names: { type: 'array', items: { allOf: Array.from({ length: 200 }, (_, at) => ({ pattern: `^.*.*${at}$` })) } } })
  const start = performance.now()
  const proposal = propose(schema, { names: Array.from({ length: 300 }, () => 'a'.repeat(200)) })
  expect(performance.now() - start).toBeLessThan(3_000)
  expect(proposal.kind).toBe('deny')
  const matching = propose(objectSchema({ names: { type: 'array', items: { allOf: Array.from({ length: 500 }, () => ({ pattern: '^.*.*a$' })) } } }), { names: Array.from({ length: 300 }, () => 'a'.repeat(200)) })
  expect(messages(matching)[0]).toContain('cannot be checked against the pattern "^.*.*a$" in bounded time')
})
