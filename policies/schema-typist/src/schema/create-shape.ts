import type { JsonObject, JsonValue } from '@callgate/core'
import { isJsonObject, ownValue } from '../json-shape.ts'
import { createCaseIndex } from '../repair/letter-case.ts'
import type { BoundedPattern, PatternEngine } from './pattern-engine.ts'
import { isTyped, kindsOf, membersOf } from './schema-kinds.ts'
import type { SchemaPlace, Shape } from './schema-place.ts'

/** What shapes are made from: the dialect, the schema's patterns, and the places below. */
export type ShapeContext = {
  readonly isDraft07: boolean
  readonly patterns: PatternEngine
  readonly placeOf: (schemas: readonly JsonValue[]) => SchemaPlace
}

type Named = { readonly properties: JsonObject; readonly patterns: readonly (readonly [BoundedPattern, JsonValue])[]; readonly others: JsonValue | undefined }

/** The shape of schemas that hold together, their unions left aside. */
export function createShape(parts: readonly JsonObject[], context: ShapeContext): Shape {
  const members = membersOfAll(parts)
  const named = parts.map((part) => namedBy(part, context.patterns))
  const names = [...new Set(named.flatMap(({ properties }) => Object.keys(properties)))]
  const known = new Map<string, SchemaPlace>()
  // Behind the longest tuple all items are alike.
  const longest = Math.max(...parts.map((part) => tupleOf(part, context.isDraft07).length))
  const items = new Map<number, { readonly place: SchemaPlace | undefined }>()
  return {
    kinds: kindsOf(parts),
    isTyped: parts.some(isTyped),
    choices: members === undefined ? undefined : createCaseIndex(members.filter((member) => typeof member === 'string')),
    integers: members !== undefined && members.every(Number.isSafeInteger) ? new Set(members) : undefined,
    required: new Set(parts.flatMap((part) => textsOf(ownValue(part, 'required')))),
    names,
    describesOthers: named.some(({ patterns, others }) => patterns.length > 0 || isJsonObject(others)),
    property(name) {
      const place = known.get(name) ?? placeIn(named.flatMap((each) => saidOf(each, name)), context)
      if (place !== undefined && named.some(({ properties }) => Object.hasOwn(properties, name))) known.set(name, place)
      return place
    },
    item(at) {
      const index = Math.min(at, longest)
      const made = items.get(index) ?? { place: placeIn(parts.flatMap((part) => itemSchemas(part, index, context.isDraft07)), context) }
      items.set(index, made)
      return made.place
    },
  }
}

/** The members that all enums share; undefined without an enum. */
function membersOfAll(parts: readonly JsonObject[]): readonly JsonValue[] | undefined {
  const [first, ...others] = parts.map(membersOf).filter((members) => members !== undefined)
  if (others.length === 0) return first
  const sets = others.map((members) => new Set(members))
  return first?.filter((member) => typeof member === 'object' || sets.every((members) => members.has(member)))
}

function namedBy(part: JsonObject, engine: PatternEngine): Named {
  const properties = ownValue(part, 'properties')
  const patterns = ownValue(part, 'patternProperties')
  return {
    properties: isJsonObject(properties) ? properties : {},
    patterns: isJsonObject(patterns) ? Object.entries(patterns).map(([source, schema]) => [engine.create(source, 'u'), schema] as const) : [],
    others: ownValue(part, 'additionalProperties'),
  }
}

function saidOf({ properties, patterns, others }: Named, name: string): readonly JsonValue[] {
  const own = Object.hasOwn(properties, name) ? [properties[name] as JsonValue] : []
  const matching = patterns.filter(([pattern]) => pattern.test(name)).map(([, schema]) => schema)
  const said = [...own, ...matching]
  return said.length > 0 || others === undefined ? said : [others]
}

function itemSchemas(part: JsonObject, at: number, isDraft07: boolean): readonly JsonValue[] {
  const tuple = tupleOf(part, isDraft07)
  const items = ownValue(part, 'items')
  const rest = isDraft07 && Array.isArray(items) ? ownValue(part, 'additionalItems') : items
  const schema = at < tuple.length ? tuple[at] : rest
  return schema === undefined || Array.isArray(schema) ? [] : [schema]
}

function tupleOf(part: JsonObject, isDraft07: boolean): readonly JsonValue[] {
  const tuple = ownValue(part, isDraft07 ? 'items' : 'prefixItems')
  return Array.isArray(tuple) ? (tuple as readonly JsonValue[]) : []
}

function placeIn(schemas: readonly JsonValue[], { placeOf }: ShapeContext): SchemaPlace | undefined {
  return schemas.every((schema) => schema === true) ? undefined : placeOf(schemas)
}

function textsOf(list: JsonValue | undefined): readonly string[] {
  return Array.isArray(list) ? (list as readonly JsonValue[]).filter((name) => typeof name === 'string') : []
}
