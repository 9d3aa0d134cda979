import { Ajv } from 'ajv'
import type { ErrorObject, Options, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonObject, JsonValue } from '@callgate/core'
import { annotationsOf } from './annotations.ts'
import type { Annotation } from './annotations.ts'
import { isJsonObject, ownValue } from './json-shape.ts'
import { toValidatorValue } from './validator-value.ts'

/** The largest schema that is compiled: JSON values in it, characters in its keys and texts, nesting. */
export const SCHEMA_BOUNDS: { readonly values: number; readonly characters: number; readonly depth: number } = Object.freeze({
  values: 20_000,
  characters: 512 * 1024,
  depth: 64,
})

/** A tool's schema, ready to judge arguments. `isValid` and `faults` throw what the validator throws (endless recursion). */
export type CompiledSchema = {
  readonly annotations: ReadonlyMap<string, Annotation>
  readonly root: JsonObject
  /** Takes a validator's value (`toValidatorValue`). */
  isValid(value: unknown): boolean
  /** Every fault where `all`, else the first; empty for a valid value. */
  faults(value: unknown, all: boolean): readonly ErrorObject[]
}

/** A compiled schema, or why there is none. */
export type Compilation =
  | { readonly kind: 'compiled'; readonly compiled: CompiledSchema }
  | { readonly kind: 'failed'; readonly problem: string }

// Nothing is coerced, filled in, removed, fetched or logged; `format` is not asserted (contract 8).
const OPTIONS: Options = {
  strict: false,
  validateFormats: false,
  validateSchema: false,
  meta: false,
  logger: false,
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
  ownProperties: true,
  inlineRefs: false,
  multipleOfPrecision: 6,
}

/** Compiles a tool's input schema in a validator of its own; total: whatever is wrong becomes the `problem`. */
export function compileSchema(inputSchema: JsonValue): Compilation {
  if (!isJsonObject(inputSchema)) return failed('it is no object')
  const bound = exceeded(inputSchema)
  if (bound !== undefined) return failed(`it exceeds the bound of ${bound}`)
  const dialect = dialectOf(ownValue(inputSchema, '$schema'))
  if (dialect === undefined) return failed('its $schema is neither 2020-12 nor draft-07')
  const schema = toValidatorValue(inputSchema) as object
  try {
    const first = compile(dialect, schema, false)
    let every: ValidateFunction | undefined
    const all = (): ValidateFunction => (every ??= compile(dialect, schema, true))
    return { kind: 'compiled', compiled: compiledSchema(inputSchema, first, all) }
  } catch (cause) {
    return failed(cause instanceof Error ? cause.message.slice(0, 300) : 'the validator gave up')
  }
}

function compiledSchema(root: JsonObject, first: ValidateFunction, all: () => ValidateFunction): CompiledSchema {
  return {
    root,
    annotations: annotationsOf(root),
    isValid: (value) => first(value),
    faults(value, wantsAll) {
      const validate = wantsAll ? all() : first
      return validate(value) ? [] : (validate.errors ?? [])
    },
  }
}

function compile(dialect: 'draft-07' | '2020-12', schema: object, allErrors: boolean): ValidateFunction {
  const options = { ...OPTIONS, allErrors, verbose: true }
  const validate = (dialect === 'draft-07' ? new Ajv(options) : new Ajv2020(options)).compile(schema)
  // An asynchronous validator answers with a promise, and a promise is no verdict.
  if ('$async' in validate) throw new Error('asynchronous schemas are not admitted')
  return validate
}

function dialectOf($schema: JsonValue | undefined): 'draft-07' | '2020-12' | undefined {
  if ($schema === undefined) return '2020-12'
  if (typeof $schema !== 'string') return undefined
  const name = $schema.replace(/^https?:/, '').replace(/#$/, '')
  if (name === '//json-schema.org/draft/2020-12/schema') return '2020-12'
  return name === '//json-schema.org/draft-07/schema' ? 'draft-07' : undefined
}

function exceeded(schema: JsonValue): string | undefined {
  const waiting: { readonly value: JsonValue; readonly depth: number }[] = [{ value: schema, depth: 1 }]
  let values = 0
  let characters = 0
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const { value, depth } = item
    if (depth > SCHEMA_BOUNDS.depth) return `depth ${SCHEMA_BOUNDS.depth}`
    if ((values += 1) > SCHEMA_BOUNDS.values) return `${SCHEMA_BOUNDS.values} values`
    const entries = Array.isArray(value) || isJsonObject(value) ? Object.entries(value as object) : []
    characters += typeof value === 'string' ? value.length : entries.reduce((sum, [key]) => sum + key.length, 0)
    if (characters > SCHEMA_BOUNDS.characters) return `${SCHEMA_BOUNDS.characters} characters`
    for (const [, child] of entries) waiting.push({ value: child as JsonValue, depth: depth + 1 })
  }
  return undefined
}

function failed(problem: string): Compilation {
  return { kind: 'failed', problem: `The input schema does not compile: ${problem}.` }
}
