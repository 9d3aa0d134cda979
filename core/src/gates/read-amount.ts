import { WireNumber } from '../model/wire-number.ts'
import { parseDecimal } from './decimal-sum.ts'

/** What a sum adds, as the text of a JSON number; undefined for what is no finite number, or a negative one. */
export function readAmount(value: unknown): string | undefined {
  const text = textOf(value)
  const decimal = text === undefined ? undefined : parseDecimal(text)
  return decimal === undefined || decimal.digits < 0n ? undefined : text
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  return WireNumber.isWireNumber(value) ? value.text : undefined
}
