import { parsePointer } from '@callgate/core'
import type { JsonObject, JsonValue } from '@callgate/core'
import { isJsonObject, ownValue } from '../json-shape.ts'

const LONGEST_CHAIN = 16

/**
 * The schema and what its local `$ref`s lead to, in order: all of them hold for the value. Empty where a reference is not
 * local, leads nowhere, goes round or further than 16 steps, or passes a nested `$id`: then nothing is known of the value.
 */
export function schemaChain(root: JsonObject, schema: JsonValue | undefined): readonly JsonObject[] {
  const chain: JsonObject[] = []
  let next = schema
  while (isJsonObject(next)) {
    const isForeign = next !== root && ownValue(next, '$id') !== undefined
    if (isForeign || chain.includes(next) || chain.length === LONGEST_CHAIN) return []
    chain.push(next)
    const reference = ownValue(next, '$ref')
    if (reference === undefined) return chain
    next = typeof reference === 'string' ? localTarget(root, reference) : undefined
  }
  return []
}

function localTarget(root: JsonObject, reference: string): JsonValue | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined
  const tokens = parsePointer(decoded(reference.slice(1)) ?? '#')
  if (tokens === undefined) return undefined
  let target: JsonValue | undefined = root
  for (const token of tokens) {
    if (Array.isArray(target)) target = (target as readonly JsonValue[])[Number(token)]
    else target = isJsonObject(target) ? ownValue(target, token) : undefined
    // A nested identifier starts another document: pointers into it are not the root's to resolve.
    if (isJsonObject(target) && ownValue(target, '$id') !== undefined) return undefined
  }
  return target
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}
