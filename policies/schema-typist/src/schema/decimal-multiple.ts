/** A number as a whole count of a power of ten, as it is printed. */
type Decimal = { readonly digits: bigint; readonly exponent: number }

/** Whether a finite number is a whole multiple of another, by the decimals that both print (contract 8); nothing is one of zero. */
export type MultipleTest = (value: number) => boolean

/** A test for multiples of `divisor`. Exact: no quotient is rounded; a double's exponents bound the digits that are compared. */
export function createMultipleTest(divisor: number): MultipleTest {
  if (!Number.isFinite(divisor) || divisor === 0) return () => false
  const unit = decimalOf(divisor)
  return (value) => {
    // The remainder of safe integers is exact.
    if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
    if (!Number.isFinite(value)) return false
    const sent = decimalOf(value)
    const exponent = Math.min(sent.exponent, unit.exponent)
    return scaled(sent, exponent) % scaled(unit, exponent) === 0n
  }
}

function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to)
}
