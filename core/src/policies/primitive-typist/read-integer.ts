/** Why a text is no canonical integer, in the order in which reasons are given (contract 7). */
export type IntegerTextReason =
  | 'empty'
  | 'whitespace'
  | 'non_ascii_digit'
  | 'plus_sign'
  | 'separator'
  | 'exponent'
  | 'fraction'
  | 'negative_zero'
  | 'leading_zero'
  | 'not_an_integer'

/** What a text says as an integer: its exact value, a `bigint` outside the safe range, or the one reason why it says none. */
export type IntegerReading =
  | { readonly kind: 'integer'; readonly value: number | bigint }
  | { readonly kind: 'refused'; readonly reason: IntegerTextReason }

const CANONICAL = /^(?:0|-?[1-9][0-9]*)$/
const NUMERAL = /^-?[0-9]+$/
const NEGATIVE_ZERO = /^-0+$/

const FEATURES: readonly { readonly reason: IntegerTextReason; readonly remove: (text: string) => string }[] = [
  { reason: 'whitespace', remove: (text) => text.trim() },
  { reason: 'non_ascii_digit', remove: (text) => text.replaceAll(/\p{Nd}/gu, '0') },
  { reason: 'plus_sign', remove: (text) => text.replace(/^\+/, '') },
  { reason: 'separator', remove: (text) => text.replaceAll(/(?<=[0-9])[,_'\u2019\s](?=[0-9])/g, '') },
  { reason: 'exponent', remove: (text) => text.replace(/[eE][+-]?[0-9]+$/, '') },
  { reason: 'fraction', remove: (text) => text.replace(/\.[0-9]*$/, '') },
]

/** Reads a canonical decimal integer (contract 7) digit by digit, never by `Number`, `parseInt` or a locale. */
export function readInteger(text: string): IntegerReading {
  if (CANONICAL.test(text)) return { kind: 'integer', value: digitsOf(text) }
  return { kind: 'refused', reason: reasonAgainst(text) }
}

/** A reason fits when the text without that feature and the earlier ones is a decimal numeral. */
function reasonAgainst(text: string): IntegerTextReason {
  if (text === '') return 'empty'
  if (NUMERAL.test(text)) return NEGATIVE_ZERO.test(text) ? 'negative_zero' : 'leading_zero'
  let rest = text
  for (const { reason, remove } of FEATURES) {
    rest = remove(rest)
    if (NUMERAL.test(rest)) return reason
  }
  return 'not_an_integer'
}

function digitsOf(text: string): number | bigint {
  const isNegative = text.startsWith('-')
  let magnitude = 0n
  for (let at = isNegative ? 1 : 0; at < text.length; at += 1) magnitude = magnitude * 10n + BigInt(text.charCodeAt(at) - 0x30)
  const isSafe = magnitude <= Number.MAX_SAFE_INTEGER
  const value = isNegative ? -magnitude : magnitude
  return isSafe ? Number(value) : value
}
