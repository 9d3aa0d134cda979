import type { JsonObject, JsonValue } from '@callgate/core'
import { canonicalJson } from '@callgate/core'
import { isJsonObject, ownValue } from './json-shape.ts'
import { rangeText } from './property-bounds.ts'
import { schemaChain } from './resolve-schema.ts'
import { cutText, showValue } from './show-value.ts'

const MOST_CHOICES = 8
const DEEPEST = 2
const LONGEST_EXAMPLE = 60

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

/** A value that the schema most likely admits, as JSON text, from its own words where they are short; empty where none is at hand. */
export function exampleOf(root: JsonObject, schema: JsonValue | undefined, depth = 0): string {
  const own = merged(root, schema) ?? {}
  const examples = ownValue(own, 'examples')
  const choices = ownValue(own, 'enum')
  const given = [ownValue(own, 'const'), firstOf(choices), firstOf(examples), ownValue(own, 'default')]
  for (const value of given) {
    const text = value === undefined || value === null ? '' : canonicalJson(value)
    if (text !== '' && text.length <= LONGEST_EXAMPLE) return text
  }
  const type = ownValue(own, 'type')
  switch (Array.isArray(type) ? type[0] : type) {
    case 'integer':
    case 'number':
      return String(exampleNumber(own))
    case 'boolean':
      return 'true'
    case 'array':
      return depth === DEEPEST ? '' : `[${exampleOf(root, ownValue(own, 'items'), depth + 1)}]`
    case 'object':
      return exampleObject(root, own, depth)
    case 'null':
      return 'null'
    case 'string':
      return ownValue(own, 'pattern') === undefined ? '"text"' : ''
    default:
      return exampleBranch(root, own, depth)
  }
}

function exampleBranch(root: JsonObject, own: JsonObject, depth: number): string {
  const branches = ownValue(own, 'anyOf') ?? ownValue(own, 'oneOf')
  if (!Array.isArray(branches) || depth === DEEPEST) return ''
  const examples = branches.slice(0, MOST_CHOICES).map((branch: JsonValue) => exampleOf(root, branch, depth + 1))
  return examples.find((example) => example !== '' && example !== 'null') ?? ''
}

/** The required properties, where each has an example and they are short together. */
function exampleObject(root: JsonObject, own: JsonObject, depth: number): string {
  const required = ownValue(own, 'required')
  const names = Array.isArray(required) ? (required as readonly JsonValue[]).filter((name) => typeof name === 'string') : []
  if (names.length === 0) return '{}'
  const properties = ownValue(own, 'properties')
  if (depth === DEEPEST || !isJsonObject(properties) || names.length > MOST_CHOICES) return ''
  const members = names.map((name) => [name, exampleOf(root, ownValue(properties, name), depth + 1)] as const)
  const text = `{${members.map(([name, example]) => `${JSON.stringify(name)}:${example}`).join(',')}}`
  return text.length > LONGEST_EXAMPLE || members.some(([, example]) => example === '') ? '' : text
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

function exampleNumber(own: JsonObject): number {
  const minimum = ownValue(own, 'minimum')
  const above = ownValue(own, 'exclusiveMinimum')
  const maximum = ownValue(own, 'maximum')
  if (typeof minimum === 'number') return minimum
  if (typeof above === 'number') return Math.floor(above) + 1
  return typeof maximum === 'number' && maximum < 10 ? Math.floor(maximum) : 10
}

/** The schema and what its local references lead to, as one object of keywords; the nearer word stands. */
function merged(root: JsonObject, schema: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(schema)) return undefined
  const chain = schemaChain(root, schema)
  return Object.fromEntries([schema, ...chain].toReversed().flatMap((part) => Object.entries(part)))
}

function firstOf(values: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(values) ? (values as readonly JsonValue[])[0] : undefined
}

function list(words: readonly string[], separator: string): string {
  const shown = words.slice(0, MOST_CHOICES).join(separator)
  return cutText(words.length > MOST_CHOICES ? `${shown}${separator}…` : shown, 240)
}
