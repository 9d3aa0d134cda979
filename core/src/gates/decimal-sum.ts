/** An exact decimal: `digits` divided by ten to the power of `places`. */
export type ExactDecimal = { readonly digits: bigint; readonly places: number }

const JSON_NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/

/** The largest power of ten, either way: a double needs 324, and a text such as 1e-999999999 must not take the memory. */
const LARGEST_POWER = 400

/** Zero. */
export const ZERO: ExactDecimal = { digits: 0n, places: 0 }

/** Reads the text of a JSON number exactly; undefined for any other text, and for a power of ten beyond 400. */
export function parseDecimal(text: string): ExactDecimal | undefined {
  const match = JSON_NUMBER.exec(text)
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const power = Number(exponent) - fraction.length
  if (Math.abs(power) > LARGEST_POWER) return undefined
  const digits = BigInt(sign + whole + fraction)
  return power < 0 ? { digits, places: -power } : { digits: digits * 10n ** BigInt(power), places: 0 }
}

/** The exact sum. */
export function addDecimals(a: ExactDecimal, b: ExactDecimal): ExactDecimal {
  const places = Math.max(a.places, b.places)
  return { digits: scaled(a, places) + scaled(b, places), places }
}

/** True where `a` is greater than `b`. */
export function isGreater(a: ExactDecimal, b: ExactDecimal): boolean {
  const places = Math.max(a.places, b.places)
  return scaled(a, places) > scaled(b, places)
}

/** The text of a JSON number that `parseDecimal` reads as the same decimal. */
export function decimalText({ digits, places }: ExactDecimal): string {
  if (places === 0) return String(digits)
  const sign = digits < 0n ? '-' : ''
  const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0')
  return `${sign}${text.slice(0, -places)}.${text.slice(-places)}`
}

function scaled({ digits, places }: ExactDecimal, to: number): bigint {
  return digits * 10n ** BigInt(to - places)
}
