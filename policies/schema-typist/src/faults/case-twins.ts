import { formatPointer } from '@callgate/core'
import type { JsonObject, JsonValue } from '@callgate/core'
import { isJsonObject, ownValue } from '../json-shape.ts'
import { schemaChain } from '../schema/resolve-schema.ts'

/** Keywords whose schemas hold for the same value: lists of them, single ones, and maps of them. */
const LISTS = ['allOf', 'anyOf', 'oneOf'] as const
const SINGLES = ['if', 'then', 'else'] as const
const MAPS = ['dependentSchemas', 'dependencies'] as const
/** What is said of properties that are not named, and of items wherever they stand. */
const OTHERS = ['additionalProperties', 'unevaluatedProperties'] as const
const ITEMS = ['items', 'additionalItems', 'unevaluatedItems', 'contains'] as const

/** The most parts of schemas that are looked at for one call. */
const MOST_PARTS = 100_000

/** A property that differs from one of the schema's in letter case only: where it stands, and the schema's own spelling. */
export type CaseTwin = { readonly pointer: string; readonly known: string }

type Schemas = readonly JsonValue[]
type Place = { readonly value: JsonValue; readonly schemas: Schemas; readonly path: readonly string[] }

/** What schemas say together of the names in a value, and of what is below it. */
type Look = {
  readonly described: ReadonlyMap<string, Schemas>
  /** The names without their case, each with its own spelling. */
  readonly folded: ReadonlyMap<string, string>
  readonly others: Schemas
  /** Of an item at each place of a tuple, and of all behind them. */
  readonly tuple: readonly Schemas[]
  readonly every: Schemas
}

/**
 * The first property of `args`, at any depth that the schema describes, that a server which reads names without their case
 * would take for another one (contract 9). All that the schema says of a place counts, whether it holds there or not: branches,
 * conditions, patterns, local `$ref`s. Throws where that is more than can be looked at.
 */
export function findCaseTwin(args: JsonObject, root: JsonObject): CaseTwin | undefined {
  const lookAt = createLooks(root)
  const waiting: Place[] = [{ value: args, schemas: [root], path: ['arguments'] }]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { value, schemas, path } = place
    if (schemas.length === 0) continue
    if (Array.isArray(value)) {
      const { tuple, every } = lookAt(schemas)
      for (const [at, item] of (value as readonly JsonValue[]).entries()) waiting.push({ value: item, schemas: tuple[at] ?? every, path: [...path, String(at)] })
    } else if (isJsonObject(value)) {
      const { described, folded, others } = lookAt(schemas)
      for (const [name, member] of Object.entries(value)) {
        const own = described.get(name)
        const known = own === undefined ? folded.get(fold(name)) : undefined
        if (known !== undefined) return { pointer: formatPointer([...path, name]), known }
        waiting.push({ value: member, schemas: own ?? others, path: [...path, name] })
      }
    }
  }
  return undefined
}

/** Looks once at each list of schemas: what is said of the items of a list is said of all of them by the same one. */
function createLooks(root: JsonObject): (schemas: Schemas) => Look {
  const looks = new Map<Schemas, Look>()
  let left = MOST_PARTS
  return (schemas) => {
    const before = looks.get(schemas)
    if (before !== undefined) return before
    const parts = partsOf(root, schemas, left)
    left -= parts.length + 1
    const look = lookOf(parts)
    looks.set(schemas, look)
    return look
  }
}

function lookOf(parts: readonly JsonObject[]): Look {
  const others = parts.flatMap(otherSchemas)
  const described = new Map([...describedIn(parts)].map(([name, own]) => [name, [...own, ...others]]))
  const every = parts.flatMap((part) => ITEMS.map((word) => ownValue(part, word)).filter(isJsonObject))
  const tuples = parts.flatMap((part) => [listOf(ownValue(part, 'prefixItems')), listOf(ownValue(part, 'items'))])
  const longest = Math.max(0, ...tuples.map(({ length }) => length))
  const tuple = Array.from({ length: longest }, (_, at) => [...every, ...tuples.flatMap((each) => each[at] ?? [])])
  return { described, folded: new Map([...described.keys()].map((name) => [fold(name), name])), others, tuple, every }
}

/** The schemas with all that holds beside or instead of each: references, branches and conditions. Throws beyond `most`. */
function partsOf(root: JsonObject, schemas: Schemas, most: number): readonly JsonObject[] {
  const parts = new Set<JsonObject>()
  const waiting = [...schemas]
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    const chain = schemaChain(root, schema)
    for (const part of chain.length > 0 ? chain : [schema].filter(isJsonObject)) {
      if (parts.has(part)) continue
      if (parts.size >= most) throw new Error('the schema says more of these arguments than can be looked at')
      parts.add(part)
      for (const word of LISTS) waiting.push(...listOf(ownValue(part, word)))
      for (const word of SINGLES) waiting.push(...[ownValue(part, word)].filter(isJsonObject))
      for (const word of MAPS) waiting.push(...valuesOf(ownValue(part, word)))
    }
  }
  return [...parts]
}

/** By name, what is said of it; also of those that are only asked for. */
function describedIn(parts: readonly JsonObject[]): ReadonlyMap<string, Schemas> {
  const described = new Map<string, JsonValue[]>()
  const add = (name: string, schemas: Schemas): void => {
    const known = described.get(name)
    if (known === undefined) described.set(name, [...schemas])
    else known.push(...schemas)
  }
  for (const part of parts) {
    const properties = ownValue(part, 'properties')
    if (isJsonObject(properties)) for (const [name, schema] of Object.entries(properties)) add(name, [schema])
    for (const name of listOf(ownValue(part, 'required'))) if (typeof name === 'string') add(name, [])
  }
  return described
}

function otherSchemas(part: JsonObject): readonly JsonValue[] {
  return [...valuesOf(ownValue(part, 'patternProperties')), ...OTHERS.map((word) => ownValue(part, word)).filter(isJsonObject)]
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : []
}

function valuesOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonObject(value) ? Object.values(value) : []
}

/** What stays of a name without its case; the round trip folds what has a case in one direction only, as the Kelvin sign. */
function fold(name: string): string {
  return name.toUpperCase().toLowerCase()
}
