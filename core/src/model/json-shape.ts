import type { JsonArray, JsonObject, JsonValue } from './json-value.ts'
import { WireNumber } from './wire-number.ts'

/** True for an exact array. */
export function isArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value)
}

/** True for an exact object; a WireNumber is a number and no object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !WireNumber.isWireNumber(value)
}

/** True for a string that holds no lone surrogate. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}
