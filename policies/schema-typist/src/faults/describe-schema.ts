import type { JsonObject, JsonValue } from '@callgate/core'
import { isJsonObject, ownValue } from '../json-shape.ts'
import { rangeText } from './property-bounds.ts'
import { schemaChain } from '../schema/resolve-schema.ts'
import { cutText, showValue } from './show-value.ts'

const MOST_CHOICES = 8
const DEEPEST = 2

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  null: 'null',
  array: 'an array',
  object: 'an object',
}

/** What a schema wants, in few words (`an integer from 0 to 100`); bounded in depth and length. */
export function describeSchema(root: JsonObject, schema: JsonValue | undefined, depth = 0): string {
  const own = merged(root, schema)
  if (own === undefined) return 'a value that fits its schema'
  const choices = ownValue(own, 'enum')
  if (Array.isArray(choices)) return `one of ${list(choices.map(showValue), ', ')}`
  const constant = ownValue(own, 'const')
  if (constant !== undefined) return `exactly ${showValue(constant)}`
  const type = ownValue(own, 'type')
  if (typeof type === 'string') return describeType(root, own, type, depth)
  if (Array.isArray(type)) return list(type.map((each) => describeType(root, own, String(each), depth)), ' or ')
  const branches = ownValue(own, 'anyOf') ?? ownValue(own, 'oneOf')
  if (!Array.isArray(branches) || depth === DEEPEST) return 'a value that fits its schema'
  return list(branches.map((branch) => describeSchema(root, branch, depth + 1)), ' or ')
}

function describeType(root: JsonObject, own: JsonObject, type: string, depth: number): string {
  if (type === 'integer' || type === 'number') return describeNumber(own, type)
  const word = TYPE_WORDS[type] ?? cutText(type, 20)
  if (type === 'array' && depth < DEEPEST && isJsonObject(ownValue(own, 'items'))) {
    return `${word}, each item ${describeSchema(root, ownValue(own, 'items'), depth + 1)}`
  }
  const pattern = ownValue(own, 'pattern')
  return type === 'string' && typeof pattern === 'string' ? `${word} that matches /${cutText(pattern, 60)}/` : word
}

function describeNumber(own: JsonObject, type: 'integer' | 'number'): string {
  const word = type === 'integer' ? 'an integer' : 'a number'
  const above = ownValue(own, 'exclusiveMinimum')
  const below = ownValue(own, 'exclusiveMaximum')
  const minimum = ownValue(own, 'minimum')
  const maximum = ownValue(own, 'maximum')
  const parts = [
    ...(minimum === undefined && maximum === undefined ? [] : [rangeText(minimum, maximum)]),
    ...(above === undefined ? [] : [`above ${showValue(above)}`]),
    ...(below === undefined ? [] : [`below ${showValue(below)}`]),
  ]
  return [word, ...parts].join(' ')
}

/** The schema and what its local references lead to, as one object of keywords; the nearer word stands. */
function merged(root: JsonObject, schema: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(schema)) return undefined
  const chain = schemaChain(root, schema)
  return Object.fromEntries([schema, ...chain].toReversed().flatMap((part) => Object.entries(part)))
}

function list(words: readonly string[], separator: string): string {
  const shown = words.slice(0, MOST_CHOICES).join(separator)
  return cutText(words.length > MOST_CHOICES ? `${shown}${separator}…` : shown, 240)
}
