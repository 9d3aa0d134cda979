import type { JsonObject, JsonValue } from '@callgate/core'
import { expect, test } from 'vitest'
import { annotationsOf } from './annotations.ts'

function castTypes(properties: JsonObject, more: JsonObject = {}): Readonly<Record<string, string | undefined>> {
  const annotations = annotationsOf({ type: 'object', properties, ...more })
  return Object.fromEntries([...annotations].map(([name, { castType }]) => [name, castType]))
}

test('a property with one declared type that text can be read as is annotated with it', () => {
  const properties = { a: { type: 'integer' }, b: { type: 'number' }, c: { type: 'boolean' }, d: { type: ['integer'] } }
  expect(castTypes(properties)).toEqual({ a: 'integer', b: 'number', c: 'boolean', d: 'integer' })
})

test.each<readonly [string, JsonValue]>([
  ['a string', { type: 'string' }], ['an array', { type: 'array' }], ['an object', { type: 'object' }], ['null', { type: 'null' }],
  ['two types', { type: ['integer', 'string'] }], ['a nullable integer', { type: ['integer', 'null'] }], ['no type', {}], ['an untyped enum', { enum: [1, 2] }],
  ['a union', { anyOf: [{ type: 'integer' }, { type: 'null' }] }], ['a conjunction', { allOf: [{ type: 'integer' }] }], ['true', true], ['false', false],
  ['a remote reference', { $ref: 'https://example.com/a' }], ['a reference to nothing', { $ref: '#/$defs/none' }], ['an anchor', { $ref: '#a' }],
  ['a reference that is no text', { $ref: 7 }], ['a reference to itself', { $ref: '#/properties/p' }], ['a broken reference', { $ref: '#/%' }],
  ['a bad pointer', { $ref: '#/~2' }], ['a schema with an identifier', { $id: 'x', type: 'integer' }], ['two types along a reference', { type: 'number', $ref: '#/$defs/Limit' }],
  ['a typed reference to nothing', { type: 'integer', $ref: '#/$defs/none' }], ['a list of no types', { type: [] }],
])('%s is described, and no text is cast to it', (_, schema) => {
  expect(castTypes({ p: schema }, { $defs: { Limit: { type: 'integer' } } })).toEqual({ p: undefined })
})

test('local references are followed, however many, as long as they end', () => {
  const $defs = { Limit: { type: 'integer' }, Far: { $ref: '#/$defs/Limit' }, 'a/b~c %': { type: 'boolean' }, Round: { $ref: '#/$defs/Trip' }, Trip: { $ref: '#/$defs/Round' } }
  const properties = {
    near: { $ref: '#/$defs/Limit' }, far: { $ref: '#/$defs/Far' }, odd: { $ref: '#/$defs/a~1b~0c%20%25' }, round: { $ref: '#/$defs/Round' },
    inList: { $ref: '#/anyOf/0/properties/x' }, agreed: { type: 'integer', $ref: '#/$defs/Limit' },
  }
  expect(castTypes(properties, { $defs, anyOf: [{ properties: { x: { type: 'number' } } }] })).toEqual({
    near: 'integer', far: 'integer', odd: 'boolean', round: undefined, inList: 'number', agreed: 'integer',
  })
})

test('a chain of references longer than 16 steps is left alone', () => {
  const chain = (length: number): JsonObject => Object.fromEntries(
    Array.from({ length }, (_, at) => [`d${at}`, at === length - 1 ? { type: 'integer' } : { $ref: `#/$defs/d${at + 1}` }]),
  )
  const properties = { p: { $ref: '#/$defs/d0' } }
  expect(castTypes(properties, { $defs: chain(15) })).toEqual({ p: 'integer' })
  expect(castTypes(properties, { $defs: chain(16) })).toEqual({ p: undefined })
})

test('a reference into a part that has an identifier of its own is left alone', () => {
  expect(castTypes({ p: { $ref: '#/$defs/A/$defs/B' } }, { $defs: { A: { $id: 'a', $defs: { B: { type: 'integer' } } } } })).toEqual({ p: undefined })
  expect(castTypes({ p: { $ref: '#/$defs/A' } }, { $id: 'https://example.com/root', $defs: { A: { type: 'integer' } } })).toEqual({ p: 'integer' })
})

test('a root that refers on has the properties of both, and a name that both describe one of both types', () => {
  const root = {
    $ref: '#/$defs/Args',
    properties: { own: { type: 'integer' }, both: { type: 'integer' }, torn: { type: 'integer' } },
    $defs: { Args: { properties: { far: { type: 'number' }, both: { type: 'integer', minimum: 1 }, torn: { type: 'string' } } } },
  }
  const annotations = annotationsOf(root)
  expect([...annotations].map(([name, { castType }]) => [name, castType])).toEqual([['own', 'integer'], ['both', 'integer'], ['torn', undefined], ['far', 'number']])
  expect(annotations.get('both')?.schema).toEqual({ type: 'integer', minimum: 1 })
})

test('a name on a prototype is no property, and `__proto__` is a property like any other', () => {
  const properties = JSON.parse('{"__proto__": {"type": "integer"}}') as JsonObject
  expect([...annotationsOf({ properties }).keys()]).toEqual(['__proto__'])
  expect(castTypes({ p: { $ref: '#/constructor' } })).toEqual({ p: undefined })
})

test('a schema without properties annotates nothing', () => {
  for (const root of [{}, { properties: [] }, { properties: 'x' }, { $ref: 'https://example.com' }]) expect(annotationsOf(root).size).toBe(0)
})
