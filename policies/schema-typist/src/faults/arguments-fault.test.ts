import { Candidate } from '@callgate/core'
import type { JsonObject } from '@callgate/core'
import { expect, test } from 'vitest'
import { objectSchema, schemaOf } from '../typing.fixture.ts'

const exact = (args: unknown): JsonObject => Candidate.ofArguments(args).fields['arguments'] as JsonObject
const wire = (text: string): JsonObject => Candidate.ofWire(text).fields['arguments'] as JsonObject
const invoice = objectSchema({ invoice_id: { type: 'string' }, amount: { type: 'number' } }, { required: ['invoice_id'] })

test('arguments that satisfy their schema have no fault, properties that it does not describe included', () => {
  expect(invoice.faultOf(exact({ invoice_id: 'INV-7', amount: 1.5, note: 'x' }))).toBeUndefined()
})

test.each([
  ['a value of another type', { invoice_id: 7 }, /\/arguments\/invoice_id: 7 was sent/],
  ['a missing property', { amount: 1 }, /\/arguments\/invoice_id is missing/],
  ['a number in quotes, whatever a typist could make of it', { invoice_id: 'INV-7', amount: '5' }, /\/arguments\/amount/],
  ['an integer that was rounded before it came here', { invoice_id: 'INV-7', amount: 2 ** 53 }, /beyond 2\^53-1/],
])('%s is a fault', (_, args, expected) => {
  expect(invoice.faultOf(exact(args))).toMatch(expected)
})

test('a big integer from the wire is exact, so it is no fault', () => {
  expect(invoice.faultOf(wire('{"invoice_id":"INV-7","amount":9007199254740993}'))).toBeUndefined()
})

test.each([
  ['beside the property', { invoice_id: 'INV-7', Invoice_ID: 'INV-8' }, '/arguments/Invoice_ID'],
  ['in place of an optional one', { invoice_id: 'INV-7', AMOUNT: 1 }, '/arguments/AMOUNT'],
])('a property that differs in letter case only is a fault %s', (_, args, pointer) => {
  expect(invoice.faultOf(exact(args))).toBe(`"${pointer}" is not known to this tool; did you mean "${pointer.includes('AMOUNT') ? 'amount' : 'invoice_id'}"?`)
})

test('a name that another case turns into one of the schema is found, also where only one direction has a case', () => {
  expect(objectSchema({ kind: {} }).faultOf(exact({ '\u212aind': 1 }))).toContain('did you mean "kind"?')
  expect(objectSchema({ list: {} }).faultOf(exact({ 'li\u017ft': 1 }))).toContain('did you mean "list"?')
})

test('two properties of the schema that differ in case are both known', () => {
  expect(objectSchema({ id: {}, ID: {} }).faultOf(exact({ id: 1, ID: 2 }))).toBeUndefined()
})

test.each([
  ['a nested object', { type: 'object', properties: { to: { properties: { email: {} } } } }, { to: { Email: 1 } }, '/arguments/to/Email'],
  ['a reference', { $defs: { to: { properties: { email: {} } } }, properties: { to: { $ref: '#/$defs/to' } } }, { to: { eMail: 1 } }, '/arguments/to/eMail'],
  ['a branch of a union', { properties: { to: { anyOf: [{ type: 'string' }, { properties: { email: {} } }] } } }, { to: { EMAIL: 1 } }, '/arguments/to/EMAIL'],
  ['an item', { properties: { all: { type: 'array', items: { properties: { id: {} } } } } }, { all: [{ id: 1 }, { ID: 1 }] }, '/arguments/all/1/ID'],
  ['a place of a tuple', { properties: { all: { prefixItems: [{}, { properties: { id: {} } }] } } }, { all: [1, { Id: 1 }] }, '/arguments/all/1/Id'],
  ['a condition', { if: { properties: { id: {} } } }, { Id: 1 }, '/arguments/Id'],
  ['all other properties', { additionalProperties: { properties: { id: {} } } }, { a: { id: 1, Id: 1 } }, '/arguments/a/Id'],
  ['properties by pattern', { patternProperties: { '^a': { properties: { id: {} } } } }, { ab: { ID: 1 } }, '/arguments/ab/ID'],
  ['a property by name and pattern', { properties: { ab: {} }, patternProperties: { '^a': { properties: { id: {} } } } }, { ab: { ID: 1 } }, '/arguments/ab/ID'],
  ['what a list must contain', { properties: { all: { contains: { properties: { id: {} } } } } }, { all: [{ Id: 1 }] }, '/arguments/all/0/Id'],
  ['what comes with another property', { dependentSchemas: { a: { properties: { id: {} } } } }, { Id: 1 }, '/arguments/Id'],
  ['what draft-07 passes over beside a reference, and a server may not', { $schema: 'http://json-schema.org/draft-07/schema#', $defs: { any: {} }, properties: { a: { $ref: '#/$defs/any', properties: { id: {} } } } }, { a: { Id: 1 } }, '/arguments/a/Id'],
  ['names that are only asked for', { required: ['id'] }, { id: 1, Id: 2 }, '/arguments/Id'],
  ['the first of very many branches', { anyOf: [{ properties: { id: {} } }, ...Array.from({ length: 5_000 }, (_, at) => ({ properties: { [`p${at}`]: {} } }))] }, { Id: 1 }, '/arguments/Id'],
])('letter case counts within %s', (_, schema, args, pointer) => {
  expect(schemaOf(schema).faultOf(exact(args))).toContain(`"${pointer}"`)
})

test('where there is more to look at than can be, the names are not vouched for', () => {
  const wide = { properties: Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`p${at}`, { $ref: '#/$defs/many' }])), $defs: { many: { anyOf: Array.from({ length: 300 }, () => ({})) } } }
  const args = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`p${at}`, {}]))
  expect(schemaOf(wide).faultOf(exact({ p0: {} }))).toBeUndefined()
  expect(schemaOf(wide).faultOf(exact(args))).toContain('could not be checked')
})

test('a long list is looked at, item by item', () => {
  const schema = objectSchema({ all: { type: 'array', items: { anyOf: Array.from({ length: 50 }, (_, at) => ({ properties: { [`p${at}`]: {} } })) } } })
  const all = Array.from({ length: 20_000 }, () => ({ p1: 1 }))
  expect(schema.faultOf(exact({ all }))).toBeUndefined()
  expect(schema.faultOf(exact({ all: [...all, { P1: 1 }] }))).toContain('"/arguments/all/20000/P1"')
})

test('what the schema does not describe may be named as it likes', () => {
  const schema = objectSchema({ path: { type: 'string' }, env: { type: 'object', additionalProperties: { type: 'string' } } })
  expect(schema.faultOf(exact({ path: 'a', env: { PATH: 'b', Path: 'c' } }))).toBeUndefined()
})

test('names of the prototype are names', () => {
  expect(objectSchema({ id: {} }).faultOf(wire('{"__proto__":{"ID":1},"constructor":1,"id":2}'))).toBeUndefined()
})

test('a schema that does not compile vouches for nothing', () => {
  expect(schemaOf({ $ref: 'http://example.com/x' }).faultOf(exact({}))).toContain('does not compile')
})
