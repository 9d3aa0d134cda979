import { WireNumber } from '@callgate/core'
import { expect, test } from 'vitest'
import { firstText, readTime } from './read-scalar.ts'

test.each<[unknown, number | undefined]>([
  ['2026-03-01T10:00:00.000Z', 1_772_359_200_000],
  ['1772359200000999999', 1_772_359_200_000],
  [[1_772_359_200, 5e6], 1_772_359_200_005],
  [1_772_359_200_000.5, 1_772_359_200_000],
  [new WireNumber('1772359200000.1234567', Number('1772359200000.1234567')), 1_772_359_200_000],
  [[1_772_359_200, new WireNumber('5000000.0000000000001', 5e6)], 1_772_359_200_005],
  ['soon', undefined],
  ['', undefined],
  [-1, undefined],
  [Number.NaN, undefined],
  [1e300, undefined],
  [[1], undefined],
  [null, undefined],
  [{}, undefined],
])('%j is the time %s', (value, time) => {
  expect(readTime(value)).toBe(time)
})

test('the first text is taken, and nothing that is none', () => {
  expect(firstText(undefined, null, 7, {}, 'a', 'b')).toBe('a')
  expect(firstText(undefined, 7)).toBeUndefined()
})
