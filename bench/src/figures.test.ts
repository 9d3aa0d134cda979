import { expect, test } from 'vitest'
import { median, quantile } from './figures.ts'

test('a quantile is a value that was measured, by the nearest rank', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => i + 1)
  expect(quantile(hundred, 0.5)).toBe(50)
  expect(quantile(hundred, 0.99)).toBe(99)
  expect(quantile([3], 0.99)).toBe(3)
  expect(quantile([], 0.5)).toBeNaN()
})

test('a median does not care for order, and leaves out what could not be measured', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([9, Number.NaN, 1, Number.POSITIVE_INFINITY, 5])).toBe(5)
  expect(median([10, 9, 100])).toBe(10)
  expect(median([])).toBeNaN()
})
