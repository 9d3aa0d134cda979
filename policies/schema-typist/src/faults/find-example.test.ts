import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonObject, JsonValue } from '@callgate/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileSchema } from '../schema/compile-schema.ts'
import { findExample } from './find-example.ts'
import { placesAt } from '../schema/shapes-at.ts'

const DEFS: JsonObject = { Limit: { type: 'integer', minimum: 1, maximum: 9 }, Text: { type: 'string' }, Tree: { type: 'object', properties: { left: { $ref: '#/$defs/Tree' } }, required: ['left'] } }

function exampleAt(inputSchema: JsonObject, tokens: readonly string[]): string {
  const compilation = compileSchema(inputSchema)
  if (compilation.kind === 'failed') throw new Error(compilation.problem)
  return findExample(compilation.compiled, placesAt(compilation.compiled.place, tokens))
}

function exampleOf(schema: JsonValue): string {
  return exampleAt({ type: 'object', $defs: DEFS, properties: { p: schema } }, ['p'])
}

test.each<readonly [JsonValue, string]>([
  [{ type: 'integer' }, '10'],
  [{ type: 'integer', minimum: 0, maximum: 100 }, '0'],
  [{ type: 'number', minimum: 0.5 }, '0.5'],
  [{ type: 'integer', maximum: 5 }, '5'],
  [{ type: 'integer', maximum: 100 }, '10'],
  [{ type: 'integer', exclusiveMinimum: 0 }, '1'],
  [{ type: 'integer', minimum: 3, exclusiveMaximum: 10 }, '3'],
  [{ type: 'integer', multipleOf: 3 }, '3'],
  [{ type: 'integer', multipleOf: 7, minimum: 50 }, '56'],
  [{ type: 'integer', exclusiveMaximum: 5 }, '4'],
  [{ type: 'number', exclusiveMinimum: 0, maximum: 0.5 }, '0.25'],
  [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5 }, '0.25'],
  [{ type: 'integer', minimum: 1.5 }, '2'],
  [{ type: 'integer', minimum: 5, maximum: 4 }, ''],
  [{ type: 'number', minimum: 1e300 }, ''],
  [{ type: 'integer', allOf: [{ minimum: 20 }, { maximum: 30 }] }, '20'],
  [{ allOf: [{ type: 'integer' }, { minimum: 20 }] }, '20'],
  [{ type: 'boolean' }, 'true'],
  [{ type: 'boolean', not: { const: true } }, 'false'],
  [{ type: 'null' }, 'null'],
  [{ type: 'string' }, '"text"'],
  [{ type: 'string', pattern: '^[a-z]+$' }, ''],
  [{ type: 'string', minLength: 7 }, '"texttex"'],
  [{ type: 'string', maxLength: 2 }, '"te"'],
  [{ type: 'string', minLength: 1_000_000_000 }, ''],
  [{ type: 'object' }, '{}'],
  [{ type: 'object', required: ['a'] }, ''],
  [{ type: 'array' }, '[]'],
  [{ type: 'array', items: { type: 'string' } }, '["text"]'],
  [{ type: 'array', items: { type: 'integer' }, minItems: 3 }, '[10,10,10]'],
  [{ type: 'array', items: { type: 'integer' }, minItems: 3, uniqueItems: true }, '[10,1,0]'],
  [{ type: 'array', items: { type: 'string' }, maxItems: 0 }, '[]'],
  [{ type: 'array', minItems: 1_000_000_000 }, ''],
  [{ type: 'array', contains: { type: 'integer', minimum: 4 } }, '[4]'],
  [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], minItems: 2 }, '["text",10]'],
  [{ type: 'array', items: { type: 'array', items: { type: 'boolean' } } }, '[[true]]'],
  [{ type: ['integer', 'null'] }, '10'],
  [{ type: ['string', 'integer'] }, '"text"'],
  [{ enum: ['read', 'write', 3, null] }, '"read"'],
  [{ const: 'x' }, '"x"'],
  [{ type: 'string', examples: ['a@b.example'] }, '"a@b.example"'],
  [{ type: 'string', examples: [7], default: 8 }, '"text"'],
  [{ type: 'integer', default: 7 }, '7'],
  [{ type: 'integer', default: null }, '10'],
  [{ type: 'string', examples: ['x'.repeat(59)] }, '"text"'],
  [{ type: 'string', examples: ['x'.repeat(58)] }, `"${'x'.repeat(58)}"`],
  [{ enum: ['a\u202eb', 'plain'] }, '"plain"'],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, '10'],
  [{ type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' } }, required: ['a', 'b'] }, '{"a":10,"b":"text"}'],
  [{ type: 'object', properties: { a: { type: 'string', pattern: 'x' } }, required: ['a'] }, ''],
  [{ type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' } }, minProperties: 2 }, '{"a":10,"b":"text"}'],
  [{ $ref: '#/$defs/Limit' }, '1'],
  [{ $ref: '#/$defs/Limit', minimum: 5 }, '5'],
  [{ $ref: '#/$defs/Tree' }, ''],
  [{}, ''],
  [true, ''],
  [false, ''],
])('of %o, the example is %s', (schema, example) => {
  expect(exampleOf(schema)).toBe(example)
})

test('whole arguments have an example that fits a branch of theirs', () => {
  expect(exampleAt({ type: 'object', properties: { a: { type: 'integer' }, b: { type: 'boolean' } }, anyOf: [{ required: ['b'] }, { required: ['a'] }] }, [])).toBe('{"b":true}')
})

test('what other parts of the schema say of a place counts too', () => {
  expect(exampleAt({ type: 'object', properties: { a: { type: 'integer' } }, allOf: [{ properties: { a: { minimum: 40 } } }], patternProperties: { '^a': { multipleOf: 7 } } }, ['a'])).toBe('42')
})

const { any: schemas } = fc.letrec<{ any: JsonObject }>((tie) => {
  const small = fc.integer({ min: -6, max: 12 })
  const half = fc.oneof(small, small.map((value) => value / 4))
  const length = fc.nat(6)
  const optional = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<JsonObject> => fc.record(model, { requiredKeys: [] }) as unknown as fc.Arbitrary<JsonObject>
  const typed = (type: string, rest: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> => rest.map((words) => ({ type, ...words }))
  const numeric = optional({ minimum: half, maximum: half, exclusiveMinimum: half, exclusiveMaximum: half, multipleOf: fc.constantFrom(0.25, 0.1, 2, 3, 7), default: half, examples: fc.array(half) })
  const textual = optional({ minLength: length, maxLength: length, pattern: fc.constantFrom('^[a-z]+$', '^$'), default: fc.constantFrom<JsonValue>('x', 'long default', 7) })
  const listed = optional({ items: tie('any'), prefixItems: fc.array(tie('any'), { minLength: 1, maxLength: 2 }), minItems: length, maxItems: length, uniqueItems: fc.boolean(), contains: tie('any') })
  const held = optional({
    properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any'), { maxKeys: 3 }), required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
    minProperties: fc.nat(3), maxProperties: fc.nat(3), additionalProperties: fc.boolean(), dependentRequired: fc.constant({ a: ['b'] }),
  })
  const mixed = fc.oneof(
    fc.tuple(tie('any'), numeric, fc.constantFrom('anyOf', 'oneOf', 'allOf')).map(([one, other, word]) => ({ [word]: [one, other] })),
    fc.tuple(numeric, numeric).map(([one, other]) => ({ type: 'integer', allOf: [one, other] })),
    fc.constantFrom<JsonObject>({ enum: [null, 3, 'x'] }, { $ref: '#/$defs/Limit', minimum: 4 }, { type: ['null', 'string'] }, { type: 'boolean', not: { const: true } }),
  )
  return { any: fc.oneof({ maxDepth: 3, withCrossShrink: true }, typed('integer', numeric), typed('number', numeric), typed('string', textual), typed('array', listed), typed('object', held), mixed) }
})

test('whatever the schema, an example that is given is valid at its place', () => {
  let given = 0
  fc.assert(
    fc.property(schemas, (schema) => {
      const inputSchema = { type: 'object', $defs: DEFS, properties: { p: schema } }
      const example = exampleAt(inputSchema, ['p'])
      if (example === '') return
      given += 1
      const isValid = new Ajv2020({ strict: false, ownProperties: true, meta: false, validateSchema: false, multipleOfPrecision: 6 }).compile(inputSchema)
      expect([example, isValid({ p: JSON.parse(example) as unknown })]).toEqual([example, true])
    }),
    { numRuns: 400 },
  )
  expect(given).toBeGreaterThan(60)
}, 60_000)

test('a search ends soon, whatever the schema', () => {
  const wide = (depth: number): JsonObject => depth === 0 ? { type: 'integer', not: {} } : { type: 'array', minItems: 8, uniqueItems: true, items: { anyOf: Array.from({ length: 3 }, () => wide(depth - 1)) } }
  const start = performance.now()
  expect(exampleOf(wide(3))).toBe('')
  expect(performance.now() - start).toBeLessThan(2_000)
})
