import { CallgateError, Candidate, canonicalJson, formatPointer, sha256Hex } from '@callgate/core'
import type { Attempt, JsonObject, JsonValue, Policy, Proposal, Reason } from '@callgate/core'
import { ArgumentsSchema } from './arguments-schema.ts'
import type { Compilation, CompiledSchema } from './schema/compile-schema.ts'
import { boundReasons } from './faults/fault-reasons.ts'
import { isJsonObject } from './json-shape.ts'
import { LruCache } from './lru-cache.ts'
import { boundFaults, copyBounds } from './faults/property-bounds.ts'
import type { ToolBounds } from './faults/property-bounds.ts'
import { readJsonText } from './repair/read-json-text.ts'
import { createPrimitives } from './repair/read-text.ts'
import { createShowAt } from './faults/redaction.ts'
import type { RedactPointer } from './faults/redaction.ts'
import { shapesAt } from './schema/shapes-at.ts'
import { typeArguments } from './repair/type-arguments.ts'
import type { Typing, TypingTerms } from './repair/type-arguments.ts'
import { isTypingTier } from './repair/typing-tier.ts'
import type { TypingTier } from './repair/typing-tier.ts'

/** How the policy types: `mode` names the tier; the rest tightens or opens it (contract 8). */
export type SchemaTypistOptions = {
  readonly mode: TypingTier
  /** Opts in to reading the texts `true` and `false` in the tier `strict`, default false; the wider tiers read them anyway. */
  readonly lowercaseBooleans?: boolean | undefined
  /** What becomes of arguments that cannot be repaired: refused (default), or forwarded so that the server answers. */
  readonly invalid?: 'refuse' | 'forward' | undefined
  /** Bounds that are tighter than the tools' schemas; they refuse whatever `invalid` says. */
  readonly tools?: ToolBounds | undefined
  /** Whose values no message shows; the type and length are said instead. No part of `version`: it changes words only. */
  readonly redact?: RedactPointer | undefined
}

const FIELD = 'arguments'
const MOST_SCHEMAS = 500
/** Counts up where the same options come to mean something else. */
const RELEASE = '1'
const DIGEST_LENGTH = 16
const NOTHING: readonly string[] = Object.freeze([])
const WHOLE: readonly string[] = Object.freeze([`/${FIELD}`])
const UNBOUNDED: ToolBounds[string] = Object.freeze({})
const NO_FAULTS: readonly Reason[] = Object.freeze([])
const ABSTAIN: Proposal = Object.freeze({ kind: 'abstain' })
const ACCEPT: Proposal = Object.freeze({ kind: 'accept' })

/** Types a call's arguments by the tool's own JSON Schema (contract 8), in one of three tiers. Without an `ArgumentsSchema` it abstains. */
export class SchemaTypistPolicy implements Policy {
  readonly id: string = 'schema-typist'
  /** Differs where the options differ: a person's yes holds for the policies as they were. */
  readonly version: string
  readonly owns: (attempt: Attempt) => readonly string[]
  readonly #terms: TypingTerms
  readonly #forwards: boolean
  readonly #tools: ToolBounds
  readonly #compilations = new LruCache<string, Compilation>(MOST_SCHEMAS)

  /** Throws `invalid_option` for what is no option. */
  constructor({ mode, lowercaseBooleans = false, invalid = 'refuse', tools = {}, redact }: SchemaTypistOptions) {
    if (!isTypingTier(mode)) throw invalidOption('mode must be strict, basic or flexible')
    if (typeof lowercaseBooleans !== 'boolean') throw invalidOption('lowercaseBooleans must be true or false')
    if (invalid !== 'refuse' && invalid !== 'forward') throw invalidOption('invalid must be refuse or forward')
    if (redact !== undefined && typeof redact !== 'function') throw invalidOption('redact must be a function of a pointer')
    this.#terms = { tier: mode, primitives: createPrimitives(lowercaseBooleans || mode !== 'strict'), showAt: createShowAt(redact) }
    this.#forwards = invalid === 'forward'
    this.#tools = copyBounds(tools)
    this.version = versionOf({ mode, lowercaseBooleans, invalid, tools: this.#tools })
    this.owns = (attempt) => this.#owned(attempt)
    Object.freeze(this)
  }

  evaluate(attempt: Attempt): Proposal {
    const { phase, event, candidate: { fields } } = attempt
    if (!Object.hasOwn(fields, FIELD)) return ABSTAIN
    if (phase === 'pre' && event === 'tool.call') return this.#propose(attempt, fields[FIELD])
    return phase === 'post' && event === 'tool.failure' ? this.#observe(attempt, fields[FIELD]) : ABSTAIN
  }

  #propose(attempt: Attempt, args: JsonValue | undefined): Proposal {
    const bounds = ownBounds(this.#tools, attempt.target.tool)
    const compiled = this.#compiled(attempt)
    const shapes = compiled?.place.shapes
    const faultsOf = (of: JsonObject): readonly Reason[] =>
      bounds === UNBOUNDED ? NO_FAULTS : boundFaults(of, bounds, (name, value) => this.#terms.showAt(`/${FIELD}${formatPointer([name])}`, value, shapesAt(shapes, [name])).text)
    const typing = this.#typing(args, compiled)
    if (typing === undefined) {
      if (isJsonObject(args)) return denyOr(faultsOf(args), ABSTAIN)
      const isJudged = ArgumentsSchema.isGenuine(attempt.schema) && !this.#forwards
      return isJudged || Object.keys(bounds).length > 0 ? denyNoObject(this.#terms.showAt(`/${FIELD}`, args, shapes).text) : ABSTAIN
    }
    switch (typing.kind) {
      case 'valid':
        return denyOr(faultsOf(args as JsonObject), ACCEPT)
      case 'repaired': {
        const faults = faultsOf(typing.args)
        if (faults.length > 0) return deny(faults)
        return { kind: 'repair', candidate: withArguments(attempt.candidate.fields, typing.args), reasons: typing.casts }
      }
      case 'invalid': {
        if (!this.#forwards) return deny(withFaults(typing.reasons, faultsOf(typing.attempted)))
        // Sent as a text they go on as one, whose bounded properties nobody can read but the server.
        const faults = isJsonObject(args) ? faultsOf(args) : Object.keys(bounds).length > 0 ? typing.reasons : []
        return denyOr(withFaults(typing.unsafe, faults), ABSTAIN)
      }
    }
  }

  #observe(attempt: Attempt, args: JsonValue | undefined): Proposal {
    const typing = this.#typing(args, this.#compiled(attempt))
    if (typing === undefined || typing.kind === 'valid') return ABSTAIN
    const isWhole = typing.kind === 'repaired'
    const faults = boundFaults(isWhole ? typing.args : typing.attempted, ownBounds(this.#tools, attempt.target.tool), () => '')
    const outOfBounds = new Set(faults.map(({ pointer }) => pointer))
    const casts = (isWhole ? typing.casts : typing.safe).filter(({ pointer }) => !outOfBounds.has(pointer))
    if (casts.length === 0) return ABSTAIN
    return { kind: 'observe', reasons: casts.map(({ pointer = '' }) => ({ code: 'safe_cast_available', pointer })) }
  }

  /** Undefined where no schema of ours speaks, and for arguments that are no object and none as a text. */
  #typing(args: JsonValue | undefined, compiled: CompiledSchema | undefined): Typing | undefined {
    if (compiled === undefined) return undefined
    if (isJsonObject(args)) return typeArguments(args, compiled, this.#terms)
    const parsed = typeof args === 'string' && this.#terms.tier === 'flexible' ? readJsonText(args) : undefined
    if (!isJsonObject(parsed)) return undefined
    const typing = typeArguments(parsed, compiled, this.#terms)
    const asText: Reason = { code: 'json_text', pointer: `/${FIELD}` }
    switch (typing.kind) {
      case 'valid':
        return { kind: 'repaired', args: parsed, casts: [asText] }
      case 'repaired':
        return { ...typing, casts: [asText, ...typing.casts] }
      case 'invalid':
        return typing
    }
  }

  #compiled({ schema }: Attempt): CompiledSchema | undefined {
    const compilation = ArgumentsSchema.isGenuine(schema) ? this.#compilations.get(schema.digest, () => schema.compilation) : undefined
    return compilation?.kind === 'compiled' ? compilation.compiled : undefined
  }

  #owned(attempt: Attempt): readonly string[] {
    const compiled = this.#compiled(attempt)
    if (compiled === undefined) return NOTHING
    switch (this.#terms.tier) {
      case 'strict':
        return compiled.pointers
      case 'basic': {
        const args = attempt.candidate.fields[FIELD]
        return compiled.describedIn(isJsonObject(args) ? args : {})
      }
      case 'flexible':
        return WHOLE
    }
  }
}

function versionOf(options: JsonObject): string {
  return `${RELEASE}-${sha256Hex(canonicalJson(options)).slice(0, DIGEST_LENGTH)}`
}

function ownBounds(tools: ToolBounds, tool: string): ToolBounds[string] {
  return Object.hasOwn(tools, tool) ? (tools[tool] ?? UNBOUNDED) : UNBOUNDED
}

function withArguments(fields: JsonObject, args: JsonObject): Candidate {
  return Object.keys(fields).length === 1 ? Candidate.ofArguments(args) : Candidate.of({ ...fields, [FIELD]: args })
}

function denyNoObject(shown: string): Proposal {
  const message = `/${FIELD}: ${shown} was sent; arguments are an object. For example: {}.`
  return deny([{ code: 'type_mismatch', pointer: `/${FIELD}`, message }])
}

/** The reasons, and the faults of all other places. */
function withFaults(reasons: readonly Reason[], faults: readonly Reason[]): readonly Reason[] {
  return [...reasons, ...faults.filter(({ pointer }) => !reasons.some((known) => known.pointer === pointer))]
}

function denyOr(faults: readonly Reason[], otherwise: Proposal): Proposal {
  return faults.length === 0 ? otherwise : deny(faults)
}

function invalidOption(what: string): CallgateError {
  return new CallgateError('invalid_option', `SchemaTypistPolicy: ${what}.`)
}

function deny(reasons: readonly Reason[]): Proposal {
  return { kind: 'deny', reasons: boundReasons(reasons) }
}
