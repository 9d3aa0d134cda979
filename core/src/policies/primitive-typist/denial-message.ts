import { WireNumber } from '../../model/wire-number.ts'
import type { PrimitiveReason } from './judge-primitive.ts'
import type { PrimitiveSchema } from './primitive-schema.ts'

const SHOWN_CHARACTERS = 40

const WHY: Readonly<Record<PrimitiveReason, string>> = {
  over_budget: 'it is longer than 1,024 bytes',
  empty: 'it is empty',
  whitespace: 'it has white space around the digits',
  non_ascii_digit: 'its digits are not 0 to 9',
  plus_sign: 'it has a plus sign',
  separator: 'it has separators between the digits',
  exponent: 'it has an exponent',
  fraction: 'it has a fraction',
  negative_zero: 'zero has no sign',
  leading_zero: 'it has a leading zero',
  not_an_integer: 'it is no integer',
  out_of_range: 'it is out of range',
  unsafe_integer: 'numbers beyond 2^53-1 lose digits on the way',
  boolean: 'it is a boolean',
  null: 'it is null',
  not_a_boolean: 'it is no boolean',
  boolean_cast_disabled: 'it is text',
}

/** What the model reads when its argument is refused: what was wanted, what was sent, why not, and how to write it; bounded. */
export function denialMessage(schema: PrimitiveSchema, argument: unknown, reason: PrimitiveReason): string {
  const { wanted, example } = schema.expected === 'integer'
    ? { wanted: `an integer from ${schema.minimum} to ${schema.maximum}`, example: `${schema.minimum}` }
    : { wanted: 'a boolean', example: 'true' }
  return `The argument must be ${wanted}, and ${shown(argument)} is not admitted: ${WHY[reason]}. Write it without quotes, for example ${example}.`
}

function shown(value: unknown): string {
  if (WireNumber.isWireNumber(value)) return cut(value.text)
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  return typeof value === 'string' ? JSON.stringify(cut(value)) : cut(String(value))
}

function cut(text: string): string {
  const characters = Array.from(text.slice(0, 2 * SHOWN_CHARACTERS + 2))
  return characters.length > SHOWN_CHARACTERS ? `${characters.slice(0, SHOWN_CHARACTERS).join('')}…` : text
}
