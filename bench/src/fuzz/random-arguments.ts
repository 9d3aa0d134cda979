import type { RandomSource } from './create-random.ts'
import type { SentArguments } from './judge-pair.ts'
import type { Schema } from './random-schema.ts'

const NUMERALS = [
  '0', '1', '3', '7', '10', '42', '-1', '-5', '1.5', '0.25', '2.50', '7.0', '-0', '007', '+7', ' 7', '7 ', '1e2', '15e-1', '1e400', '12px', '0x1f', '1,000', '', ' ', 'NaN', '9007199254740991', '9007199254740993',
  '-9223372036854775808', '0.1000000000000000055', '7.', '.5', '٣',
] as const
const TEXTS = [
  'a', 'abc', 'Text', 'null', 'true', 'false', 'True', 'FALSE', ' true', 'yes', 'on', 'ON', 'asc', 'ASC', 'desc', 'low', 'only', 'Only', '[]', '{}', '[1]', '["1"]', '["a","b"]', '{"a":1}', '{"a":"1"}', "['a']", '[1,', '{"a":1,"a":2}', '{"__proto__":1}',
  '[9007199254740993]', '"7"', '{"value":"3","children":"[]"}', '\ud83d\ude00', 'x'.repeat(1_100), '[[1],["2"]]', 'null ', 'undefined',
] as const
const VALUES: readonly [unknown, ...unknown[]] = [null, true, false, 0, 1, 3, 7, 10, -5, 1.5, 0.25, 100, 2 ** 53, -(2 ** 53), 1e300, 2n ** 60n, [], {}, ['1'], [1, '2'], { a: '1' }, { a: 1 }]
const NAMES = ['a', 'b', 'limit', 'Limit', 'x-1', 'toString', '__proto__', 'é', 'unknown'] as const
const MOST_LEVELS = 5

/** Random arguments for a schema: near to what it wants, with values written as text, left empty, unwrapped, misspelt, or simply wrong. */
export function randomArguments(random: RandomSource, root: Schema & object): SentArguments {
  const value = near(random, root, root, 0)
  const own = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  // Defined, so that a key `__proto__` is data.
  const args = Object.fromEntries([...Object.entries(own), ...random.several(random.chance(0.3) ? 2 : 0, () => [random.pick(NAMES), anything(random)] as const)])
  if (random.chance(0.05)) return { kind: 'text', text: random.chance(0.8) ? wireText(args) : random.pick(TEXTS) }
  return random.chance(0.15) ? { kind: 'wire', text: wireText(args) } : { kind: 'object', args }
}

/** JSON text that spells some numbers as no double does. */
function wireText(args: object): string {
  return JSON.stringify(args, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each)).replaceAll(/(?<=[:[,])7(?=[,\]}])/g, '7.0').replaceAll(/(?<=[:[,])3(?=[,\]}])/g, '9007199254740993')
}

function near(random: RandomSource, root: Schema, given: unknown, level: number): unknown {
  if (typeof given !== 'object' || given === null || level > MOST_LEVELS || random.chance(level === 0 ? 0 : 0.08)) return anything(random)
  const schema = given as Readonly<Record<string, unknown>>
  const value = wanted(random, root, schema, level)
  return level === 0 ? value : disguised(random, value)
}

function wanted(random: RandomSource, root: Schema, schema: Readonly<Record<string, unknown>>, level: number): unknown {
  const inner = (child: unknown): unknown => near(random, root, child, level + 1)
  const ref = schema['$ref']
  if (typeof ref === 'string') return inner(((root as Readonly<Record<string, unknown>>)['$defs'] as Readonly<Record<string, unknown>>)[ref.split('/').at(-1) ?? ''])
  if ('const' in schema) return schema['const']
  const choices = schema['enum'] ?? schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']
  if (Array.isArray(choices) && schema['type'] !== 'object') {
    const choice = choices[random.below(choices.length)] as unknown
    return 'enum' in schema ? choice : inner(choice)
  }
  const types = [schema['type']].flat()
  switch (types[random.below(types.length)]) {
    case 'integer':
      return random.below(60) - 5
    case 'number':
      return random.pick([random.below(60) - 5, random.below(200) / 4])
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'string':
      return random.chance(0.8) ? random.pick(TEXTS) : random.pick(NUMERALS)
    case 'array': {
      const tuple = [schema['prefixItems'] ?? (Array.isArray(schema['items']) ? schema['items'] : [])].flat()
      const rest = Array.isArray(schema['items']) ? schema['additionalItems'] : schema['items']
      return [...tuple.map(inner), ...random.several(2, () => inner(rest))]
    }
    case 'object': {
      const required = (schema['required'] ?? []) as readonly string[]
      const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, unknown>>)
      return Object.fromEntries(properties.filter(([name]) => required.includes(name) || random.chance(0.7)).map(([name, child]) => [name, inner(child)]))
    }
    default:
      return anything(random)
  }
}

function disguised(random: RandomSource, value: unknown): unknown {
  if (random.chance(0.5)) return value
  switch (typeof value) {
    case 'number':
      return random.pick([String(value), `${value}.0`, ` ${value}`, `+${value}`, `${value}e0`, `0${value}`, `${value}px`, [value], ''])
    case 'boolean':
      return random.pick<unknown>([String(value), value ? 'True' : 'False', ` ${value}`, Number(value), [value], ''])
    case 'string':
      return random.pick<unknown>([value.toLowerCase(), value.toUpperCase(), [value], '', null, JSON.stringify(value)])
    case 'object':
      return value === null ? random.pick(['null', '', 'None']) : random.pick<unknown>([textOf(value), textOf(value), Array.isArray(value) ? value[0] ?? '' : value, null, ''])
    default:
      return value
  }
}

function anything(random: RandomSource): unknown {
  return random.pick<unknown>([random.pick(NUMERALS), random.pick(TEXTS), random.pick(VALUES)])
}

function textOf(value: object): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each))
}
