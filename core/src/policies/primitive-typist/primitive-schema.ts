import type { AttemptSchema } from '../../model/attempt.ts'
import { CallgateError } from '../../model/callgate-error.ts'

/** What an integer is admitted against: inclusive bounds, exact integers, `bigint` where they lie outside the safe range. */
export type IntegerSchemaOptions = {
  readonly schemaId: string
  readonly version: string
  readonly expected: 'integer'
  readonly minimum: number | bigint
  readonly maximum: number | bigint
  readonly allowLowercaseBoolean?: false | undefined
}

/** What a boolean is admitted against; `allowLowercaseBoolean` opts in to reading the texts `true` and `false`. */
export type BooleanSchemaOptions = {
  readonly schemaId: string
  readonly version: string
  readonly expected: 'boolean'
  readonly minimum?: undefined
  readonly maximum?: undefined
  readonly allowLowercaseBoolean?: boolean | undefined
}

/** Everything that `PrimitiveSchema.create` takes. */
export type PrimitiveSchemaOptions = IntegerSchemaOptions | BooleanSchemaOptions

/** A primitive's type and inclusive bounds (contract 7), immutable; only `create` makes one, a look-alike is no schema. */
export class PrimitiveSchema implements AttemptSchema {
  readonly #genuine = true
  readonly schemaId: string
  readonly version: string
  readonly expected: 'integer' | 'boolean'
  /** Undefined for a boolean. */
  readonly minimum: number | bigint | undefined
  /** Undefined for a boolean. */
  readonly maximum: number | bigint | undefined
  /** Always false for an integer. */
  readonly allowLowercaseBoolean: boolean

  private constructor(options: PrimitiveSchemaOptions) {
    const { schemaId, version, expected, minimum, maximum, allowLowercaseBoolean = false } = options
    this.schemaId = nonEmpty(schemaId, 'schemaId')
    this.version = nonEmpty(version, 'version')
    if (typeof allowLowercaseBoolean !== 'boolean') throw invalid(schemaId, 'allowLowercaseBoolean must be true or false')
    if (expected === 'integer') {
      this.minimum = exactInteger(minimum, schemaId, 'minimum')
      this.maximum = exactInteger(maximum, schemaId, 'maximum')
      if (this.minimum > this.maximum) throw invalid(schemaId, `minimum ${this.minimum} is above maximum ${this.maximum}`)
      if (allowLowercaseBoolean) throw invalid(schemaId, 'allowLowercaseBoolean belongs to a boolean; leave it out for an integer')
    } else if (expected === 'boolean') {
      if (minimum !== undefined || maximum !== undefined) throw invalid(schemaId, 'a boolean takes no bounds; leave them out')
    } else {
      throw invalid(schemaId, "expected must be 'integer' or 'boolean'")
    }
    this.expected = expected
    this.allowLowercaseBoolean = allowLowercaseBoolean
    Object.freeze(this)
  }

  /** Throws `invalid_schema` for an integer without exact bounds in order, and for what does not belong to the type. */
  static create(options: PrimitiveSchemaOptions): PrimitiveSchema {
    return new PrimitiveSchema(options)
  }

  /** True only for what `create` made: an object that merely looks like a schema is none. */
  static isGenuine(value: unknown): value is PrimitiveSchema {
    return typeof value === 'object' && value !== null && #genuine in value
  }
}

function exactInteger(value: unknown, schemaId: string, name: string): number | bigint {
  if (typeof value === 'bigint') return inSafeRange(value) ? Number(value) : value
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return value as number
  throw invalid(schemaId, `${name} must be an exact integer (a bigint beyond 2^53-1)`)
}

function inSafeRange(value: bigint): boolean {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
}

function nonEmpty(value: unknown, name: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw new CallgateError('invalid_schema', `PrimitiveSchema: ${name} must be a text that is not empty.`)
}

function invalid(schemaId: string, what: string): CallgateError {
  return new CallgateError('invalid_schema', `PrimitiveSchema ${JSON.stringify(schemaId)}: ${what}.`)
}
