import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDecimal } from './decimal.ts'
import { WireNumber } from './wire-number.ts'

const READINGS: readonly (readonly [text: string, kind: string, value?: number | bigint])[] = [
  ['0', 'number', 0], ['7', 'number', 7], ['-7', 'number', -7], ['1.0', 'number', 1], ['1e2', 'number', 100], ['1E+2', 'number', 100],
  ['100e-2', 'number', 1], ['0.1', 'number', 0.1], ['0.10', 'number', 0.1], ['1.5', 'number', 1.5], ['-1.5e-3', 'number', -0.0015],
  ['0.0', 'number', 0], ['0e5', 'number', 0], ['0.0e999', 'number', 0], ['5e-324', 'number', 5e-324], ['1e-7', 'number', 1e-7],
  ['9007199254740991', 'number', 9007199254740991], ['-9007199254740991', 'number', -9007199254740991],
  ['9007199254740992', 'bigint', 9007199254740992n], ['9007199254740993', 'bigint', 9007199254740993n], ['-9007199254740993', 'bigint', -9007199254740993n],
  ['9007199254740993.0', 'bigint', 9007199254740993n], ['1e16', 'bigint', 10n ** 16n], ['-1.25e20', 'bigint', -125n * 10n ** 18n], ['1e308', 'bigint', 10n ** 308n],
  [`1${'0'.repeat(400)}`, 'bigint', 10n ** 400n],
  ['-0', 'text', -0], ['-0.0', 'text', -0], ['-0e7', 'text', -0], ['1.00000000000000000001', 'text', 1], ['0.1000000000000000055511151231257827', 'text', 0.1],
  ['123456789.123456789123', 'text', 123456789.12345679], ['1e-400', 'text', 0], ['-1e-400', 'text', -0], ['2.5e-324', 'text', 5e-324],
  ['1e309', 'none'], ['-1e400', 'none'], ['1e999999999999', 'none'], [`1e${'9'.repeat(400)}`, 'none'], [`${'9'.repeat(400)}.5`, 'none'], [`${'9'.repeat(400)}.0`, 'none'],
]

test.each(READINGS.map(([text, kind, value]) => ({ text, kind, value })))('$text is held as a $kind', ({ text, kind, value }) => {
  const reading = readDecimal(text)
  expect(reading?.kind).toBe(kind)
  if (reading !== undefined && reading.kind !== 'none') expect(Object.is(reading.value, value)).toBe(true)
})

test.each(['', '+1', '01', '-01', '.5', '1.', '1e', '0x1', ' 1', '1 ', '1_0', 'NaN', 'Infinity', '--1', '１', '1\n'])('%j is no JSON number', (text) => {
  expect(readDecimal(text)).toBeUndefined()
})

test('every number is read back from the way it is printed', () => {
  fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
    const reading = readDecimal(JSON.stringify(value))
    if (reading?.kind === 'bigint') expect(Number(reading.value)).toBe(value)
    else expect(reading).toEqual({ kind: 'number', value: value === 0 ? 0 : value })
  }))
})

test('every integer is read exactly, however it is spelled', () => {
  fc.assert(fc.property(fc.bigInt(-(10n ** 40n), 10n ** 40n), fc.nat(5), (drawn, zeroes) => {
    const value = drawn === 0n ? 1n : drawn
    const spellings = [String(value), `${value}.${'0'.repeat(zeroes + 1)}`, `${value}${'0'.repeat(zeroes)}e-${zeroes}`, `${value}e0`]
    for (const text of spellings) {
      const reading = readDecimal(text)
      expect(reading?.kind === 'number' || reading?.kind === 'bigint' ? BigInt(reading.value) : undefined).toBe(value)
    }
  }))
})

test('a fraction is a number exactly where one more digit does not change what its double prints', () => {
  fc.assert(fc.property(fc.bigInt(1n, 10n ** 25n), fc.integer({ min: 1, max: 30 }), (digits, places) => {
    const text = `${digits}e-${places}`
    const reading = readDecimal(text)
    // An oracle in whole numbers: the double, printed with a hundred places, rounded nowhere.
    const printed = readPlain(String(Number(text)))
    const sent = readPlain(text)
    const isInteger = sent % 10n ** 400n === 0n
    expect(reading?.kind === 'text').toBe(!isInteger && printed !== sent)
  }))
})

/** A decimal as a count of 10^-400. */
function readPlain(text: string): bigint {
  const [mantissa = '', exponent = '0'] = text.split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return BigInt(whole + fraction) * 10n ** BigInt(400 + Number(exponent) - fraction.length)
}

test('a WireNumber is frozen and says what its text says', () => {
  const number = new WireNumber('1.00000000000000000001', 1)
  expect(Object.isFrozen(number)).toBe(true)
  expect(WireNumber.isWireNumber(number)).toBe(true)
  expect([number.text, number.value]).toEqual(['1.00000000000000000001', 1])
})

test.each([
  ['-0', 0], ['-0', 1], ['1.5', 1.5], ['7', 7], ['9007199254740993', 9007199254740992], ['1e400', Infinity], ['1, "admin": true', 1], ['', 0],
])('no WireNumber of text %j and value %d can be made', (text, value) => {
  expect(() => new WireNumber(String(text), Number(value))).toThrow(expect.objectContaining({ code: 'inexact_candidate' }))
})

test('what only looks like a WireNumber is none', () => {
  const genuine = new WireNumber('-0', -0)
  const forged = Object.freeze(Object.assign(Object.create(WireNumber.prototype) as object, { text: '-0', value: -0 }))
  for (const value of [forged, new Proxy(genuine, {}), { ...genuine }, null, undefined, '-0', -0]) expect(WireNumber.isWireNumber(value)).toBe(false)
  expect(() => Object.assign(new WireNumber('-0', -0), { text: '1' })).toThrow(TypeError)
  expect(() => new WireNumber(undefined as unknown as string, 0)).toThrow(expect.objectContaining({ code: 'inexact_candidate' }))
})
