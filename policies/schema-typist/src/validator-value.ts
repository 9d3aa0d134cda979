import { WireNumber } from '@callgate/core'
import type { JsonValue } from '@callgate/core'

/**
 * The plain copy that a validator reads: a bigint or WireNumber becomes its double (contract 2), the largest finite one where
 * it has none. A key `__proto__` stays data. Recurses: call it on values of bounded depth only.
 */
export function toValidatorValue(value: JsonValue): unknown {
  if (typeof value === 'bigint') return finite(Number(value))
  if (typeof value !== 'object' || value === null) return value
  if (WireNumber.isWireNumber(value)) return finite(value.value)
  if (Array.isArray(value)) return value.map((item: JsonValue) => toValidatorValue(item))
  // `fromEntries` defines own properties, so that no key reaches a prototype.
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, toValidatorValue(child)]))
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : Math.sign(value) * Number.MAX_VALUE
}
