import { WireNumber } from '@callgate/core'
import type { JsonObject, JsonValue } from '@callgate/core'

/** True for an exact object; arrays and WireNumbers are none. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !WireNumber.isWireNumber(value)
}

/** The object's own value under `key`, never a prototype's. */
export function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** The value at the tokens of a pointer, or undefined where nothing stands; prototypes are never reached. */
export function valueAt(root: JsonValue, tokens: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = root
  for (const token of tokens) {
    if (Array.isArray(value)) value = (value as readonly JsonValue[])[Number(token)]
    else value = isJsonObject(value) ? ownValue(value, token) : undefined
  }
  return value
}
