import { CallgateError, Candidate, canonicalJson, sha256Hex } from '@callgate/core'
import type { AttemptSchema, JsonObject, JsonValue } from '@callgate/core'
import { argumentsFault } from './faults/arguments-fault.ts'
import { compileSchema } from './schema/compile-schema.ts'
import type { Compilation } from './schema/compile-schema.ts'
import { createShowAt } from './faults/redaction.ts'
import type { RedactPointer, ShowAt } from './faults/redaction.ts'

/** What `ArgumentsSchema.create` takes: a name and version, and the tool's input schema as its server gave it. */
export type ArgumentsSchemaOptions = {
  readonly schemaId: string
  readonly version: string
  readonly inputSchema: unknown
  /** Whose values `faultOf` does not show; none where it is left out. */
  readonly redact?: RedactPointer | undefined
}

/**
 * A tool's input schema, read at the host and frozen per version (contract 8). One that does not compile is no error here:
 * `compiles` is false, `problem` says why, and no argument is repaired by it. Only `create` makes one.
 */
export class ArgumentsSchema implements AttemptSchema {
  readonly schemaId: string
  readonly version: string
  /** A deep, frozen copy; null where what was given is not exact JSON (contract 2). */
  readonly inputSchema: JsonValue
  readonly #inexact: string | undefined
  readonly #showAt: ShowAt
  #digest: string | undefined
  #compilation: Compilation | undefined

  private constructor({ schemaId, version, inputSchema, redact }: ArgumentsSchemaOptions) {
    for (const [name, value] of Object.entries({ schemaId, version })) {
      if (typeof value === 'string' && value !== '') continue
      throw new CallgateError('invalid_schema', `ArgumentsSchema: ${name} must be a text that is not empty.`)
    }
    this.schemaId = schemaId
    this.version = version
    const copy = exactCopy(inputSchema)
    this.inputSchema = copy.value
    this.#inexact = copy.problem
    this.#showAt = createShowAt(redact)
    Object.freeze(this)
  }

  /** Throws `invalid_schema` only for an empty `schemaId` or `version`. */
  static create(options: ArgumentsSchemaOptions): ArgumentsSchema {
    return new ArgumentsSchema(options)
  }

  /** True only for what `create` made. */
  static isGenuine(value: unknown): value is ArgumentsSchema {
    return typeof value === 'object' && value !== null && #compilation in value
  }

  /** SHA-256 of the schema's canonical JSON, computed when first read. */
  get digest(): string {
    return (this.#digest ??= sha256Hex(canonicalJson(this.inputSchema)))
  }

  /** Compiled when first read. */
  get compilation(): Compilation {
    return (this.#compilation ??= this.#inexact === undefined
      ? compileSchema(this.inputSchema)
      : { kind: 'failed', problem: this.#inexact })
  }

  /** Why rules must not trust these arguments, as a sentence for the model; undefined where they satisfy the schema (contract 9). */
  faultOf(args: JsonObject): string | undefined {
    return argumentsFault(args, this.compilation, this.#showAt)
  }

  /** Whether arguments can be judged by this schema. */
  get compiles(): boolean {
    return this.compilation.kind === 'compiled'
  }

  /** Why it does not compile; undefined where it does. */
  get problem(): string | undefined {
    return this.compilation.kind === 'failed' ? this.compilation.problem : undefined
  }
}

function exactCopy(inputSchema: unknown): { readonly value: JsonValue; readonly problem?: string } {
  try {
    const { schema } = Candidate.of({ schema: inputSchema }).fields
    return { value: schema ?? null }
  } catch (cause) {
    const what = cause instanceof CallgateError ? cause.message.slice(0, 300) : 'it cannot be read'
    return { value: null, problem: `The input schema is not exact JSON: ${what}` }
  }
}
