import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../model/canonical.ts'
import { exactValues } from '../model/exact-values.fixture.ts'
import type { JsonValue } from '../model/json-value.ts'
import { parseWire } from '../model/parse-wire.ts'
import { MOST_KEYS, readKeys, readText } from './read-keys.ts'

test.each<[string, unknown, readonly (string | undefined)[]]>([
  ['a text', 'INV-7', ['"INV-7"']],
  ['an empty text', '', ['""']],
  ['the text null', 'null', ['"null"']],
  ['a number', 7, ['7']],
  ['zero', 0, ['0']],
  ['a negative zero', -0, ['0']],
  ['an integer as a bigint', 7n, ['7']],
  ['the largest safe integer as a bigint', 9007199254740991n, ['9007199254740991']],
  ['an integer outside the safe range', 9007199254740993n, ['9007199254740993']],
  ['true', true, ['true']],
  ['an object', { b: 1n, a: [2n, -0] }, ['{"a":[2,0],"b":1}']],
  ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), ['{"a":1}']],
  ['a list', ['a', 7, '7', false], ['"a"', '7', '"7"', 'false']],
  ['a list of lists', [['a'], []], ['["a"]', '[]']],
  ['an empty list', [], []],
  ['null', null, [undefined]],
  ['undefined', undefined, [undefined]],
  ['a list with missing values', ['a', null, undefined], ['"a"', undefined, undefined]],
  ['a key of JavaScript itself', JSON.parse('{"__proto__":1}'), ['{"__proto__":1}']],
  ['a number that its text says better', parseWire('0.1000', ''), ['0.1']],
  ['a number that only its text says', parseWire('0.10000000000000000001', ''), ['0.10000000000000000001']],
])('%s is read as keys', (_what, value, keys) => {
  expect(readKeys(value)).toEqual({ kind: 'keys', keys })
})

test.each<[string, unknown]>([
  ['a function', () => 'x'],
  ['a symbol', Symbol('x')],
  ['no number', NaN],
  ['a date', new Date(0)],
  ['a boxed text', new String('x')],
  ['half a character', '\ud800'],
  ['half a character in a list', ['a', '\ud800']],
  ['an undefined member', { a: undefined }],
  ['a hole deep down', [[undefined]]],
])('%s is no key', (_what, value) => {
  expect(readKeys(value)).toEqual({ kind: 'problem', why: 'a key is no exact JSON value' })
})

test('a cycle is no key, and neither is what is nested without end', () => {
  const cycle: unknown[] = []
  cycle.push(cycle)
  expect(readKeys([cycle])).toEqual({ kind: 'problem', why: 'a key is no exact JSON value' })
  let deep: unknown = 1
  for (let at = 0; at < 100_000; at += 1) deep = [deep]
  expect(readKeys([deep])).toEqual({ kind: 'problem', why: 'a key is larger than 65536 bytes or deeper than 64 levels' })
})

test('what is shared a thousandfold, or holds itself twice, is read or refused at once', () => {
  let shared: unknown = 1n
  for (let at = 0; at < 40; at += 1) shared = [shared, shared]
  expect(readKeys([shared])).toEqual({ kind: 'problem', why: 'a key is no exact JSON value' })
  const twice: unknown[] = []
  twice.push(twice, twice)
  expect(readKeys([twice])).toEqual({ kind: 'problem', why: 'a key is no exact JSON value' })
  const one = { a: 1n }
  expect(readKeys([[one, one]])).toEqual({ kind: 'keys', keys: ['[{"a":1},{"a":1}]'] })
})

test('ten thousand keys are carried, and one more is too many', () => {
  expect(MOST_KEYS).toBe(10_000)
  expect(readKeys(Array.from({ length: MOST_KEYS }, (_, at) => at))).toMatchObject({ kind: 'keys' })
  expect(readKeys(new Array(MOST_KEYS + 1))).toEqual({ kind: 'problem', why: 'there are 10001 keys, and a mark carries at most 10000' })
})

test.each([
  ['ascii', 'a', 1],
  ['two bytes', 'é', 2],
  ['four bytes', '😀', 4],
  ['what is written as six', '\u0001', 6],
  ['a backslash', '\\', 2],
])('64 KiB of canonical JSON is the most: %s', (_what, letter, bytes) => {
  const most = Math.floor((65_536 - 2) / bytes)
  expect(readText(letter.repeat(most), 'it')).toEqual({ kind: 'text', text: JSON.stringify(letter.repeat(most)) })
  expect(readText(letter.repeat(most + 1), 'it')).toEqual({ kind: 'problem', why: 'it is larger than 65536 bytes or deeper than 64 levels' })
})

test('64 levels are the most', () => {
  const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
  expect(readText(nested(64), 'it')).toMatchObject({ kind: 'text' })
  expect(readText(nested(65), 'it')).toMatchObject({ kind: 'problem' })
})

test('an exact value is read as its canonical JSON', () => {
  fc.assert(fc.property(exactValues, (value) => {
    const read = readText(value, 'it')
    if (read.kind === 'text') expect(read.text).toBe(canonicalJson(value as JsonValue))
  }))
})
