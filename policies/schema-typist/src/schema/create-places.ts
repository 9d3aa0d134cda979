import type { JsonObject, JsonValue } from '@callgate/core'
import { isJsonObject, ownValue } from '../json-shape.ts'
import { schemaChain } from './resolve-schema.ts'
import type { SchemaPlace, Shape } from './schema-place.ts'
import { createShape } from './create-shape.ts'
import type { ShapeContext } from './create-shape.ts'

// Beyond so many choices of branches nothing is read into a place.
const MOST_SHAPES = 64
const MOST_STEPS = 1_000
const MOST_PLACES = 5_000
const UNIONS = ['anyOf', 'oneOf'] as const
const DYNAMIC = ['$dynamicRef', '$recursiveRef'] as const

type Expansion = { readonly root: JsonObject; readonly found: (readonly JsonObject[])[]; steps: number }

/** The place of the whole arguments; all others are reached from it, each made when first asked for and kept. */
export function createPlaces(root: JsonObject, settings: Omit<ShapeContext, 'placeOf'>): SchemaPlace {
  const places = new Map<string, SchemaPlace>()
  const ids = new Map<JsonObject, number>()
  const placeOf = (schemas: readonly JsonValue[]): SchemaPlace => {
    const isClosed = schemas.includes(false)
    const objects = isClosed ? [] : schemas.filter(isJsonObject)
    const key = isClosed ? 'closed' : objects.map((schema) => idOf(ids, schema)).join()
    const known = places.get(key)
    if (known !== undefined) return known
    const place = createPlace(objects, () => (isClosed ? [] : expand(root, objects)?.map((parts) => createShape(parts, { ...settings, placeOf }))))
    if (places.size < MOST_PLACES) places.set(key, place)
    return place
  }
  return placeOf([root])
}

function createPlace(schemas: readonly JsonObject[], make: () => readonly Shape[] | undefined): SchemaPlace {
  let made: { readonly shapes: readonly Shape[] | undefined } | undefined
  return {
    schemas,
    get shapes() {
      made ??= { shapes: make() }
      return made.shapes
    },
  }
}

function idOf(ids: Map<JsonObject, number>, schema: JsonObject): number {
  const id = ids.get(schema) ?? ids.size
  ids.set(schema, id)
  return id
}

/** The schemas with all that holds beside them, once for each choice of branches; undefined where not all of it is known. */
function expand(root: JsonObject, schemas: readonly JsonValue[]): readonly (readonly JsonObject[])[] | undefined {
  const expansion: Expansion = { root, found: [], steps: 0 }
  return choose(expansion, { pending: schemas, parts: new Set(), unions: [] }) ? expansion.found : undefined
}

type Choice = { readonly pending: readonly JsonValue[]; readonly parts: ReadonlySet<JsonObject>; readonly unions: readonly (readonly JsonValue[])[] }

/** False where not all is known. A choice that comes to `false` admits nothing and is passed over. */
function choose(expansion: Expansion, choice: Choice): boolean {
  expansion.steps += 1
  if (expansion.steps > MOST_STEPS) return false
  const parts = new Set(choice.parts)
  const unions = [...choice.unions]
  const waiting = [...choice.pending]
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (schema === false) return true
    if (!isJsonObject(schema)) continue
    const chain = schemaChain(expansion.root, schema)
    if (chain.length === 0 || chain.some((part) => DYNAMIC.some((word) => ownValue(part, word) !== undefined))) return false
    for (const part of chain) {
      if (parts.has(part)) continue
      parts.add(part)
      waiting.push(...listOf(part, 'allOf'))
      for (const word of UNIONS) if (ownValue(part, word) !== undefined) unions.push(listOf(part, word))
    }
  }
  const [branches, ...rest] = unions
  if (branches === undefined) return expansion.found.push([...parts]) <= MOST_SHAPES
  return branches.every((branch) => choose(expansion, { pending: [branch], parts, unions: rest }))
}

function listOf(part: JsonObject, word: string): readonly JsonValue[] {
  const list = ownValue(part, word)
  return Array.isArray(list) ? (list as readonly JsonValue[]) : []
}
