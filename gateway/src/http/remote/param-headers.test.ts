import { scanJson } from '@callgate/core/wire'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeHeader, encodeHeader, paramValues, readParamHeaders } from './param-headers.ts'

function values(schema: unknown, args: string): Record<string, string> {
  const headers = readParamHeaders(schema)
  if (typeof headers === 'string') throw new Error(headers)
  return Object.fromEntries(paramValues(headers, args, scanJson(args, 1)).map(([{ header }, value]) => [header, value]))
}
const properties = (type: unknown, name: unknown = 'A'): unknown => ({ properties: { a: { type, 'x-mcp-header': name } } })

test.each([
  ['a string', properties('string'), '{"a":"x\\u00e9"}', { 'Mcp-Param-A': 'xé' }],
  ['a fraction, as servers print it', properties('integer'), '{"a":1.50}', { 'Mcp-Param-A': '1.5' }],
  ['an integer', properties('integer'), '{"a":1e2}', { 'Mcp-Param-A': '100' }],
  ['a boolean', properties('boolean'), '{"a":false}', { 'Mcp-Param-A': 'false' }],
  ['an integer that servers round', properties('integer'), '{"a":9007199254740993}', {}],
  ['a value that is not there', properties('string'), '{}', {}],
  ['null', properties('string'), '{"a":null}', {}],
  ['an object', properties('string'), '{"a":{}}', {}],
  ['a schema that is none', 7, '{"a":"x"}', {}],
  ['a property of that name', { properties: { 'x-mcp-header': { type: 'string' } } }, '{"x-mcp-header":"x"}', {}],
  ['data that looks like one', { properties: { a: { type: 'object', default: { 'x-mcp-header': 1 } } } }, '{"a":{}}', {}],
])('%s', (_, schema, args, expected) => {
  expect(values(schema, args)).toEqual(expected)
})

test.each([
  ['a name that is no token', properties('string', 'a b')],
  ['a name of other letters', properties('string', 'é')],
  ['no name', properties('string', '')],
  ['a name that is no text', properties('string', 7)],
  ['a number', properties('number')],
  ['several types', properties(['string'])],
  ['an object', properties('object')],
  ['two under one name', { properties: { a: { type: 'string', 'x-mcp-header': 'N' }, b: { type: 'string', 'x-mcp-header': 'n' } } }],
  ['the items of a list', { properties: { a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } } }],
  ['a branch', { oneOf: [properties('string')] }],
  ['a definition', { $defs: { d: { type: 'string', 'x-mcp-header': 'A' } } }],
  ['the arguments themselves', { type: 'string', 'x-mcp-header': 'A' }],
])('%s cannot be declared', (_, schema) => {
  expect(readParamHeaders(schema)).toMatch(/x-mcp-header/)
})

test('every text comes back from a header, which is visible ASCII without blanks around it', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', ' a', '=?base64?YQ==?=', 'a\tb', '\r\n')), (text) => {
      fc.pre(text.isWellFormed())
      const value = encodeHeader(text)
      expect(value).toMatch(/^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/)
      expect(decodeHeader(value)).toBe(text)
    }),
  )
})

test.each(['=?base64?YQ=?=', '=?base64?YQ!=?=', '=?base64?/w==?=', '=?base64?YR==?='])('%s is no base64 form of a text', (value) => {
  expect(decodeHeader(value)).toBeUndefined()
})
