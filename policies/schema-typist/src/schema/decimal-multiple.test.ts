import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMultipleTest } from './decimal-multiple.ts'

test.each<readonly [number, number, boolean]>([
  [19.99, 0.01, true],
  [19.995, 0.01, false],
  [1234567890.12, 0.01, true],
  [0.010000001, 0.01, false],
  [50, 86_400_000, false],
  [172_800_000, 86_400_000, true],
  [-86_400_000, 86_400_000, true],
  [0, 7, true],
  [0, 0.01, true],
  [7, -3.5, true],
  [7, -3, false],
  [1e300, 2, true],
  [1e300, 3, false],
  [1e-7, 2, false],
  [1e-7, 1e-8, true],
  [5e-324, 1e308, false],
  [1e308, 5e-324, true],
  [Number.MAX_VALUE, 1e292, true],
  [5, 0, false],
  [0, 0, false],
])('of %d and %d it is known whether the one is a multiple of the other: %s', (value, divisor, isMultiple) => {
  expect(createMultipleTest(divisor)(value)).toBe(isMultiple)
})

test('the multiples of a number of cents, and nothing between them, are multiples', () => {
  const cents = fc.integer({ min: 1, max: 1_000_000 })
  fc.assert(
    fc.property(cents, fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 0, max: 1_000_000 }), (unit, count, beside) => {
      const isMultiple = createMultipleTest(unit / 100)
      const value = unit * count + (beside % unit)
      expect(isMultiple(value / 100)).toBe(beside % unit === 0)
    }),
  )
})
