import { applyChanges } from './apply-changes.ts'
import { CallgateError } from './callgate-error.ts'
import { canonicalJson } from './canonical.ts'
import { sha256Hex } from './digest.ts'
import { exactCopy } from './exact-copy.ts'
import { isObject } from './json-shape.ts'
import type { JsonObject, JsonValue } from './json-value.ts'
import { parseWire } from './parse-wire.ts'
import type { Change } from './pointer.ts'
import { WireNumber } from './wire-number.ts'

const MADE_HERE: unique symbol = Symbol('made by Candidate')

const ARGUMENTS: readonly string[] = Object.freeze(['arguments'])

let withFields: (fields: JsonObject) => Candidate

/**
 * The complete value being admitted (contract 2): exact, deep-frozen, made only by `of`, `ofArguments` and `ofWire`.
 * Each throws `inexact_candidate`, naming where the value is not exact and what stands there.
 */
export class Candidate {
  /** The fields by name; whole arguments are the one field `arguments`. */
  readonly fields: JsonObject
  #digest: string | undefined

  private constructor(key: typeof MADE_HERE, fields: JsonObject) {
    if (key !== MADE_HERE) throw inexact('A candidate is made by Candidate.of, Candidate.ofArguments or Candidate.ofWire.')
    this.fields = fields
    Object.freeze(this)
  }

  /** A candidate of named fields, such as `{ argument: '7' }`. */
  static of(fields: Readonly<Record<string, unknown>>): Candidate {
    const copy = exactCopy(fields)
    if (!isObject(copy)) throw inexact(`The fields are ${kindOf(copy)}; pass a plain object of named fields.`)
    return new Candidate(MADE_HERE, copy)
  }

  /** A candidate of a call's whole arguments, which must be an object: the one field `arguments`. */
  static ofArguments(args: unknown): Candidate {
    return Candidate.#ofFields(Object.freeze({ arguments: exactCopy(args, ARGUMENTS) }))
  }

  /**
   * `ofArguments` from the JSON text that was sent: no number is rounded. Syntax errors (the `cause` is the `invalid_json`),
   * duplicate keys and numbers without a double (`1e400`) are inexact too.
   */
  static ofWire(text: string): Candidate {
    if (typeof text !== 'string') throw inexact('/arguments is no JSON text; pass what was sent as a string.')
    return Candidate.#ofFields(Object.freeze({ arguments: parseWire(text, '/arguments') }))
  }

  /** Tells a genuine candidate from what looks like one, proxies included. */
  static isCandidate(value: unknown): value is Candidate {
    return typeof value === 'object' && value !== null && #digest in value
  }

  /** SHA-256, hex, over the canonical JSON of the fields (contract 3); computed when first read. */
  get digest(): string {
    this.#digest ??= sha256Hex(canonicalJson(this.fields))
    return this.#digest
  }

  static {
    withFields = (fields) => new Candidate(MADE_HERE, fields)
  }

  static #ofFields(fields: JsonObject): Candidate {
    const args = fields['arguments']
    if (!isObject(args)) throw inexact(`/arguments is ${kindOf(args)}; the arguments of a call are an object.`)
    return new Candidate(MADE_HERE, fields)
  }
}

/**
 * The candidate with the changes that lead to another candidate (`diffValues`): exact and frozen as both are, so that nothing is
 * copied again. Throws `invalid_option` for a pointer that leads nowhere.
 */
export function changedCandidate(candidate: Candidate, changes: readonly Change[]): Candidate {
  return withFields(applyChanges(candidate.fields, changes))
}

function kindOf(value: JsonValue | undefined): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return WireNumber.isWireNumber(value) ? 'a number' : `a ${typeof value}`
}

function inexact(message: string): CallgateError {
  return new CallgateError('inexact_candidate', message)
}
