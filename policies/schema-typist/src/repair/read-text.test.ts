import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CastType } from '../schema/annotations.ts'
import { createPrimitives, readText } from './read-text.ts'

const primitives = createPrimitives(true)

function said(text: string, type: CastType): string {
  const reading = readText(text, type, primitives)
  return reading.kind === 'value' ? `${reading.code} ${typeof reading.value} ${reading.value}` : reading.code
}

test.each([
  ['7', 'canonical_integer number 7'], ['-7', 'canonical_integer number -7'], ['0', 'canonical_integer number 0'],
  ['9007199254740991', 'canonical_integer number 9007199254740991'], ['9007199254740992', 'out_of_range'], ['-9007199254740992', 'out_of_range'],
  ['7.0', 'fraction'], ['1e3', 'exponent'], [' 7', 'whitespace'], ['+7', 'plus_sign'], ['07', 'leading_zero'], ['-0', 'negative_zero'], ['', 'empty'],
  ['7px', 'not_an_integer'], ['9'.repeat(1025), 'over_budget'],
])('where an integer is wanted, %s is %s', (text, verdict) => {
  expect(said(text, 'integer')).toBe(verdict)
})

test.each([
  ['7', 'canonical_integer number 7'], ['-7', 'canonical_integer number -7'], ['0.25', 'canonical_number number 0.25'], ['-0.5', 'canonical_number number -0.5'],
  ['3.141592653589793', 'canonical_number number 3.141592653589793'], ['0.000001', 'canonical_number number 0.000001'],
  ['2.50', 'type_mismatch'], ['7.0', 'type_mismatch'], ['7.', 'type_mismatch'], ['.5', 'type_mismatch'], ['-.5', 'type_mismatch'], ['-0.0', 'type_mismatch'],
  ['0.0000001', 'type_mismatch'], ['0.1000000000000000055511151231257827', 'type_mismatch'], ['1.5e-7', 'type_mismatch'], ['1e-7', 'exponent'], ['1e3', 'exponent'],
  ['1e21', 'exponent'], ['9007199254740992', 'out_of_range'], ['100000000000000000000', 'out_of_range'], ['9007199254740993', 'out_of_range'],
  ['+0.5', 'type_mismatch'], [' 0.5', 'type_mismatch'], ['0,5', 'separator'], ['00.5', 'type_mismatch'], ['-0', 'negative_zero'], ['07', 'leading_zero'], ['', 'empty'],
  ['Infinity', 'type_mismatch'], ['-Infinity', 'type_mismatch'], ['NaN', 'type_mismatch'], ['0x10', 'type_mismatch'], ['1_0.5', 'type_mismatch'],
  [`0.${'1'.repeat(1024)}`, 'over_budget'],
])('where a number is wanted, %s is %s', (text, verdict) => {
  expect(said(text, 'number')).toBe(verdict)
})

test('booleans are read with the opt-in only', () => {
  expect([said('true', 'boolean'), said('false', 'boolean'), said('True', 'boolean')]).toEqual(['canonical_boolean boolean true', 'canonical_boolean boolean false', 'not_a_boolean'])
  expect(readText('true', 'boolean', createPrimitives(false))).toEqual({ kind: 'refused', code: 'boolean_cast_disabled' })
})

test('for every text, exactly the numbers without exponent that JavaScript prints back are read, within the safe range', () => {
  const text = fc.oneof(
    fc.double().map(String), fc.integer().map(String), fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }).map(String), fc.string({ maxLength: 6 }),
    fc.array(fc.constantFrom(...'0123456789', '0', '.', '-', 'e', '+', ' '), { maxLength: 8 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(text, (sent) => {
      const value = Number(sent)
      const isCanonical = /^-?[0-9.]+$/.test(sent) && Number.isFinite(value) && Math.abs(value) < 2 ** 53 && `${value}` === sent
      expect(readText(sent, 'number', primitives).kind === 'value').toBe(isCanonical)
      if (isCanonical) expect(readText(sent, 'number', primitives)).toMatchObject({ value })
    }),
    { numRuns: 3_000 },
  )
})
