import type { JsonObject, JsonValue } from '@callgate/core'
import type { Dialect } from './create-validator.ts'
import { isJsonObject, ownValue } from '../json-shape.ts'

// What these hold are values, not schemas.
const VALUES: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'example'])
// What these hold are schemas by name: their own keys are no words of the language.
const NAMED: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'])
// What stands beside a reference of draft-07 and is kept: it only holds what others refer to. At the root also what names the whole.
const KEPT: ReadonlySet<string> = new Set(['$ref', '$defs', 'definitions'])
const KEPT_AT_ROOT: ReadonlySet<string> = new Set([...KEPT, '$id', '$schema'])

/**
 * The schema without the words that its dialect passes over and the validator would not: `nullable` where no `type` stands beside
 * it (OpenAPI 3.0.3), and in draft-07 whatever stands beside a `$ref`. What holds none of them is the very object that was
 * given. Recurses: call it on schemas of bounded depth only.
 */
export function prepareSchema(root: JsonObject, dialect: Dialect): JsonObject {
  const schema = (value: JsonObject): JsonObject => {
    const isReference = dialect === 'draft-07' && typeof ownValue(value, '$ref') === 'string'
    const kept = value === root ? KEPT_AT_ROOT : KEPT
    const isPassedOver = (key: string): boolean => (isReference ? !kept.has(key) : key === 'nullable' && isUntyped(value))
    return mapMembers(value, isPassedOver, (child, key) => (VALUES.has(key) ? child : NAMED.has(key) && isJsonObject(child) ? named(child) : below(child)))
  }
  const named = (value: JsonObject): JsonObject => mapMembers(value, () => false, below)
  const below = (child: JsonValue): JsonValue => {
    if (isJsonObject(child)) return schema(child)
    if (!Array.isArray(child)) return child
    const items = (child as readonly JsonValue[]).map(below)
    return items.every((item, at) => item === (child as readonly JsonValue[])[at]) ? child : items
  }
  return schema(root)
}

function isUntyped(schema: JsonObject): boolean {
  return typeof ownValue(schema, 'nullable') === 'boolean' && ownValue(schema, 'type') === undefined
}

function mapMembers(object: JsonObject, isLeftOut: (key: string) => boolean, map: (child: JsonValue, key: string) => JsonValue): JsonObject {
  let isChanged = false
  const members: (readonly [string, JsonValue])[] = []
  for (const [key, child] of Object.entries(object) as readonly (readonly [string, JsonValue])[]) {
    const mapped = isLeftOut(key) ? undefined : map(child, key)
    isChanged ||= mapped !== child
    if (mapped !== undefined) members.push([key, mapped])
  }
  return isChanged ? Object.fromEntries(members) : object
}
