import { CallgateError, Candidate, canonicalJson, formatPointer, sha256Hex } from '@callgate/core'
import type { Attempt, JsonObject, JsonValue, Policy, Proposal, Reason } from '@callgate/core'
import { ArgumentsSchema } from './arguments-schema.ts'
import type { Compilation } from './compile-schema.ts'
import { boundReasons } from './fault-reasons.ts'
import { isJsonObject } from './json-shape.ts'
import { LruCache } from './lru-cache.ts'
import { boundFaults, copyBounds } from './property-bounds.ts'
import type { ToolBounds } from './property-bounds.ts'
import { createPrimitives } from './read-text.ts'
import type { Primitives } from './read-text.ts'
import { showValue } from './show-value.ts'
import { typeArguments } from './type-arguments.ts'
import type { Typing } from './type-arguments.ts'

/** How the policy types: `mode` names the tier; the rest tightens or opens it (contract 8). */
export type SchemaTypistOptions = {
  /** Only `strict` so far; `basic` and `flexible` are refused as `unsupported`. */
  readonly mode: 'strict' | 'basic' | 'flexible'
  /** Opts in to reading the texts `true` and `false`; default false. */
  readonly lowercaseBooleans?: boolean | undefined
  /** What becomes of arguments that cannot be repaired: refused (default), or forwarded so that the server answers. */
  readonly invalid?: 'refuse' | 'forward' | undefined
  /** Bounds that are tighter than the tools' schemas; they refuse whatever `invalid` says. */
  readonly tools?: ToolBounds | undefined
}

const FIELD = 'arguments'
const MOST_SCHEMAS = 500
/** Counts up where the same options come to mean something else. */
const RELEASE = '1'
const DIGEST_LENGTH = 16
const ABSTAIN: Proposal = Object.freeze({ kind: 'abstain' })

/** Types a call's arguments by the tool's own JSON Schema (contract 8), tier `strict`. Without an `ArgumentsSchema` it abstains. */
export class SchemaTypistPolicy implements Policy {
  readonly id: string = 'schema-typist'
  /** Differs where the options differ: a person's yes holds for the policies as they were. */
  readonly version: string
  readonly owns: (attempt: Attempt) => readonly string[]
  readonly #primitives: Primitives
  readonly #forwards: boolean
  readonly #tools: ToolBounds
  readonly #compilations = new LruCache<string, Compilation>(MOST_SCHEMAS)

  /** Throws `unsupported` for a tier that is not built, `invalid_option` for what is no option. */
  constructor({ mode, lowercaseBooleans = false, invalid = 'refuse', tools = {} }: SchemaTypistOptions) {
    if (mode === 'basic' || mode === 'flexible') {
      throw new CallgateError('unsupported', `Typing mode ${mode} comes later; use strict.`)
    }
    if (mode !== 'strict') throw new CallgateError('invalid_option', 'SchemaTypistPolicy: mode must be strict.')
    if (typeof lowercaseBooleans !== 'boolean') {
      throw new CallgateError('invalid_option', 'SchemaTypistPolicy: lowercaseBooleans must be true or false.')
    }
    if (invalid !== 'refuse' && invalid !== 'forward') {
      throw new CallgateError('invalid_option', 'SchemaTypistPolicy: invalid must be refuse or forward.')
    }
    this.#primitives = createPrimitives(lowercaseBooleans)
    this.#forwards = invalid === 'forward'
    this.#tools = copyBounds(tools)
    this.version = versionOf({ mode, lowercaseBooleans, invalid, tools: this.#tools })
    this.owns = (attempt) => this.#owned(attempt)
    Object.freeze(this)
  }

  evaluate(attempt: Attempt): Proposal {
    const { fields } = attempt.candidate
    if (!Object.hasOwn(fields, FIELD)) return ABSTAIN
    switch (`${attempt.phase}:${attempt.event}`) {
      case 'pre:tool.call':
        return this.#propose(attempt, fields[FIELD])
      case 'post:tool.failure':
        return this.#observe(attempt, fields[FIELD])
      default:
        return ABSTAIN
    }
  }

  #propose(attempt: Attempt, args: JsonValue | undefined): Proposal {
    const bounds = ownBounds(this.#tools, attempt.target.tool)
    if (!isJsonObject(args)) {
      const isJudged = ArgumentsSchema.isGenuine(attempt.schema) && !this.#forwards
      return isJudged || Object.keys(bounds).length > 0 ? denyNoObject(args) : ABSTAIN
    }
    const typing = this.#typing(attempt, args)
    if (typing === undefined) {
      const faults = boundFaults(args, bounds)
      return faults.length === 0 ? ABSTAIN : deny(faults)
    }
    switch (typing.kind) {
      case 'valid': {
        const faults = boundFaults(args, bounds)
        return faults.length === 0 ? { kind: 'accept' } : deny(faults)
      }
      case 'repaired': {
        const faults = boundFaults(typing.args, bounds)
        if (faults.length > 0) return deny(faults)
        return { kind: 'repair', candidate: Candidate.of({ ...attempt.candidate.fields, [FIELD]: typing.args }), reasons: typing.casts }
      }
      case 'invalid': {
        if (!this.#forwards) return deny(withFaults(typing.reasons, boundFaults(typing.attempted, bounds)))
        const standing = withFaults(typing.unsafe, boundFaults(args, bounds))
        return standing.length === 0 ? ABSTAIN : deny(standing)
      }
    }
  }

  #observe(attempt: Attempt, args: JsonValue | undefined): Proposal {
    const typing = isJsonObject(args) ? this.#typing(attempt, args) : undefined
    if (typing?.kind !== 'repaired' || boundFaults(typing.args, ownBounds(this.#tools, attempt.target.tool)).length > 0) return ABSTAIN
    return { kind: 'observe', reasons: typing.casts.map(({ pointer = '' }) => ({ code: 'safe_cast_available', pointer })) }
  }

  /** Undefined where no schema of ours speaks. */
  #typing(attempt: Attempt, args: JsonObject): Typing | undefined {
    const compilation = this.#compilation(attempt)
    return compilation?.kind === 'compiled' ? typeArguments(args, compilation.compiled, this.#primitives) : undefined
  }

  #compilation({ schema }: Attempt): Compilation | undefined {
    return ArgumentsSchema.isGenuine(schema) ? this.#compilations.get(schema.digest, () => schema.compilation) : undefined
  }

  #owned(attempt: Attempt): readonly string[] {
    const compilation = this.#compilation(attempt)
    return compilation?.kind === 'compiled' ? [...compilation.compiled.annotations.keys()].map((name) => `/${FIELD}${formatPointer([name])}`) : []
  }
}

function versionOf(options: JsonObject): string {
  return `${RELEASE}-${sha256Hex(canonicalJson(options)).slice(0, DIGEST_LENGTH)}`
}

function ownBounds(tools: ToolBounds, tool: string): ToolBounds[string] {
  return Object.hasOwn(tools, tool) ? (tools[tool] ?? {}) : {}
}

function denyNoObject(args: JsonValue | undefined): Proposal {
  const message = `/${FIELD}: ${showValue(args)} was sent; arguments are an object. For example: {}.`
  return deny([{ code: 'type_mismatch', pointer: `/${FIELD}`, message }])
}

/** The reasons, and the faults of all other places. */
function withFaults(reasons: readonly Reason[], faults: readonly Reason[]): readonly Reason[] {
  return [...reasons, ...faults.filter(({ pointer }) => !reasons.some((known) => known.pointer === pointer))]
}

function deny(reasons: readonly Reason[]): Proposal {
  return { kind: 'deny', reasons: boundReasons(reasons) }
}
