import { formatPointer } from '@callgate/core'
import type { JsonObject, JsonValue } from '@callgate/core'
import { isJsonObject } from './json-shape.ts'

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
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) found.push(pointerOf(place))
    if (!Array.isArray(value) && !isJsonObject(value)) continue
    const entries: readonly (readonly [string, JsonValue])[] = Object.entries(value)
    for (const [key, child] of entries.toReversed()) waiting.push({ value: child, key, parent: place })
  }
  return found
}

function pointerOf(place: Place): string {
  const keys: string[] = []
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) keys.push(at.key)
  return formatPointer(keys.reverse())
}
