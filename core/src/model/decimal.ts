/** How a JSON number is held exactly: as a number, a bigint, its own text beside its double, or not at all (no double). */
export type DecimalReading =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'bigint'; readonly value: bigint }
  | { readonly kind: 'text'; readonly value: number }
  | { readonly kind: 'none' }

type Decimal = { readonly isNegative: boolean; readonly digits: string; readonly exponent: number }

const JSON_NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/
const PLAIN_INTEGER = /^-?[0-9]+$/

/**
 * Reads one JSON number by its decimal value (contract 2): an integer inside the safe range is a number, outside it a bigint;
 * a fraction is a number where its double prints the same value back. Else, and for negative zero, the text is kept.
 * `1e400` has no double and no reading; undefined for what is no JSON number.
 */
export function readDecimal(text: string): DecimalReading | undefined {
  const decimal = decimalOf(text)
  if (decimal === undefined) return undefined
  const double = Number(text)
  if (decimal.digits === '') return decimal.isNegative ? { kind: 'text', value: double } : { kind: 'number', value: 0 }
  if (decimal.exponent >= 0) return readInteger(text, decimal, double)
  if (!Number.isFinite(double)) return { kind: 'none' }
  return { kind: isPrintedBack(decimal, double) ? 'number' : 'text', value: double }
}

function readInteger(text: string, decimal: Decimal, double: number): DecimalReading {
  if (Number.isSafeInteger(double)) return { kind: 'number', value: double }
  if (PLAIN_INTEGER.test(text)) return { kind: 'bigint', value: BigInt(text) }
  // A finite double keeps the exponent below 309: `1e999999999` must not become a bigint of as many digits.
  if (!Number.isFinite(double)) return { kind: 'none' }
  const magnitude = BigInt(decimal.digits) * 10n ** BigInt(decimal.exponent)
  return { kind: 'bigint', value: decimal.isNegative ? -magnitude : magnitude }
}

function isPrintedBack(decimal: Decimal, double: number): boolean {
  const printed = decimalOf(String(double))
  return printed?.digits === decimal.digits && printed.exponent === decimal.exponent
}

/** Digits without zeroes at either end, and the power of ten that they are multiplied by; no digits for zero. */
function decimalOf(text: string): Decimal | undefined {
  const match = JSON_NUMBER.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const all = whole + fraction
  let start = 0
  while (all[start] === '0') start += 1
  let end = all.length
  while (end > start && all[end - 1] === '0') end -= 1
  return {
    isNegative: sign === '-',
    digits: all.slice(start, end),
    exponent: Number(exponent) - fraction.length + (all.length - end),
  }
}
