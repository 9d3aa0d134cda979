import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDecimals, decimalText, isGreater, parseDecimal } from './decimal-sum.ts'
import type { ExactDecimal } from './decimal-sum.ts'

const read = (text: string): ExactDecimal => {
  const decimal = parseDecimal(text)
  if (decimal === undefined) throw new Error(text)
  return decimal
}

test.each([
  ['0', '0'],
  ['-0', '0'],
  ['7', '7'],
  ['-7.50', '-7.50'],
  ['0.1', '0.1'],
  ['-0.001', '-0.001'],
  ['1e3', '1000'],
  ['1.25e1', '12.5'],
  ['1.25e2', '125'],
  ['1E-2', '0.01'],
  ['12e-1', '1.2'],
  ['1e+21', '1000000000000000000000'],
  ['9007199254740993', '9007199254740993'],
])('%s is read as %s', (text, printed) => {
  expect(decimalText(read(text))).toBe(printed)
  expect(read(printed)).toEqual(read(text))
})

test.each(['', ' 1', '1 ', '01', '+1', '1.', '.5', '0x1', '1e', 'NaN', 'Infinity', '1_0', '1,5', '1e401', '1e-401', '1e-999999999', `0.${'0'.repeat(400)}1`])(
  '%j is no amount', (text) => {
    expect(parseDecimal(text)).toBeUndefined()
  })

test('every double is read exactly as it is printed', () => {
  fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => Number(decimalText(read(String(value)))) === (Object.is(value, -0) ? 0 : value)))
  expect(decimalText(read('1e400'))).toHaveLength(401)
  expect(decimalText(read('1e-400'))).toHaveLength(402)
})

test('sums are exact where doubles are not', () => {
  expect(decimalText(addDecimals(read('0.1'), read('0.2')))).toBe('0.3')
  expect(decimalText(addDecimals(read('9007199254740993'), read('0.5')))).toBe('9007199254740993.5')
  expect(decimalText(addDecimals(read('2'), read('-2.25')))).toBe('-0.25')
})

test('a sum is compared by its value, whatever its places', () => {
  expect(isGreater(read('0.3'), read('0.30'))).toBe(false)
  expect(isGreater(read('0.31'), read('0.3'))).toBe(true)
  expect(isGreater(read('0.3'), read('0.31'))).toBe(false)
  expect(isGreater(read('10'), read('9.99'))).toBe(true)
  expect(isGreater(read('-1'), read('0'))).toBe(false)
})
