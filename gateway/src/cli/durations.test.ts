import { expect, test } from 'vitest'
import { momentText, spanText } from './durations.ts'

test.each([
  [0, '0s'],
  [999, '0s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [599_999, '9m'],
  [3_600_000, '1h'],
  [172_800_000, '2d'],
])('%i ms is %s', (ms, text) => {
  expect(spanText(ms)).toBe(text)
})

test('a moment is written in UTC to the second', () => {
  expect(momentText(1_764_547_200_999)).toBe('2025-12-01 00:00:00Z')
})
