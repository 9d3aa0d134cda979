import { canonicalJson, reveal } from '@callgate/core'
import type { JsonArray, JsonObject, JsonValue } from '@callgate/core'
import type { CompiledSchema } from '../schema/compile-schema.ts'
import { isJsonObject } from '../json-shape.ts'
import { givenCandidates, numberCandidates, textCandidates } from './scalar-candidates.ts'
import type { SchemaPlace, Shape } from '../schema/schema-place.ts'
import { wordsOf } from '../schema/schema-words.ts'
import type { SchemaWords } from '../schema/schema-words.ts'
import { isOrdinary, toValidatorValue } from '../schema/validator-value.ts'

const DEEPEST = 3
const MOST_PLACES = 8
const MOST_SHAPES = 8
const MOST_MEMBERS = 8
// How many places and values one search looks at.
const MOST_TRIES = 300
const LONGEST_EXAMPLE = 60

/** What searches for an example need of a compiled schema. */
export type ExampleSource = Pick<CompiledSchema, 'root' | 'isValidPart'>

type Search = { readonly source: ExampleSource; triesLeft: number }
type Spot = { readonly words: SchemaWords; readonly shape: Shape | undefined; readonly depth: number }

/**
 * A short value, as JSON text, that the validator admits at one of the places, at all of them where one is found; empty where
 * none is at hand. Tries the words of the schema, its bounds, and few values besides.
 */
export function findExample(source: ExampleSource, places: readonly SchemaPlace[]): string {
  const search: Search = { source, triesLeft: MOST_TRIES }
  let found = ''
  for (const place of places.slice(0, MOST_PLACES)) {
    const [value] = examplesAt(search, place, { depth: 0, count: 1 })
    if (value === undefined) continue
    if (places.every((other) => fits(search, other, value))) return canonicalJson(value)
    if (found === '') found = canonicalJson(value)
  }
  return found
}

/** True where the validator admits a value at the place and it is no longer than examples are; false too where it gives up. */
export function isAdmittedAt(source: ExampleSource, place: SchemaPlace, value: JsonValue): boolean {
  return place.shapes?.length !== 0 && fits({ source, triesLeft: 1 }, place, value)
}

/** At most `count` different values that the validator admits at the place. */
function examplesAt(search: Search, place: SchemaPlace, { depth, count }: { readonly depth: number; readonly count: number }): readonly JsonValue[] {
  const found = new Map<string, JsonValue>()
  search.triesLeft -= 1
  if (search.triesLeft <= 0 || place.shapes?.length === 0) return []
  for (const value of candidates(search, place, depth)) {
    if (fits(search, place, value)) found.set(canonicalJson(value), value)
    if (found.size === count) break
  }
  return [...found.values()]
}

function* candidates(search: Search, place: SchemaPlace, depth: number): Generator<JsonValue> {
  const words = wordsOf(search.source.root, place.schemas)
  yield* givenCandidates(words)
  const types = words.all('type').flat() as readonly JsonValue[]
  const shapes = place.shapes?.slice(0, MOST_SHAPES) ?? [undefined]
  for (const shape of shapes) {
    const wanted = shape === undefined || shape.isTyped ? types : shape.names.length > 0 || shape.required.size > 0 ? ['object'] : []
    for (const type of new Set(wanted)) yield* candidatesOf(search, type, { words, shape, depth })
  }
  if (shapes.some((shape) => shape?.kinds.has('null') === true && (shape.isTyped || shape.kinds.size === 1))) yield null
}

function* candidatesOf(search: Search, type: JsonValue, spot: Spot): Generator<JsonValue> {
  switch (type) {
    case 'integer':
    case 'number':
      return yield* numberCandidates(spot.words)
    case 'string':
      return yield* textCandidates(spot.words)
    case 'boolean':
      return yield* [true, false]
    case 'array':
      return yield* lists(search, spot)
    case 'object':
      return yield* objects(search, spot)
    default:
      return
  }
}

/** Lists of the lengths that are asked for, of items that fit; the first one that `contains` asks for. */
function* lists(search: Search, { words, shape, depth }: Spot): Generator<JsonArray> {
  const least = Math.max(0, ...words.numbers('minItems'))
  const tuple = Math.max(0, ...[...words.all('prefixItems'), ...words.all('items')].map((list) => (Array.isArray(list) ? list.length : 0)))
  const isOpen = shape === undefined || (tuple === 0 && shape.item(0) === undefined)
  const wanted = words.all('contains').filter(isJsonObject).flatMap((schema) => examplesAt(search, { schemas: [schema], shapes: undefined }, { depth: depth + 1, count: 1 }))
  const usual = Math.max(least, tuple, isOpen && wanted.length === 0 ? 0 : 1, wanted.length)
  for (const length of new Set([usual, least, tuple, wanted.length, 0])) {
    if (length > MOST_MEMBERS || (length > 0 && depth === DEEPEST)) continue
    const pool = (at: number): readonly JsonValue[] => {
      const place = shape?.item(at)
      return place === undefined ? ['text', 10, true, false, 'text2', 11, 12, 13] : examplesAt(search, place, { depth: depth + 1, count: words.all('uniqueItems').includes(true) ? length : 1 })
    }
    const items: JsonValue[] = []
    for (let at = 0; at < length; at += 1) {
      const values = pool(at)
      const next = values.find((value) => !items.some((item) => canonicalJson(item) === canonicalJson(value))) ?? values[0]
      if (next !== undefined) items.push(next)
    }
    yield items
    if (wanted.length > 0) yield [...wanted, ...items.slice(wanted.length)]
    const [first] = wanted
    if (first !== undefined) yield items.map(() => first)
  }
}

/** The required properties, and as many of the others as are asked for. */
function* objects(search: Search, { words, shape, depth }: Spot): Generator<JsonObject> {
  const required = [...(shape?.required ?? [])]
  if (shape === undefined || required.length > MOST_MEMBERS) return
  if (required.length === 0) yield {}
  if (depth === DEEPEST) return
  const members: (readonly [string, JsonValue])[] = []
  const least = Math.max(0, ...words.numbers('minProperties'))
  for (const name of new Set([...required, ...shape.names.slice(0, MOST_MEMBERS)])) {
    const place = shape.property(name)
    const [value] = place === undefined ? [] : examplesAt(search, place, { depth: depth + 1, count: 1 })
    if (value === undefined && required.includes(name)) return
    if (value !== undefined) members.push([name, value])
    if (members.length >= Math.max(least, required.length)) yield Object.fromEntries(members)
  }
}

/** False too where the validator gives up: then nothing more is tried. */
function fits(search: Search, { schemas }: SchemaPlace, value: JsonValue): boolean {
  if (search.triesLeft <= 0 || !isOrdinary(value) || !isShowable(canonicalJson(value))) return false
  search.triesLeft -= 1
  try {
    const plain = toValidatorValue(value)
    return schemas.every((schema) => search.source.isValidPart(schema, plain))
  } catch {
    search.triesLeft = 0
    return false
  }
}

/** Short, and without what would have to be written otherwise than it is sent. */
function isShowable(text: string): boolean {
  return text.length <= LONGEST_EXAMPLE && reveal(text) === text
}
