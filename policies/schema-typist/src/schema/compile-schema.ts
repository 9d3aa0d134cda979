import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import type { JsonObject, JsonValue } from '@callgate/core'
import { annotationsOf } from './annotations.ts'
import type { Annotation } from './annotations.ts'
import { createDescribedPointers } from './described-pointers.ts'
import type { DescribedPointers } from './described-pointers.ts'
import { isJsonObject, ownValue } from '../json-shape.ts'
import { createValidator } from './create-validator.ts'
import type { Dialect, ValidatorSettings } from './create-validator.ts'
import { createPartValidators } from './part-validators.ts'
import type { PartValidator } from './part-validators.ts'
import { createPatternEngine } from './pattern-engine.ts'
import { createPlaces } from './create-places.ts'
import type { SchemaPlace } from './schema-place.ts'
import { prepareSchema } from './prepare-schema.ts'
import { createValidationSteps } from './validation-steps.ts'
import { toValidatorValue } from './validator-value.ts'

/** The largest schema that is compiled: JSON values in it, characters in its keys and texts, nesting. */
export const SCHEMA_BOUNDS: { readonly values: number; readonly characters: number; readonly depth: number } = Object.freeze({
  values: 20_000,
  characters: 512 * 1024,
  depth: 64,
})

/** A tool's schema, ready to judge arguments. What judges throws what the validator throws (endless recursion), `ValidationTooLong` and `UncheckedText`. */
export type CompiledSchema = {
  readonly annotations: ReadonlyMap<string, Annotation>
  /** The pointers of the annotations. */
  readonly pointers: readonly string[]
  /** The pointers of all properties at the top that the schema describes. */
  readonly describedIn: DescribedPointers
  readonly root: JsonObject
  /** The schema as it was handed in, with the words that its dialect passes over: a server may read them all the same. */
  readonly written: JsonObject
  /** What the schema says of the whole arguments, and from there of every place in them. */
  readonly place: SchemaPlace
  /** Judges by one part of the schema, within the steps that the last whole validation left. */
  readonly isValidPart: PartValidator
  /** Takes a validator's value (`toValidatorValue`). */
  isValid(value: unknown): boolean
  /** Every fault where `all`, else the first; empty for a valid value. */
  faults(value: unknown, all: boolean): readonly ErrorObject[]
}

/** A compiled schema, or why there is none. */
export type Compilation =
  | { readonly kind: 'compiled'; readonly compiled: CompiledSchema }
  | { readonly kind: 'failed'; readonly problem: string }

// The name under which parts of the schema are found.
const WHOLE = 'tool'

/** Compiles a tool's input schema in a validator of its own; total: whatever is wrong becomes the `problem`. */
export function compileSchema(inputSchema: JsonValue): Compilation {
  if (!isJsonObject(inputSchema)) return failed('it is no object')
  const problem = unfitness(inputSchema)
  if (problem !== undefined) return failed(problem)
  const dialect = dialectOf(ownValue(inputSchema, '$schema'))
  if (dialect === '2020-12' && hasStrayDynamicRef(inputSchema)) return failed('a $dynamicRef in it leads elsewhere than to the $dynamicAnchor of the whole, and cannot be followed')
  if (dialect === undefined) return failed('its $schema is neither 2020-12 nor draft-07')
  const root = prepareSchema(inputSchema, dialect)
  const schema = toValidatorValue(root) as object
  const settings: ValidatorSettings = { dialect, patterns: createPatternEngine(), steps: createValidationSteps() }
  try {
    const first = compile(schema, settings, false)
    let every: ValidateFunction | undefined
    const all = (): ValidateFunction => (every ??= compile(schema, settings, true))
    const place = createPlaces(root, { isDraft07: dialect === 'draft-07', patterns: settings.patterns })
    let parts: Ajv | undefined
    const isValidPart = createPartValidators(root, first, (fragment) => {
      parts ??= createValidator(settings, false).addSchema(schema, WHOLE)
      return parts.getSchema(`${WHOLE}#${fragment}`)
    })
    const annotations = annotationsOf(root)
    const pointers = Object.freeze(Array.from(annotations.values(), ({ pointer }) => pointer))
    return { kind: 'compiled', compiled: { ...createJudges(settings, first, all), root, written: inputSchema, annotations, pointers, describedIn: createDescribedPointers(annotations, place), place, isValidPart } }
  } catch (cause) {
    return failed(cause instanceof Error ? cause.message.slice(0, 300) : 'the validator gave up')
  }
}

function createJudges({ patterns, steps }: ValidatorSettings, first: ValidateFunction, all: () => ValidateFunction): Pick<CompiledSchema, 'isValid' | 'faults'> {
  const begin = (): void => {
    patterns.begin()
    steps.begin()
  }
  return {
    isValid(value) {
      begin()
      return first(value)
    },
    faults(value, wantsAll) {
      begin()
      const validate = wantsAll ? all() : first
      return validate(value) ? [] : (validate.errors ?? [])
    },
  }
}

function compile(schema: object, settings: ValidatorSettings, allErrors: boolean): ValidateFunction {
  const validate = createValidator(settings, allErrors).compile(schema)
  // An asynchronous validator answers with a promise, and a promise is no verdict.
  if ('$async' in validate) throw new Error('asynchronous schemas are not admitted')
  return validate
}

function dialectOf($schema: JsonValue | undefined): Dialect | undefined {
  if ($schema === undefined) return '2020-12'
  if (typeof $schema !== 'string') return undefined
  const name = $schema.replace(/^https?:/, '').replace(/#$/, '')
  if (name === '//json-schema.org/draft/2020-12/schema') return '2020-12'
  return name === '//json-schema.org/draft-07/schema' ? 'draft-07' : undefined
}

/** Why a schema is not handed to the validator: its size, or a key that the validator passes over. */
function unfitness(schema: JsonValue): string | undefined {
  const waiting: { readonly value: JsonValue; readonly depth: number }[] = [{ value: schema, depth: 1 }]
  let values = 0
  let characters = 0
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const { value, depth } = item
    if (depth > SCHEMA_BOUNDS.depth) return `it exceeds the bound of depth ${SCHEMA_BOUNDS.depth}`
    if ((values += 1) > SCHEMA_BOUNDS.values) return `it exceeds the bound of ${SCHEMA_BOUNDS.values} values`
    const entries = Array.isArray(value) || isJsonObject(value) ? Object.entries(value as object) : []
    characters += typeof value === 'string' ? value.length : entries.reduce((sum, [key]) => sum + key.length, 0)
    if (characters > SCHEMA_BOUNDS.characters) return `it exceeds the bound of ${SCHEMA_BOUNDS.characters} characters`
    for (const [key, child] of entries) {
      if (key === '__proto__') return 'it describes a property named __proto__, which the validator cannot check'
      waiting.push({ value: child as JsonValue, depth: depth + 1 })
    }
  }
  return undefined
}

/** The validator takes every dynamic reference for one to the whole schema: what leads elsewhere would be admitted unseen. */
function hasStrayDynamicRef(root: JsonObject): boolean {
  const anchor = ownValue(root, '$dynamicAnchor')
  const waiting: JsonValue[] = [root]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) waiting.push(...(value as readonly JsonValue[]))
    if (!isJsonObject(value)) continue
    const reference = ownValue(value, '$dynamicRef')
    if (typeof reference === 'string' && (typeof anchor !== 'string' || reference !== `#${anchor}`)) return true
    waiting.push(...Object.values(value))
  }
  return false
}

function failed(problem: string): Compilation {
  return { kind: 'failed', problem: `The input schema does not compile: ${problem}.` }
}
