import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Candidate } from './candidate.ts'
import { canonicalJson } from './canonical.ts'
import { exactCopy } from './exact-copy.ts'
import { containersIn, exactValues } from './exact-values.fixture.ts'
import { parseWire } from './parse-wire.ts'
import { WireNumber } from './wire-number.ts'

function inexact(message: string): unknown {
  return expect.objectContaining({ code: 'inexact_candidate', message: expect.stringContaining(message) as unknown })
}

test('every exact value is read back from its canonical text, frozen', () => {
  fc.assert(fc.property(exactValues, (value) => {
    const read = parseWire(canonicalJson(exactCopy(value)), '')
    expect(asNumbers(read)).toEqual(asNumbers(value))
    for (const container of containersIn(read)) expect(Object.isFrozen(container)).toBe(true)
  }))
})

test('every JSON value is read as JSON.parse reads it', () => {
  const values = fc.jsonValue({ noUnicodeString: false }).filter((value) => !/\\ud[89a-f]/i.test(JSON.stringify(value)))
  fc.assert(fc.property(values, fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
    const text = JSON.stringify(value, null, indent)
    expect(asNumbers(parseWire(text, ''))).toEqual(JSON.parse(text))
  }), { numRuns: 500 })
})

/** Bigints and WireNumbers as the doubles that JSON.parse makes of them. */
function asNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof WireNumber) return value.value
  if (Array.isArray(value)) return value.map(asNumbers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, asNumbers(member)]))
}

test('an integer from the wire is never rounded', () => {
  expect(Candidate.ofWire('{"id":9007199254740993}').fields).toEqual({ arguments: { id: 9007199254740993n } })
})

test('a number that its double does not print back keeps its text', () => {
  const { fields } = Candidate.ofWire('{"a":1.00000000000000000001,"b":1.0,"c":-0}')
  expect(fields).toEqual({ arguments: { a: new WireNumber('1.00000000000000000001', 1), b: 1, c: new WireNumber('-0', -0) } })
})

test.each([
  ['{"a":1e400}', '/arguments/a is 1e400, which no double comes near'],
  ['{"a":{"b":1,"b":2}}', '/arguments/a/b is there twice'],
  ['{"b":1,"\\u0062":2}', '/arguments/b is there twice'],
  ['{"__proto__":1,"__proto__":2}', '/arguments/__proto__ is there twice'],
  ['{"a":["\\ud800"]}', '/arguments/a/0 holds a lone surrogate'],
  ['{"\\udc00":1}', 'has a lone surrogate in its name'],
  ['{"a":[1,2,{"b":tru}]}', '/arguments/a/2/b: Not JSON: unknown literal at offset 15.'],
  ['{"a":1}x', '/arguments: Not JSON: unexpected text after the value at offset 7.'],
  ['{"a":1', "Not JSON: expected ',' or '}' at offset 6."],
  ['{"a" 1}', "Not JSON: expected ':' at offset 5."],
  ['{a:1}', 'Not JSON: expected a string at offset 1.'],
  ['{"a":1,}', 'Not JSON: expected a string at offset 7.'],
  ['{"a":[1,]}', 'Not JSON: expected a value at offset 8.'],
  ['{"a":[1}', "Not JSON: expected ',' or ']' at offset 7."],
  ['', 'Not JSON: the text ends too soon at offset 0.'],
  ['\ufeff{}', 'Not JSON: expected a value at offset 0.'],
  ['[]', '/arguments is an array'], ['null', '/arguments is null'], ['"{}"', '/arguments is a string'], ['-0', '/arguments is a'],
])('%j is inexact', (text, message) => {
  expect(() => Candidate.ofWire(text)).toThrow(inexact(message))
})

test('the cause of a syntax error is the error of the scanner', () => {
  expect(() => Candidate.ofWire('{')).toThrow(expect.objectContaining({ cause: expect.objectContaining({ code: 'invalid_json' }) as unknown }))
})

test('what is no text is inexact', () => {
  expect(() => Candidate.ofWire(undefined as unknown as string)).toThrow(inexact('/arguments is no JSON text'))
})

test('a key __proto__ from the wire is data', () => {
  const args = Candidate.ofWire('{"__proto__":{"polluted":true}}').fields['arguments'] as Record<string, unknown>
  expect(Object.hasOwn(args, '__proto__')).toBe(true)
  expect(args['polluted']).toBeUndefined()
})

test('a million levels cost no stack, and a path so deep is shown cut', () => {
  const levels = 1_000_000
  expect(() => parseWire(`${'['.repeat(levels)}${']'.repeat(levels)}`, '')).not.toThrow()
  expect(() => parseWire('['.repeat(levels), '')).toThrow(expect.objectContaining({ message: expect.stringMatching(/^.{1,300}$/) as unknown }))
})

test('small texts of huge integers are refused once they would spell out to too much', () => {
  const text = `[${Array.from({ length: 250_000 }, () => '1e308').join()}]`
  expect(() => parseWire(text, '')).toThrow(inexact('/212326 spells out'))
})
