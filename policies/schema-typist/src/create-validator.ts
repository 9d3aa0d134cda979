import { Ajv } from 'ajv'
import type { Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createMultipleTest } from './decimal-multiple.ts'
import type { PatternEngine } from './pattern-engine.ts'

/** The dialects of JSON Schema that are read. */
export type Dialect = 'draft-07' | '2020-12'

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
}

/** A validator of its own for one schema, whose patterns are the engine's and whose multiples are exact. */
export function createValidator(dialect: Dialect, engine: PatternEngine, allErrors: boolean): Ajv {
  const regExp = Object.assign((source: string, flags: string) => engine.create(source, flags), { code: 'bounded' })
  const options: Options = { ...OPTIONS, allErrors, verbose: true, code: { regExp } }
  const validator = dialect === 'draft-07' ? new Ajv(options) : new Ajv2020(options)
  // The validator's own divides doubles: with a tolerance it admits what is no multiple, without one it refuses 19.99 under 0.01.
  validator.removeKeyword('multipleOf').addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    compile: createMultipleTest,
    error: { message: ({ schema }) => `must be multiple of ${schema as number}` },
  })
  return validator
}
