import type { JsonArray, JsonObject, JsonValue } from './json-value.ts'
import { WireNumber } from './wire-number.ts'

/** True for an exact array. */
export function isArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value)
}

/** True for an exact object; a WireNumber is a number and no object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  // The prototype is known at once; what makes a WireNumber genuine is looked for only behind it.
  return Object.getPrototypeOf(value) !== WireNumber.prototype || !WireNumber.isWireNumber(value)
}

/** True for a string that holds no lone surrogate. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed()
}

/** Sets a member of a plain object that is being made: a key `__proto__` stays data and reaches no prototype. */
export function setOwn(object: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  else object[key] = value
}
