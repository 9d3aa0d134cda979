import { isCallgateError } from '@callgate/core'
import { expect, test } from 'vitest'
import { ArgumentsSchema } from './arguments-schema.ts'
import { schemaOf } from './typing.fixture.ts'

test('a schema is a frozen copy: what happens to the original changes nothing', () => {
  const original = { type: 'object', properties: { limit: { type: 'integer' } } }
  const schema = schemaOf(original)
  original.properties.limit.type = 'string'
  expect(schema.inputSchema).toEqual({ type: 'object', properties: { limit: { type: 'integer' } } })
  expect(Object.isFrozen(schema)).toBe(true)
  expect(Object.isFrozen(schema.inputSchema)).toBe(true)
  expect(schema).toMatchObject({ schemaId: 'tool', version: '1', compiles: true, problem: undefined })
})

test('the digest is that of the content: key order and names do not count, everything else does', () => {
  const digest = schemaOf({ type: 'object', title: 'a' }).digest
  expect(digest).toMatch(/^[0-9a-f]{64}$/)
  expect(ArgumentsSchema.create({ schemaId: 'other', version: '9', inputSchema: { title: 'a', type: 'object' } }).digest).toBe(digest)
  expect(schemaOf({ type: 'object', title: 'b' }).digest).not.toBe(digest)
})

test.each<readonly [string, unknown, string]>([
  ['a text', 'object', 'it is no object'],
  ['null', null, 'it is no object'],
  ['a list', [], 'it is no object'],
  ['a type that is none', { type: 'int' }, 'type must be JSONType'],
  ['a bound that is no number', { properties: { a: { minimum: '5' } } }, 'minimum value must be'],
  ['a reference to the network', { properties: { a: { $ref: 'https://example.com/schema.json' } } }, "can't resolve reference https://example.com/schema.json"],
  ['a reference to nothing', { properties: { a: { $ref: '#/$defs/none' } } }, "can't resolve reference #/$defs/none"],
  ['a pattern that is none', { properties: { a: { pattern: '(' } } }, 'Invalid regular expression'],
  ['a dialect that is not known', { $schema: 'http://json-schema.org/draft-04/schema#' }, 'neither 2020-12 nor draft-07'],
  ['a dialect that is no text', { $schema: 7 }, 'neither 2020-12 nor draft-07'],
  ['an asynchronous schema', { $async: true, type: 'object' }, 'asynchronous schemas are not admitted'],
  ['an asynchronous part', { properties: { a: { $async: true, type: 'integer' } } }, 'async schema'],
  ['a function', { properties: { a: () => 1 } }, 'not exact JSON: /schema/properties/a is a function'],
  ['undefined', undefined, 'not exact JSON: /schema is undefined'],
  ['a getter', { get type() { throw new Error('no') } }, 'not exact JSON'],
])('%s as a schema is no error: it does not compile, and says why', (_, inputSchema, problem) => {
  const schema = schemaOf(inputSchema)
  expect(schema.compiles).toBe(false)
  expect(schema.problem).toContain('The input schema ')
  expect(schema.problem).toContain(problem)
  expect(schema.digest).toMatch(/^[0-9a-f]{64}$/)
})

test('what is not exact is kept as null', () => {
  expect(schemaOf({ a: Number.NaN }).inputSchema).toBeNull()
})

test.each(['https://json-schema.org/draft/2020-12/schema', 'https://json-schema.org/draft/2020-12/schema#', 'http://json-schema.org/draft-07/schema#', 'http://json-schema.org/draft-07/schema'])(
  'the dialect %s compiles', ($schema) => {
    expect(schemaOf({ $schema, type: 'object' }).compiles).toBe(true)
  },
)

test.each([[{ schemaId: '', version: '1' }, 'schemaId'], [{ schemaId: 'a', version: '' }, 'version'], [{ schemaId: 7, version: '1' }, 'schemaId']])(
  'a schema without its names is a programming error', (names, name) => {
    const create = (): unknown => ArgumentsSchema.create({ ...(names as { schemaId: string; version: string }), inputSchema: {} })
    expect(create).toThrow(`ArgumentsSchema: ${name} must be a text that is not empty.`)
    try {
      create()
    } catch (error) {
      expect(isCallgateError(error) && error.code).toBe('invalid_schema')
    }
  },
)

test('only what create made is a schema', () => {
  const schema = schemaOf({})
  const values = [schema, { ...schema }, new Proxy(schema, {}), Object.create(schema), Object.create(ArgumentsSchema.prototype), null, undefined, 'x']
  expect(values.map((value) => ArgumentsSchema.isGenuine(value))).toEqual([true, ...values.slice(1).map(() => false)])
})
