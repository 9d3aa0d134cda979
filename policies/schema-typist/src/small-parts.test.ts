import { Candidate, WireNumber } from '@callgate/core'
import type { JsonObject } from '@callgate/core'
import { expect, test } from 'vitest'
import { LruCache } from './lru-cache.ts'
import { nearestName } from './faults/nearest-name.ts'
import { cutPointer, cutText, showPointer, showValue } from './faults/show-value.ts'
import { unsafeNumbers } from './schema/unsafe-numbers.ts'
import { isOrdinary, toValidatorValue } from './schema/validator-value.ts'

test('the cache keeps what was used last, and never more than its bound', () => {
  const cache = new LruCache<string, number>(2)
  let made = 0
  const get = (key: string): number => cache.get(key, () => (made += 1))
  expect([get('a'), get('b'), get('a'), get('c'), get('a'), get('b')]).toEqual([1, 2, 1, 3, 1, 4])
  expect(cache.size).toBe(2)
})

test('what is used again and again counts as one use', () => {
  const cache = new LruCache<string, string>(2)
  for (const key of ['a', 'b', 'a', 'a', 'c']) cache.get(key, () => key)
  const made: string[] = []
  for (const key of ['c', 'a', 'b']) cache.get(key, () => { made.push(key); return key })
  expect(made).toEqual(['b'])
})

test.each<readonly [string, readonly string[], string | undefined]>([
  ['pth', ['path', 'tail'], 'path'], ['file_path', ['filePath'], 'filePath'], ['Limit', ['limit'], 'limit'], ['max-results', ['maxResults', 'max'], 'maxResults'],
  ['xyz', ['path'], undefined], ['path', ['path'], undefined], ['a', ['b'], undefined], ['a', ['bcd'], undefined], ['ab', ['ac'], undefined], ['abc', ['ab'], undefined], ['id', ['ID'], 'ID'], ['_a', ['A'], 'A'], ['abc', ['abd'], 'abd'],
  ['', ['a'], undefined], ['', ['-'], undefined], ['_', ['a', '-'], undefined], ['path', [], undefined],
  ['x'.repeat(65), ['x'.repeat(64)], undefined], ['x'.repeat(64), ['x'.repeat(65)], undefined],
  ['path', [...Array.from({ length: 500 }, (_, at) => `unlike${at}`), 'paths'], undefined],
])('of %s, the nearest of the known names is found', (name, known, nearest) => {
  expect(nearestName(name, known)).toBe(nearest)
})

test.each<readonly [Parameters<typeof showValue>[0], string]>([
  [undefined, 'nothing'], [null, 'null'], [7, '7'], [2n ** 60n, '1152921504606846976'], [true, 'true'], ['a"\n', String.raw`"a\"\n"`], ['\u202e', String.raw`"\u{202e}"`], [[], 'an array'], [{}, 'an object'],
  [new WireNumber('1.00000000000000000001', 1), '1.00000000000000000001'], ['x'.repeat(41), `"${'x'.repeat(40)}…"`], [10n ** 50n, `1${'0'.repeat(39)}…`],
])('%o is shown as %s', (value, shown) => {
  expect(showValue(value)).toBe(shown)
})

test('a pointer is cut to 200 characters, never inside an escape, and hides nothing where it is shown', () => {
  const long = `/${'x'.repeat(198)}~1y`
  expect([cutPointer('/a~1b'), cutPointer(long), showPointer('/a\u202eb\u0085')]).toEqual(['/a~1b', `/${'x'.repeat(198)}…`, String.raw`/a\u{202e}b\u{85}`])
})

test('a text is cut between characters, never inside one', () => {
  const faces = '\u{1f600}'.repeat(5)
  expect([cutText(faces, 5), cutText(faces, 4), cutText('abc', 3), cutText('abcd', 3)]).toEqual([faces, `${'\u{1f600}'.repeat(4)}…`, 'abc', 'abc…'])
})

test('integers beyond the safe range are found wherever they stand, but only those handed in as numbers', () => {
  const args = { ok: 2 ** 53 - 1, a: 2 ** 53, b: [1, { 'c/d': -(2 ** 53) }], big: 2n ** 60n, fraction: 1.5, text: '9007199254740993', last: 1e300 }
  expect(unsafeNumbers(args, 9)).toEqual(['/arguments/a', '/arguments/b/1/c~1d', '/arguments/last'])
  expect(unsafeNumbers(args, 2)).toEqual(['/arguments/a', '/arguments/b/1/c~1d'])
})

test('a number that kept its text, and a bigint, are exact however large they are', () => {
  const sent = Candidate.ofWire('{"a":98765432101234567.5,"b":[123456789012345678e-1],"c":9007199254740993}').fields['arguments'] as JsonObject
  expect(unsafeNumbers(sent, 9)).toEqual([])
})

test('a validator reads doubles, in a copy in which no key reaches a prototype', () => {
  const args = { big: 2n ** 60n, huge: -(10n ** 400n), wire: new WireNumber('0.10000000000000000001', 0.1), list: [null, 'x', true], ['__proto__']: { a: 1 } }
  const value = toValidatorValue(args) as Record<string, unknown>
  expect(value).toEqual({ big: 2 ** 60, huge: -Number.MAX_VALUE, wire: 0.1, list: [null, 'x', true], ['__proto__']: { a: 1 } })
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect(Object.keys(value)).toContain('__proto__')
})

test.each<readonly [string, Parameters<typeof isOrdinary>[0], boolean]>([
  ['texts, booleans, null and safe numbers', { a: ['x', true, null, 2 ** 53 - 1, -1.5, 5e-324], b: {} }, true],
  ['an integer beyond the safe range', { a: [{ b: 2 ** 53 }] }, false],
  ['a bigint', { a: [2n ** 60n] }, false],
  ['a WireNumber', { a: { b: new WireNumber('1.00000000000000000001', 1) } }, false],
])('whether every number is known and read as it is: %s', (_, value, expected) => {
  expect(isOrdinary(value)).toBe(expected)
})
