import { formatPointer, WireNumber } from '@callgate/core'
import type { JsonObject, JsonValue } from '@callgate/core'

type Place = { readonly value: JsonValue; readonly key: string; readonly parent: Place | undefined }

/**
 * Where integers beyond 2^53-1 stand that were handed in as numbers: nobody can tell what was sent (contract 2). A bigint or a
 * WireNumber is exact. Pointers begin at `/arguments`; at most `limit` of them.
 */
export function unsafeNumbers(args: JsonObject, limit: number): readonly string[] {
  const found: string[] = []
  const waiting: Place[] = [{ value: args, key: 'arguments', parent: undefined }]
  for (let place = waiting.pop(); place !== undefined && found.length < limit; place = waiting.pop()) {
    const { value } = place
    if (isUnsafe(value)) found.push(pointerOf(place))
    if (typeof value !== 'object' || value === null || WireNumber.isWireNumber(value)) continue
    const keys = Object.keys(value)
    for (let at = keys.length - 1; at >= 0; at -= 1) {
      const key = keys[at] as string
      const child = (value as JsonObject)[key] as JsonValue
      if (isUnsafe(child) || (typeof child === 'object' && child !== null)) waiting.push({ value: child, key, parent: place })
    }
  }
  return found
}

function isUnsafe(value: JsonValue): boolean {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
}

function pointerOf(place: Place): string {
  const keys: string[] = []
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) keys.push(at.key)
  return formatPointer(keys.reverse())
}
