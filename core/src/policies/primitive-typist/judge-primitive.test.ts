import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WireNumber } from '../../model/wire-number.ts'
import { judgePrimitive } from './judge-primitive.ts'
import { PrimitiveSchema } from './primitive-schema.ts'

const named = { schemaId: 'tool.count', version: '1' }
const boolean = PrimitiveSchema.create({ ...named, expected: 'boolean' })
const lowercase = PrimitiveSchema.create({ ...named, expected: 'boolean', allowLowercaseBoolean: true })
const hundred = within(0, 100)

function within(minimum: number | bigint, maximum: number | bigint): PrimitiveSchema {
  return PrimitiveSchema.create({ ...named, expected: 'integer', minimum, maximum })
}

function said(schema: PrimitiveSchema, value: unknown): string {
  const verdict = judgePrimitive(schema, value)
  if (verdict.kind === 'accept') return 'accept'
  return verdict.kind === 'deny' ? verdict.code : `${verdict.code} ${typeof verdict.value} ${verdict.value}`
}

test.each<readonly [unknown, string]>([
  [0, 'accept'], [7, 'accept'], [100, 'accept'], [-1, 'out_of_range'], [101, 'out_of_range'], [Number.MAX_SAFE_INTEGER, 'out_of_range'],
  [2 ** 53, 'unsafe_integer'], [-(2 ** 53), 'unsafe_integer'], [1e300, 'unsafe_integer'], [2n ** 53n, 'out_of_range'], [-(2n ** 70n), 'out_of_range'],
  [1.5, 'not_an_integer'], [0.1, 'not_an_integer'], [-7.25, 'not_an_integer'], [Number.NaN, 'not_an_integer'], [Number.POSITIVE_INFINITY, 'not_an_integer'],
  [true, 'boolean'], [false, 'boolean'], [null, 'null'], [undefined, 'not_an_integer'], [[], 'not_an_integer'], [[7], 'not_an_integer'],
  [{}, 'not_an_integer'], [new WireNumber('1.00000000000000000001', 1), 'not_an_integer'], [new WireNumber('-0', -0), 'not_an_integer'],
  ['0', 'canonical_integer number 0'], ['7', 'canonical_integer number 7'], ['100', 'canonical_integer number 100'], ['101', 'out_of_range'], ['-1', 'out_of_range'],
  ['9007199254740993', 'out_of_range'], ['', 'empty'], [' 7', 'whitespace'], ['\u0667', 'non_ascii_digit'], ['+7', 'plus_sign'], ['1,0', 'separator'],
  ['1e1', 'exponent'], ['7.0', 'fraction'], ['-0', 'negative_zero'], ['07', 'leading_zero'], ['7px', 'not_an_integer'], ['true', 'not_an_integer'],
])('where an integer from 0 to 100 is wanted, %o gets %s', (value, verdict) => {
  expect(said(hundred, value)).toBe(verdict)
})

test.each<readonly [number | bigint, number | bigint, unknown, string]>([
  [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, '9007199254740991', 'canonical_integer number 9007199254740991'],
  [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, '-9007199254740991', 'canonical_integer number -9007199254740991'],
  [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, '9007199254740992', 'out_of_range'],
  [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, '-9007199254740992', 'out_of_range'],
  [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 'accept'],
  [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 'accept'],
  [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 2n ** 53n, 'out_of_range'],
  [0, 2n ** 53n, '9007199254740992', 'canonical_integer bigint 9007199254740992'],
  [0, 2n ** 53n, '9007199254740993', 'out_of_range'],
  [0, 2n ** 53n, 2n ** 53n, 'accept'],
  [0, 2n ** 53n, 2n ** 53n + 1n, 'out_of_range'],
  [0, 2n ** 53n, 2 ** 53, 'unsafe_integer'],
  [0, 2n ** 53n, 7, 'accept'],
  [0, 2n ** 53n, '7', 'canonical_integer number 7'],
  [-(2n ** 64n), -(2n ** 53n), '-9007199254740992', 'canonical_integer bigint -9007199254740992'],
  [-(2n ** 64n), -(2n ** 53n), '-9007199254740991', 'out_of_range'],
  [-(2n ** 64n), -(2n ** 53n), -(2n ** 64n), 'accept'],
  [-(2n ** 64n), -(2n ** 53n), -(2n ** 64n) - 1n, 'out_of_range'],
  [-5, -5, '-5', 'canonical_integer number -5'],
  [-5, -5, '-4', 'out_of_range'],
  [-5, -5, -6, 'out_of_range'],
])('within %s to %s, %s gets %s', (minimum, maximum, value, verdict) => {
  expect(said(within(minimum, maximum), value)).toBe(verdict)
})

test.each<readonly [unknown, string, string]>([
  [true, 'accept', 'accept'], [false, 'accept', 'accept'],
  ['true', 'boolean_cast_disabled', 'canonical_boolean boolean true'], ['false', 'boolean_cast_disabled', 'canonical_boolean boolean false'],
  ...['True', 'FALSE', 'TRUE', ' true', 'true ', 'yes', 'no', 'on', 't', '1', '0', '', 'null', 0, 1, 1n, null, undefined, [], {}].map(
    (value) => [value, 'not_a_boolean', 'not_a_boolean'] as const,
  ),
])('where a boolean is wanted, %o gets %s, and with the opt-in %s', (value, plain, optedIn) => {
  expect(said(boolean, value)).toBe(plain)
  expect(said(lowercase, value)).toBe(optedIn)
})

test('1,024 bytes of UTF-8 are read, 1,025 are not, for either type and before any other reason', () => {
  const huge = within(0, 10n ** 1100n)
  expect(said(huge, '9'.repeat(1024))).toBe(`canonical_integer bigint ${'9'.repeat(1024)}`)
  expect(said(huge, '9'.repeat(1025))).toBe('over_budget')
  expect(said(hundred, '9'.repeat(1024))).toBe('out_of_range')
  expect(said(hundred, ' '.repeat(1025))).toBe('over_budget')
  expect(said(boolean, 'x'.repeat(1024))).toBe('not_a_boolean')
  expect(said(boolean, 'x'.repeat(1025))).toBe('over_budget')
})

test.each([
  ['one byte', '\u007f', 1], ['two bytes', '\u0080', 2], ['two bytes', '\u07ff', 2], ['three bytes', '\u0800', 3], ['three bytes', '\uffff', 3],
  ['four bytes', '\u{10000}', 4], ['four bytes', '\u{10ffff}', 4],
])('a character of %s counts as that many (%j)', (_, character, bytes) => {
  const fits = Math.floor(1024 / bytes)
  const filled = character.repeat(fits) + 'x'.repeat(1024 - fits * bytes)
  expect(said(hundred, filled)).toBe('not_an_integer')
  expect(said(hundred, `${filled}x`)).toBe('over_budget')
})

test('for every text and bounds, exactly the canonical integers within them are repaired, each to itself', () => {
  const edge = fc.oneof(fc.bigInt({ min: -50n, max: 50n }), fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }))
  const text = fc.oneof(fc.bigInt({ min: -60n, max: 60n }).map(String), fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }).map(String), fc.string({ maxLength: 8 }))
  fc.assert(
    fc.property(edge, edge, text, (one, other, sent) => {
      const [minimum, maximum] = one < other ? [one, other] : [other, one]
      const verdict = judgePrimitive(within(minimum, maximum), sent)
      expect(verdict.kind === 'repair' ? String(verdict.value) : undefined).toBe(oracle(sent, minimum, maximum))
    }),
    { numRuns: 1_500 },
  )
})

/** The text that must come back, by the platform's own reading and printing. */
function oracle(text: string, minimum: bigint, maximum: bigint): string | undefined {
  try {
    const value = BigInt(text)
    return `${value}` === text && minimum <= value && value <= maximum ? text : undefined
  } catch {
    return undefined
  }
}
