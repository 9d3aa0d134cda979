import { formatPointer } from '@callgate/core'
import type { JsonObject, JsonValue } from '@callgate/core'
import { isJsonObject, ownValue } from './json-shape.ts'
import { schemaChain } from './resolve-schema.ts'

const BRANCHES = ['allOf', 'anyOf', 'oneOf'] as const
const MOST_PARTS = 200

/** A property that differs from one of the schema's in letter case only: where it stands, and the schema's own spelling. */
export type CaseTwin = { readonly pointer: string; readonly known: string }

type Place = { readonly value: JsonValue; readonly schemas: readonly JsonValue[]; readonly path: readonly string[] }

/**
 * The first property of `args`, at any depth that the schema describes, that a server which reads names without their case
 * would take for another one (contract 9). Branches of unions and local `$ref`s all count.
 */
export function findCaseTwin(args: JsonObject, root: JsonObject): CaseTwin | undefined {
  const waiting: Place[] = [{ value: args, schemas: [root], path: ['arguments'] }]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const parts = partsOf(root, place.schemas)
    if (Array.isArray(place.value)) waiting.push(...itemsOf(place, parts))
    if (!isJsonObject(place.value)) continue
    const described = describedIn(parts)
    const folded = new Map([...described.keys()].map((name) => [fold(name), name]))
    for (const [name, value] of Object.entries(place.value)) {
      const schemas = described.get(name)
      const known = schemas === undefined ? folded.get(fold(name)) : undefined
      if (known !== undefined) return { pointer: formatPointer([...place.path, name]), known }
      if (schemas !== undefined) waiting.push({ value, schemas, path: [...place.path, name] })
    }
  }
  return undefined
}

/** The schemas with all that holds beside or instead of each: references and branches, at most 200. */
function partsOf(root: JsonObject, schemas: readonly JsonValue[]): readonly JsonObject[] {
  const parts = new Set<JsonObject>()
  const waiting = [...schemas]
  for (let schema = waiting.pop(); schema !== undefined && parts.size < MOST_PARTS; schema = waiting.pop()) {
    const chain = schemaChain(root, schema)
    for (const part of chain.length > 0 ? chain : [schema].filter(isJsonObject)) {
      if (parts.has(part)) continue
      parts.add(part)
      for (const word of BRANCHES) {
        const branches = ownValue(part, word)
        if (Array.isArray(branches)) waiting.push(...(branches as readonly JsonValue[]))
      }
      for (const word of ['then', 'else', 'if'] as const) {
        const branch = ownValue(part, word)
        if (branch !== undefined) waiting.push(branch)
      }
    }
  }
  return [...parts]
}

function describedIn(parts: readonly JsonObject[]): ReadonlyMap<string, readonly JsonValue[]> {
  const described = new Map<string, JsonValue[]>()
  for (const part of parts) {
    const properties = ownValue(part, 'properties')
    if (!isJsonObject(properties)) continue
    for (const [name, schema] of Object.entries(properties)) {
      const known = described.get(name)
      if (known === undefined) described.set(name, [schema])
      else known.push(schema)
    }
  }
  return described
}

function itemsOf({ value, path }: Place, parts: readonly JsonObject[]): readonly Place[] {
  const every = parts.flatMap((part) => [ownValue(part, 'items')].filter(isJsonObject))
  const tuples = parts.map((part) => ownValue(part, 'prefixItems') ?? ownValue(part, 'items')).filter(Array.isArray)
  return (value as readonly JsonValue[]).map((item, at) => {
    const own = tuples.flatMap((tuple) => (tuple as readonly JsonValue[])[at] ?? [])
    return { value: item, schemas: [...every, ...own], path: [...path, String(at)] }
  })
}

/** What stays of a name without its case; the round trip folds what has a case in one direction only, as the Kelvin sign. */
function fold(name: string): string {
  return name.toUpperCase().toLowerCase()
}
