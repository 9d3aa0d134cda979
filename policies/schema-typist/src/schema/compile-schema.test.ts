import type { JsonValue } from '@callgate/core'
import { expect, test } from 'vitest'
import { compileSchema, SCHEMA_BOUNDS } from './compile-schema.ts'
import type { CompiledSchema } from './compile-schema.ts'

function compiled(schema: JsonValue): CompiledSchema {
  const result = compileSchema(schema)
  if (result.kind === 'failed') throw new Error(result.problem)
  return result.compiled
}

function problem(schema: JsonValue): string {
  const result = compileSchema(schema)
  return result.kind === 'failed' ? result.problem : 'none'
}

function nested(depth: number): JsonValue {
  let schema: JsonValue = { type: 'integer' }
  for (let level = 1; level < depth - 1; level += 1) schema = { not: schema }
  return schema
}

test('a schema of the bounded depth compiles, one level more does not', () => {
  expect(problem(nested(SCHEMA_BOUNDS.depth))).toBe('none')
  expect(problem(nested(SCHEMA_BOUNDS.depth + 1))).toContain('exceeds the bound of depth 64')
  expect(problem(nested(100_000))).toContain('exceeds the bound of depth 64')
})

test('a schema of too many values or characters does not compile', () => {
  const values = (count: number): JsonValue => ({ enum: Array.from({ length: count }, (_, at) => at) })
  expect(problem(values(SCHEMA_BOUNDS.values - 2))).toBe('none')
  expect(problem(values(SCHEMA_BOUNDS.values - 1))).toContain('exceeds the bound of 20000 values')
  const titled = (length: number): JsonValue => ({ title: 'x'.repeat(length - 'title'.length) })
  expect(problem(titled(SCHEMA_BOUNDS.characters))).toBe('none')
  expect(problem(titled(SCHEMA_BOUNDS.characters + 1))).toContain('exceeds the bound of 524288 characters')
  expect(problem({ properties: { ['x'.repeat(SCHEMA_BOUNDS.characters)]: {} } })).toContain('characters')
})

test('nothing is coerced, filled in or removed, and formats are not asserted', () => {
  const schema = compiled({
    type: 'object', additionalProperties: false,
    properties: { a: { type: 'integer', default: 5 }, b: { type: 'string', format: 'email' }, c: { type: 'array', items: { type: 'string' } } },
  })
  const value = Object.freeze({ b: 'not an address' })
  expect(schema.isValid(value)).toBe(true)
  expect(value).toEqual({ b: 'not an address' })
  for (const wrong of [{ a: '5' }, { a: null }, { a: true }, { c: 'x' }, { b: 5 }, { other: 1 }]) expect(schema.isValid(wrong)).toBe(false)
})

test('a name on a prototype is no property', () => {
  const schema = compiled({ type: 'object', required: ['toString'], properties: { constructor: { type: 'integer' } } })
  expect(schema.isValid({})).toBe(false)
  expect(schema.isValid({ toString: 1 })).toBe(true)
  expect(schema.isValid({ toString: 1, constructor: 'x' })).toBe(false)
})

test('each dialect has its own words', () => {
  const tuple = { properties: { a: { type: 'array', prefixItems: [{ type: 'integer' }] } } }
  expect(compiled(tuple).isValid({ a: ['x'] })).toBe(false)
  expect(compiled({ $schema: 'http://json-schema.org/draft-07/schema#', ...tuple }).isValid({ a: ['x'] })).toBe(true)
  const older = { $schema: 'http://json-schema.org/draft-07/schema#', definitions: { A: { type: 'integer' } }, properties: { a: { $ref: '#/definitions/A' } } }
  expect(compiled(older).isValid({ a: 'x' })).toBe(false)
})

test('two schemas that name themselves alike do not disturb each other', () => {
  const named = (type: string): JsonValue => ({ $id: 'https://example.com/a', $defs: { A: { $id: 'inner', type } }, properties: { a: { $ref: 'inner' } } })
  const [first, second] = [compiled(named('integer')), compiled(named('string'))]
  expect([first.isValid({ a: 1 }), first.isValid({ a: 'x' }), second.isValid({ a: 1 }), second.isValid({ a: 'x' })]).toEqual([true, false, false, true])
})

test('decimal multiples are judged by their decimals, in either dialect', () => {
  for (const dialect of ['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema']) {
    const schema = compiled({ $schema: dialect, properties: { a: { multipleOf: 0.01 }, ms: { multipleOf: 86_400_000 } } })
    expect([19.99, 1234567890.12, 19.995, 0.010000001].map((a) => schema.isValid({ a }))).toEqual([true, true, false, false])
    expect([86_400_000, 50].map((ms) => schema.isValid({ ms }))).toEqual([true, false])
    expect(schema.faults({ ms: 50 }, true)).toMatchObject([{ instancePath: '/ms', message: 'must be multiple of 86400000' }])
  }
})

test('one fault is found where one is asked for, and all of them where all are', () => {
  const schema = compiled({ properties: { a: { type: 'integer' }, b: { type: 'integer' } } })
  const wrong = { a: 'x', b: 'y' }
  expect(schema.faults(wrong, false).map(({ instancePath }) => instancePath)).toEqual(['/a'])
  expect(schema.faults(wrong, true).map(({ instancePath }) => instancePath)).toEqual(['/a', '/b'])
  expect([schema.faults({ a: 1 }, true), schema.faults({ a: 1 }, false)]).toEqual([[], []])
})

test('a schema that holds itself judges at every depth', () => {
  const schema = compiled({ type: 'object', properties: { child: { $ref: '#' }, size: { type: 'integer' } } })
  expect([schema.isValid({ child: { child: { size: 1 } } }), schema.isValid({ child: { child: { size: 'x' } } })]).toEqual([true, false])
})

test('a schema that refers to itself without end compiles, and judging by it throws', () => {
  expect(() => compiled({ $ref: '#' }).isValid({})).toThrow(RangeError)
})

test.each([
  ['an anchor below the whole', { properties: { x: { $dynamicRef: '#n' } }, $defs: { N: { $dynamicAnchor: 'n', type: 'integer' } } }],
  ['a place', { properties: { x: { $dynamicRef: '#/$defs/N' } }, $defs: { N: { type: 'integer' } } }],
  ['another anchor than that of the whole', { $dynamicAnchor: 'm', properties: { x: { $dynamicRef: '#n' } }, $defs: { N: { $dynamicAnchor: 'n', type: 'integer' } } }],
])('a dynamic reference to %s stops the schema, since the validator would admit anything there', (_, schema) => {
  expect(compileSchema(schema)).toMatchObject({ kind: 'failed', problem: expect.stringContaining('$dynamicRef') as string })
})

test('a dynamic reference to the whole schema is followed, and a draft that has none passes the word over', () => {
  const { isValid } = compiled({ $dynamicAnchor: 'n', type: 'object', properties: { x: { $dynamicRef: '#n' } } })
  expect([{ x: { x: {} } }, { x: 5 }].map(isValid)).toEqual([true, false])
  expect(compileSchema({ $schema: 'http://json-schema.org/draft-07/schema#', properties: { x: { $dynamicRef: '#n' } } }).kind).toBe('compiled')
})
