import { _, Ajv } from 'ajv'
import type { CodeKeywordDefinition, Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createMultipleTest } from './decimal-multiple.ts'
import type { PatternEngine } from './pattern-engine.ts'
import type { ValidationSteps } from './validation-steps.ts'

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

const REFERENCES = ['$ref', '$dynamicRef'] as const

/** What the validators of one schema share: its dialect, its patterns, and the steps that a validation may take. */
export type ValidatorSettings = { readonly dialect: Dialect; readonly patterns: PatternEngine; readonly steps: ValidationSteps }

/** A validator of its own for one schema: its patterns are the engine's, its multiples exact, and it throws beyond its steps. */
export function createValidator({ dialect, patterns, steps }: ValidatorSettings, allErrors: boolean): Ajv {
  const regExp = Object.assign((source: string, flags: string) => patterns.create(source, flags), { code: 'bounded' })
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
  for (const keyword of REFERENCES) countSteps(validator, keyword, steps)
  return validator
}

/** Has a reference counted before it is followed. The rule stays where it is, since the order of rules is that of their faults. */
function countSteps({ RULES }: Ajv, keyword: string, steps: ValidationSteps): void {
  const rule = RULES.all[keyword]
  if (typeof rule !== 'object') return
  const definition = rule.definition as CodeKeywordDefinition
  const { code } = definition
  definition.code = (context, ruleType) => {
    const follow = context.gen.scopeValue('func', { ref: steps.follow })
    context.gen.code(_`${follow}(${context.data})`)
    code(context, ruleType)
  }
}
