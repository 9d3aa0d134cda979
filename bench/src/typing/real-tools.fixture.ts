import { readdirSync, readFileSync } from 'node:fs'
import type { ParameterKind } from './typing-oracle.fixture.ts'

/** A JSON Schema as its server gave it. */
export type Schema = { readonly [key: string]: unknown }

/** A tool of a real server. */
export type RealTool = { readonly name: string; readonly inputSchema: Schema }

/** A way into a schema: a property, the item of an array, or a branch of a union. */
type Step = { readonly kind: 'property'; readonly name: string } | { readonly kind: 'item' } | { readonly kind: 'branch'; readonly word: 'anyOf' | 'oneOf'; readonly at: number }

/** An integer, number or boolean parameter of a tool, at any depth. */
export type Parameter = {
  readonly kind: ParameterKind
  readonly isNullable: boolean
  readonly isTop: boolean
  readonly isOptional: boolean
  /** True where a union stands on the way: another branch may have its say. */
  readonly isInUnion: boolean
  readonly schema: Schema
  readonly steps: readonly Step[]
  readonly pointer: string
}

const MOST_LEVELS = 8

/** The tools of every server in the folder. */
export function readRealTools(folder: URL): readonly RealTool[] {
  return readdirSync(folder).filter((name) => name !== 'SUMMARY.json').toSorted().flatMap((file) => {
    const { tools = [] } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { readonly tools?: readonly RealTool[] }
    return tools.map((tool) => ({ name: `${file}:${tool.name}`, inputSchema: tool.inputSchema }))
  })
}

/** Every parameter of the three kinds, `null` beside it admitted; those that admit text too are left out. */
export function parametersOf({ inputSchema: root }: RealTool): readonly Parameter[] {
  const found: Parameter[] = []
  const walk = (given: unknown, steps: readonly Step[], isOptional: boolean): void => {
    const schema = resolved(root, given)
    if (schema === undefined || steps.length > MOST_LEVELS) return
    const types = [schema['type']].flat()
    const [kind, ...others] = types.filter((type) => type !== 'null')
    if ((kind === 'integer' || kind === 'number' || kind === 'boolean') && others.length === 0) {
      const isInUnion = steps.some((step) => step.kind === 'branch')
      const pointer = steps.flatMap((step) => (step.kind === 'property' ? [`/${step.name}`] : step.kind === 'item' ? ['/0'] : [])).join('')
      found.push({ kind, isNullable: types.includes('null'), isTop: steps.length === 1, isOptional, isInUnion, schema, steps, pointer })
    }
    const required = [schema['required']].flat()
    for (const [name, child] of Object.entries((schema['properties'] ?? {}) as Schema)) walk(child, [...steps, { kind: 'property', name }], !required.includes(name))
    if (!Array.isArray(schema['items'])) walk(schema['items'], [...steps, { kind: 'item' }], false)
    for (const word of ['anyOf', 'oneOf'] as const) {
      ((schema[word] ?? []) as readonly unknown[]).forEach((branch, at) => walk(branch, [...steps, { kind: 'branch', word, at }], isOptional))
    }
  }
  walk(root, [], false)
  return found
}

/** Arguments that hold what is required and, at the end of the steps, `value`; left out there where `value` is undefined. */
export function argumentsWith(root: Schema, steps: readonly Step[], value: unknown): unknown {
  const build = (given: unknown, [step, ...rest]: readonly Step[]): unknown => {
    if (step === undefined) return value
    const schema = resolved(root, given) ?? {}
    if (step.kind === 'branch') return build((schema[step.word] as readonly unknown[])[step.at], rest)
    if (step.kind === 'item') {
      const more = Math.max(0, Number(schema['minItems'] ?? 1) - 1)
      return [build(schema['items'], rest), ...Array.from({ length: more }, () => smallest(root, schema['items'], 0))]
    }
    const own = build((schema['properties'] as Schema)[step.name], rest)
    const others = Object.entries(smallest(root, { ...schema, type: 'object', anyOf: undefined, oneOf: undefined }, 0) as Schema).filter(([name]) => name !== step.name)
    return Object.fromEntries(own === undefined ? others : [...others, [step.name, own]])
  }
  return build(root, steps)
}

/** A small value of a schema, as far as the keywords that real tools use go. */
function smallest(root: Schema, given: unknown, depth: number): unknown {
  const schema = resolved(root, given)
  if (schema === undefined || depth > MOST_LEVELS) return 'text'
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  const [branch] = ((schema['anyOf'] ?? schema['oneOf'] ?? []) as readonly unknown[])
  if (branch !== undefined) return smallest(root, branch, depth + 1)
  const [type] = [schema['type']].flat()
  switch (type) {
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? (schema['exclusiveMinimum'] === undefined ? 1 : Number(schema['exclusiveMinimum']) + 1))
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array':
      return Array.from({ length: Number(schema['minItems'] ?? 0) }, () => smallest(root, schema['items'], depth + 1))
    case 'object':
      return Object.fromEntries(((schema['required'] ?? []) as readonly string[]).map((name) => [name, smallest(root, ((schema['properties'] ?? {}) as Schema)[name], depth + 1)]))
    default:
      return 'text'.padEnd(Number(schema['minLength'] ?? 0), 'x')
  }
}

function resolved(root: Schema, given: unknown, depth = 0): Schema | undefined {
  if (typeof given !== 'object' || given === null || depth > MOST_LEVELS) return undefined
  const ref = (given as Schema)['$ref']
  if (typeof ref !== 'string') return given as Schema
  const target = ref.replace(/^#\/?/, '').split('/').filter((token) => token !== '').reduce((at: unknown, token) => (at as Schema | undefined)?.[token], root)
  return resolved(root, target, depth + 1)
}
