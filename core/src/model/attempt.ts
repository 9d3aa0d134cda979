import { CallgateError } from './callgate-error.ts'
import type { Candidate } from './candidate.ts'
import type { JsonObject } from './json-value.ts'

/** When an attempt is put before the kernel: before the tool runs, or after (contract 4). */
export type AttemptPhase = 'pre' | 'post'

/** What happened in that phase (contract 4). */
export type AttemptEvent = 'tool.call' | 'tool.success' | 'tool.failure'

/** What an attempt is about: the adapter's id, the tool's name, and the server's where there is one. */
export type AttemptTarget = { readonly adapter: string; readonly tool: string; readonly server?: string }

/** A schema that the host supplies: opaque to the kernel, known again by the policies that made it. */
export type AttemptSchema = {
  readonly schemaId: string
  readonly version: string
  /**
   * Why arguments do not satisfy the schema, or carry a property that differs from one of its own in letter case only, as a
   * sentence for the model; undefined where they do. A schema without it cannot vouch for arguments (contract 9).
   */
  faultOf?(args: JsonObject): string | undefined
}

/** What `Attempt.create` takes. */
export type AttemptFields = {
  readonly phase: AttemptPhase
  readonly event: AttemptEvent
  readonly target: AttemptTarget
  readonly candidate: Candidate
  readonly schema?: AttemptSchema | undefined
}

const MADE_HERE: unique symbol = Symbol('made by Attempt')

/** One lifecycle event put before the kernel (contract 4): frozen, made only by `Attempt.create`. */
export class Attempt {
  readonly #isMade: boolean = true
  readonly phase: AttemptPhase
  readonly event: AttemptEvent
  readonly target: AttemptTarget
  readonly candidate: Candidate
  declare readonly schema?: AttemptSchema

  private constructor(key: typeof MADE_HERE, fields: AttemptFields) {
    if (key !== MADE_HERE) throw invalid('an attempt is made by Attempt.create')
    this.phase = fields.phase
    this.event = fields.event
    this.target = fields.target
    this.candidate = fields.candidate
    if (fields.schema !== undefined) this.schema = fields.schema
    Object.freeze(this)
  }

  /**
   * Throws `invalid_attempt` for a programming error: a phase or event that is no text, a target without its names, a schema
   * without its id. What is wrong in meaning (an unknown pair, a candidate that only looks like one) is left to admission.
   */
  static create(fields: AttemptFields): Attempt {
    if (typeof fields !== 'object' || fields === null) throw invalid('pass an object of phase, event, target and candidate')
    const { phase, event, target, candidate, schema } = fields
    if (typeof phase !== 'string' || typeof event !== 'string') throw invalid('phase and event are texts, such as "pre" and "tool.call"')
    const known = schema ?? undefined
    if (known !== undefined) checkSchema(known)
    return new Attempt(MADE_HERE, { phase, event, target: copyTarget(target), candidate, schema: known })
  }

  /** Tells a genuine attempt from what looks like one, proxies included. */
  static isAttempt(value: unknown): value is Attempt {
    return typeof value === 'object' && value !== null && #isMade in value
  }
}

function copyTarget(target: AttemptTarget): AttemptTarget {
  if (typeof target !== 'object' || target === null) throw invalid('target is an object of adapter and tool')
  const { adapter, tool, server } = target
  if (typeof adapter !== 'string' || typeof tool !== 'string') throw invalid('target.adapter and target.tool are texts')
  if (server === undefined) return Object.freeze({ adapter, tool })
  if (typeof server !== 'string') throw invalid('target.server is a text, or left out')
  return Object.freeze({ adapter, tool, server })
}

function checkSchema(schema: AttemptSchema): void {
  if (typeof schema !== 'object') throw invalid('schema is an object such as PrimitiveSchema.create returns')
  if (typeof schema.schemaId !== 'string' || typeof schema.version !== 'string') throw invalid('a schema has a schemaId and a version, both texts')
}

function invalid(what: string): CallgateError {
  return new CallgateError('invalid_attempt', `Not an attempt: ${what}.`)
}
