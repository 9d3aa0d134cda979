import { canonicalJson, formatPointer } from '@callgate/core'
import type { JsonObject, JsonValue, Reason } from '@callgate/core'
import type { CompiledSchema } from '../schema/compile-schema.ts'
import { isContested, openShapes } from './contested-text.ts'
import { isJsonObject } from '../json-shape.ts'
import { jsonTextKind, readJsonText } from './read-json-text.ts'
import type { Primitives } from './read-text.ts'
import { countValues, createRepairBudget } from './repair-budget.ts'
import type { RepairBudget } from './repair-budget.ts'
import { admits, kindOf } from '../schema/schema-kinds.ts'
import type { SchemaPlace, Shape } from '../schema/schema-place.ts'
import { caseReadings, scalarReadings } from './text-readings.ts'
import type { Reading } from './text-readings.ts'
import { toValidatorValue } from '../schema/validator-value.ts'

/** Arguments after all repairs that have one reading, and the places that have several. They are not yet validated. */
export type Repair = { readonly args: JsonObject; readonly casts: readonly Reason[]; readonly ambiguous: readonly string[] }

type Tier = 'basic' | 'flexible'

type Walk = {
  readonly compiled: CompiledSchema
  readonly primitives: Primitives
  readonly budget: RepairBudget
}

type Spot = { readonly place: SchemaPlace; readonly pointer: string; readonly tier: Tier }

/**
 * Repairs arguments that do not satisfy their schema, in the tier `basic` or `flexible` (contract 8): place by place, only
 * where a value cannot be valid as it is. Throws `RepairTooLong` beyond its bound, and what the validator throws.
 */
export function repairArguments(args: JsonObject, compiled: CompiledSchema, tier: Tier, primitives: Primitives): Repair {
  const walk: Walk = { compiled, primitives, budget: createRepairBudget() }
  const { value, casts, ambiguous } = readValue(args, { place: compiled.place, pointer: '/arguments', tier }, walk)
  return { args: isJsonObject(value) ? value : args, casts, ambiguous: [...new Set(ambiguous)] }
}

function readValue(value: JsonValue, spot: Spot, walk: Walk): Reading {
  walk.budget.spend(1)
  const { shapes } = spot.place
  if (shapes === undefined) return same(value)
  if (typeof value === 'string') return readTextAt(value, shapes, spot, walk)
  return Array.isArray(value) || isJsonObject(value) ? readContainer(value, shapes, spot, walk) : same(value)
}

function readTextAt(text: string, shapes: readonly Shape[], spot: Spot, walk: Walk): Reading {
  const admitting = shapes.filter(({ kinds }) => kinds.has('string'))
  if (admitting.length > 0) return readCase(text, admitting, spot, walk)
  const kind = jsonTextKind(text)
  if (kind !== undefined) return shapes.some(({ kinds }) => kinds.has(kind)) ? readJson(text, kind, spot, walk) : same(text)
  return decide(text, spot, walk, tiersUpTo(spot.tier).map((tier) => {
    const scalars = scalarReadings(text, shapes, tier, walk.primitives).map(({ value, code }) => cast(value, code, spot.pointer))
    return tier === 'flexible' ? [...scalars, ...wrapped(text, shapes, spot, walk)] : scalars
  }))
}

/** An enum member in the wrong case; no other text is cast where a string is admitted. */
function readCase(text: string, admitting: readonly Shape[], spot: Spot, walk: Walk): Reading {
  if (spot.tier !== 'flexible') return same(text)
  walk.budget.spend(admitting.length)
  const readings = caseReadings(text, admitting)
  if (readings.length === 0 || readings.some(({ value }) => value === text)) return same(text)
  const isFree = admitting.some(({ choices }) => choices === undefined)
  if (isFree && isValidAt(text, spot.place, walk)) return same(text)
  return decide(text, spot, walk, [readings.map(({ value, code }) => cast(value, code, spot.pointer))])
}

function readJson(text: string, kind: 'array' | 'object', spot: Spot, walk: Walk): Reading {
  walk.budget.spend(Math.ceil(text.length / 16))
  const parsed = readJsonText(text)
  if (parsed === undefined || kindOf(parsed) !== kind) return same(text)
  const { value, casts, ambiguous } = readValue(parsed, spot, walk)
  return { value, casts: [{ code: 'json_text', pointer: spot.pointer }, ...casts], ambiguous }
}

/** The text as the one item of an array, where it is a valid item itself. The empty text is nobody's item. */
function wrapped(text: string, shapes: readonly Shape[], spot: Spot, walk: Walk): readonly Reading[] {
  if (text === '' || /^\s*[[{]/.test(text)) return []
  const items = shapes.filter(({ kinds }) => kinds.has('array')).map((shape) => shape.item(0))
  const fits = items.some((item) => item === undefined || (mayAdmit(item, text) && isValidAt(text, item, walk)))
  return fits ? [cast([text], 'wrapped_item', spot.pointer)] : []
}

/** The lowest tier with exactly one valid reading decides; several in that tier are none (contract 8). */
function decide(value: JsonValue, { place, pointer }: Spot, walk: Walk, tiers: readonly (readonly Reading[])[]): Reading {
  const [only, ...others] = distinct(tiers.flat(), walk)
  if (only === undefined) return same(value)
  // One reading in all tiers: whether it is valid, the whole says.
  if (others.length === 0) return only
  for (const readings of tiers) {
    const [first, second] = distinct(readings, walk).filter((reading) => isValidAt(reading.value, place, walk))
    if (second !== undefined) return { ...same(value), ambiguous: [pointer] }
    if (first !== undefined) return first
  }
  return same(value)
}

function readContainer(value: JsonValue, shapes: readonly Shape[], spot: Spot, walk: Walk): Reading {
  const kind = kindOf(value)
  const live = shapes.filter(({ kinds }) => admits(kinds, kind))
  const [only] = live
  if (only === undefined) return same(value)
  if (live.length === 1) return readInside(value, only, spot, walk)
  if (isValidAt(value, spot.place, walk)) return same(value)
  walk.budget.spend(live.length * Object.keys(value as JsonObject).length)
  const open = openShapes(live, value)
  const undecided: string[] = []
  for (const tier of tiersUpTo(spot.tier)) {
    const readings = live.flatMap((shape) => {
      const reading = readInside(value, shape, { ...spot, tier }, walk)
      undecided.push(...reading.ambiguous)
      const { casts, value: read } = reading
      const isTaken = casts.length > 0 && !isContested({ shape, read, casts, pointer: spot.pointer }, open)
      return isTaken && isValidAt(read, spot.place, walk) ? [reading] : []
    })
    const [first, second] = distinct(readings, walk)
    if (second !== undefined) return { ...same(value), ambiguous: [spot.pointer] }
    if (first !== undefined) return first
  }
  return { ...same(value), ambiguous: undecided }
}

function readInside(value: JsonValue, shape: Shape, spot: Spot, walk: Walk): Reading {
  const casts: Reason[] = []
  const ambiguous: string[] = []
  const below = (child: JsonValue, place: SchemaPlace | undefined, key: string): JsonValue => {
    if (place === undefined) return child
    const reading = readValue(child, { place, pointer: `${spot.pointer}${formatPointer([key])}`, tier: spot.tier }, walk)
    casts.push(...reading.casts)
    ambiguous.push(...reading.ambiguous)
    return reading.value
  }
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item, at) => below(item, shape.item(at), String(at)))
    return { value: casts.length === 0 ? value : items, casts, ambiguous }
  }
  const members = Object.entries(value as JsonObject).flatMap(([name, child]): readonly (readonly [string, JsonValue])[] => {
    const place = shape.property(name)
    if (place === undefined || !isEmptyOptional(name, child, place, { shape, spot, walk })) return [[name, below(child, place, name)]]
    casts.push({ code: 'dropped_empty', pointer: `${spot.pointer}${formatPointer([name])}` })
    return []
  })
  // `fromEntries` defines own properties, so that no key reaches a prototype.
  return { value: casts.length === 0 ? value : Object.fromEntries(members), casts, ambiguous }
}

type Holder = { readonly shape: Shape; readonly spot: Spot; readonly walk: Walk }

/** An empty text or null at a named, optional property that does not admit it. */
function isEmptyOptional(name: string, child: JsonValue, place: SchemaPlace, { shape, spot, walk }: Holder): boolean {
  if (spot.tier !== 'flexible' || (child !== '' && child !== null)) return false
  if (shape.required.has(name) || !shape.names.includes(name) || place.shapes === undefined) return false
  return !mayAdmit(place, child) || !isValidAt(child, place, walk)
}

/** False where no shape admits a value of this kind; true where only validation can tell. */
function mayAdmit({ shapes }: SchemaPlace, value: JsonValue): boolean {
  const kind = kindOf(value)
  return shapes === undefined || shapes.some(({ kinds }) => admits(kinds, kind))
}

function isValidAt(value: JsonValue, { schemas, shapes }: SchemaPlace, { compiled, budget }: Walk): boolean {
  if (shapes !== undefined && shapes.length === 0) return false
  budget.spend(countValues(value))
  const plain = toValidatorValue(value)
  return schemas.every((schema) => compiled.isValidPart(schema, plain))
}

function distinct(readings: readonly Reading[], { budget }: Walk): readonly Reading[] {
  if (readings.length < 2) return readings
  const byText = new Map<string, Reading>()
  for (const reading of readings) {
    budget.spend(countValues(reading.value))
    const text = canonicalJson(reading.value)
    if (!byText.has(text)) byText.set(text, reading)
  }
  return [...byText.values()]
}

function cast(value: JsonValue, code: string, pointer: string): Reading {
  return { value, casts: [{ code, pointer }], ambiguous: [] }
}

function same(value: JsonValue): Reading {
  return { value, casts: [], ambiguous: [] }
}

function tiersUpTo(tier: Tier): readonly Tier[] {
  return tier === 'basic' ? ['basic'] : ['basic', 'flexible']
}
