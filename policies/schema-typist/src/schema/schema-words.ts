import type { JsonObject, JsonValue } from '@callgate/core'
import { isJsonObject, ownValue } from '../json-shape.ts'
import { schemaChain } from './resolve-schema.ts'

const MOST_PARTS = 64
const BRANCHING = ['allOf', 'anyOf', 'oneOf'] as const

/** What all parts of a place say under one keyword: references followed, branches of unions beside each other. */
export type SchemaWords = {
  all(word: string): readonly JsonValue[]
  numbers(word: string): readonly number[]
}

/** The words of schemas that hold together, at most 64 parts of them; the nearest first. */
export function wordsOf(root: JsonObject, schemas: readonly JsonObject[]): SchemaWords {
  const parts = new Set<JsonObject>()
  const waiting: JsonValue[] = [...schemas]
  for (let schema = waiting.shift(); schema !== undefined && parts.size < MOST_PARTS; schema = waiting.shift()) {
    for (const part of isJsonObject(schema) ? schemaChain(root, schema) : []) {
      if (parts.has(part)) continue
      parts.add(part)
      for (const word of BRANCHING) {
        const branches = ownValue(part, word)
        if (Array.isArray(branches)) waiting.push(...(branches as readonly JsonValue[]).slice(0, MOST_PARTS))
      }
    }
  }
  const all = (word: string): readonly JsonValue[] => Array.from(parts, (part) => ownValue(part, word)).filter((value) => value !== undefined)
  return { all, numbers: (word) => all(word).filter((value) => typeof value === 'number') }
}
