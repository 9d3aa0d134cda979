import { expect, test } from 'vitest'
import { WireNumber } from '../../model/wire-number.ts'
import { denialMessage } from './denial-message.ts'
import type { PrimitiveReason } from './judge-primitive.ts'
import { PrimitiveSchema } from './primitive-schema.ts'

const count = PrimitiveSchema.create({ schemaId: 'tool.count', version: '1', expected: 'integer', minimum: -5, maximum: 100 })
const flag = PrimitiveSchema.create({ schemaId: 'tool.flag', version: '1', expected: 'boolean' })

test('it says what was wanted, what was sent, why not, and how to write it', () => {
  expect(denialMessage(count, '+7', 'plus_sign')).toBe(
    'The argument must be an integer from -5 to 100, and "+7" is not admitted: it has a plus sign. Write it without quotes, for example -5.',
  )
  expect(denialMessage(flag, 'yes', 'not_a_boolean')).toBe(
    'The argument must be a boolean, and "yes" is not admitted: it is no boolean. Write it without quotes, for example true.',
  )
})

test.each<readonly [PrimitiveReason, string]>([
  ['over_budget', 'it is longer than 1,024 bytes'],
  ['empty', 'it is empty'],
  ['whitespace', 'it has white space around the digits'],
  ['non_ascii_digit', 'its digits are not 0 to 9'],
  ['plus_sign', 'it has a plus sign'],
  ['separator', 'it has separators between the digits'],
  ['exponent', 'it has an exponent'],
  ['fraction', 'it has a fraction'],
  ['negative_zero', 'zero has no sign'],
  ['leading_zero', 'it has a leading zero'],
  ['not_an_integer', 'it is no integer'],
  ['out_of_range', 'it is out of range'],
  ['unsafe_integer', 'numbers beyond 2^53-1 lose digits on the way'],
  ['boolean', 'it is a boolean'],
  ['null', 'it is null'],
  ['not_a_boolean', 'it is no boolean'],
  ['boolean_cast_disabled', 'it is text'],
])('%s is said as: %s', (reason, words) => {
  expect(denialMessage(count, 1, reason)).toContain(`is not admitted: ${words}. Write it`)
})

test.each<readonly [unknown, string]>([
  [7, '7'], [1.5, '1.5'], [2n ** 60n, '1152921504606846976'], [true, 'true'], [null, 'null'], [[], 'an array'], [{}, 'an object'], ['a"b\n', String.raw`"a\"b\n"`],
  [new WireNumber('1.00000000000000000001', 1), '1.00000000000000000001'],
  ['x'.repeat(40), `"${'x'.repeat(40)}"`], ['x'.repeat(41), `"${'x'.repeat(40)}…"`], ['x'.repeat(5000), `"${'x'.repeat(40)}…"`],
  ['\u{1f600}'.repeat(40), `"${'\u{1f600}'.repeat(40)}"`], ['\u{1f600}'.repeat(41), `"${'\u{1f600}'.repeat(40)}…"`],
  [10n ** 60n, `1${'0'.repeat(39)}…`],
])('%o is shown as %s', (value, shown) => {
  expect(denialMessage(count, value, 'not_an_integer')).toContain(`, and ${shown} is not admitted`)
})
