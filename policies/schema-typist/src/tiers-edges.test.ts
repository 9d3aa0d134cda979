import { expect, test } from 'vitest'
import type { SchemaTypistOptions } from './schema-typist-policy.ts'
import { objectSchema, propose, said } from './typing.fixture.ts'

const basic: Partial<SchemaTypistOptions> = { mode: 'basic' }
const flexible: Partial<SchemaTypistOptions> = { mode: 'flexible' }
const integer = { type: 'integer' }
const text = { type: 'string' }
const nothing = { type: 'null' }
const objectOf = (properties: unknown): unknown => ({ type: 'object', properties })

test('a place that is valid stays as it is, whatever is repaired beside it', () => {
  const words = objectSchema({ word: { anyOf: [{ enum: ['Open'] }, { type: 'string', pattern: '^o' }] }, n: integer })
  expect(said(propose(words, { word: 'open', n: ' 7' }, flexible))).toEqual({ repair: { word: 'open', n: 7 }, reasons: ['trimmed /arguments/n'] })
  const either = objectSchema({ of: { anyOf: [objectOf({ a: integer }), objectOf({ a: nothing })] }, n: integer })
  expect(said(propose(either, { of: { a: null }, n: ' 7' }, flexible))).toEqual({ repair: { of: { a: null }, n: 7 }, reasons: ['trimmed /arguments/n'] })
})

test('an object that two branches would each read in another way is ambiguous', () => {
  const two = objectSchema({ of: { anyOf: [objectOf({ a: integer, b: nothing }), objectOf({ a: nothing, b: integer })] } })
  expect(said(propose(two, { of: { a: null, b: null } }, flexible))).toEqual({ deny: ['ambiguous /arguments/of'] })
})

test('only a valid item is wrapped, and never an empty one', () => {
  const schema = objectSchema({ list: { type: 'array', items: { type: 'string', minLength: 3 } }, names: { type: 'array', items: text } }, { required: ['names'] })
  expect(said(propose(schema, { list: 'abc', names: [] }, flexible))).toMatchObject({ repair: { list: ['abc'] } })
  expect(said(propose(schema, { list: 'ab', names: [] }, flexible))).toEqual({ deny: ['type_mismatch /arguments/list'] })
  expect(said(propose(schema, { names: '' }, flexible))).toEqual({ deny: ['type_mismatch /arguments/names'] })
})

test('branches that nothing satisfies do not count', () => {
  expect(said(propose(objectSchema({ n: { anyOf: [false, integer] } }), { n: '5' }, basic))).toMatchObject({ repair: { n: 5 } })
  const never = objectOf({ a: { allOf: [text, integer] } })
  expect(said(propose(objectSchema({ of: { anyOf: [objectOf({ a: integer }), never] } }), { of: { a: '5' } }, basic))).toMatchObject({ repair: { of: { a: 5 } } })
})

test('behind a dynamic reference nothing is read', () => {
  const schema = objectSchema({ tree: { type: 'object', properties: { size: integer }, $dynamicRef: '#node' } }, { $dynamicAnchor: 'node' })
  expect(said(propose(schema, { tree: { size: 7 } }, basic))).toBe('accept')
  expect(said(propose(schema, { tree: { size: '7.0' } }, basic))).toMatchObject({ deny: expect.any(Array) as unknown })
})

test('what is nullable admits null: as a text it is read, as a value it is kept', () => {
  const schema = objectSchema({ n: { type: 'integer', nullable: true }, m: integer })
  expect(said(propose(schema, { n: 'null' }, basic))).toEqual({ repair: { n: null }, reasons: ['null_text /arguments/n'] })
  expect(said(propose(schema, { n: null, m: ' 7' }, flexible))).toMatchObject({ repair: { n: null, m: 7 } })
})
