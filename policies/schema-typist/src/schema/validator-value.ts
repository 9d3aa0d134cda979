import { WireNumber } from '@callgate/core'
import type { JsonArray, JsonObject, JsonValue } from '@callgate/core'

/**
 * What a validator reads: a bigint or WireNumber becomes its double (contract 2), the largest finite one where it has none.
 * What holds none of them is the very value that was given; a copy keeps a key `__proto__` as data. Recurses: call it on
 * values of bounded depth only.
 */
export function toValidatorValue(value: JsonValue): unknown {
  return isPlain(value) ? value : copyOf(value)
}

/**
 * True where a validator reads the value as it is and every number in it is known: no bigint, no WireNumber, no integer beyond
 * the safe range. Recurses as `toValidatorValue` does.
 */
export function isOrdinary(value: JsonValue): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value)
  return typeof value === 'object' && value !== null ? isPlainContainer(value, isOrdinary) : typeof value !== 'bigint'
}

function isPlain(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null ? isPlainContainer(value, isPlain) : typeof value !== 'bigint'
}

function isPlainContainer(value: WireNumber | JsonArray | JsonObject, isPlainChild: (child: JsonValue) => boolean): boolean {
  if (WireNumber.isWireNumber(value)) return false
  if (Array.isArray(value)) return value.every(isPlainChild)
  for (const key of Object.keys(value)) if (!isPlainChild((value as JsonObject)[key] as JsonValue)) return false
  return true
}

function copyOf(value: JsonValue): unknown {
  if (typeof value === 'bigint') return finite(Number(value))
  if (typeof value !== 'object' || value === null) return value
  if (WireNumber.isWireNumber(value)) return finite(value.value)
  if (Array.isArray(value)) return value.map((item: JsonValue) => copyOf(item))
  // `fromEntries` defines own properties, so that no key reaches a prototype.
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, copyOf(child)]))
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : Math.sign(value) * Number.MAX_VALUE
}
