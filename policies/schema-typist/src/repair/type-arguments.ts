import type { JsonObject, Reason } from '@callgate/core'
import type { CompiledSchema } from '../schema/compile-schema.ts'
import { faultReasons } from '../faults/fault-reasons.ts'
import { UncheckedText } from '../schema/pattern-engine.ts'
import type { Primitives } from './read-text.ts'
import type { ShowAt } from '../faults/redaction.ts'
import { RepairTooLong } from './repair-budget.ts'
import { repairArguments } from './repair-arguments.ts'
import type { Repair } from './repair-arguments.ts'
import { safeCasts } from './safe-casts.ts'
import { castStrictly } from './strict-casts.ts'
import type { TypingTier } from './typing-tier.ts'
import { showPointer } from '../faults/show-value.ts'
import { unsafeNumbers } from '../schema/unsafe-numbers.ts'
import { isOrdinary, toValidatorValue } from '../schema/validator-value.ts'

/** What a tier says of whole arguments: valid as they are, repaired into valid ones, or not admissible. */
export type Typing =
  | { readonly kind: 'valid' }
  | { readonly kind: 'repaired'; readonly args: JsonObject; readonly casts: readonly Reason[] }
  | {
      readonly kind: 'invalid'
      readonly reasons: readonly Reason[]
      /** The reasons that hold whatever is done with invalid arguments: what was sent is not known. */
      readonly unsafe: readonly Reason[]
      /** The arguments after the casts that were possible: what the reasons are about. */
      readonly attempted: JsonObject
      /** Those of them that were safe; none is made, since the whole stays invalid. */
      readonly safe: readonly Reason[]
    }

/** Beyond so many values, only the first fault is looked for. */
const MOST_VALUES_WITH_ALL_FAULTS = 2_000
const MOST_UNSAFE = 6
const NONE: readonly Reason[] = Object.freeze([])
const VALID: Typing = Object.freeze({ kind: 'valid' })
const WIDER = ['basic', 'flexible'] as const

/** How arguments are typed: the tier, what reads texts in it, and how values are shown in what is said of faults. */
export type TypingTerms = { readonly tier: TypingTier; readonly primitives: Primitives; readonly showAt: ShowAt }

/**
 * Types whole arguments by their schema (contract 8): validates first, repairs by the narrowest tier that ends in valid
 * arguments, and validates the whole each time. Total: arguments at which the validator gives up are not admissible.
 */
export function typeArguments(args: JsonObject, compiled: CompiledSchema, terms: TypingTerms): Typing {
  try {
    return judge(args, compiled, terms)
  } catch (cause) {
    const unsafe = unsafeNumbers(args, MOST_UNSAFE).map(unsafeReason)
    const message = cause instanceof UncheckedText ? cause.message : "The arguments could not be checked against the tool's schema. Send simpler ones."
    return { kind: 'invalid', reasons: [...unsafe, { code: 'constraint', pointer: '/arguments', message }], unsafe, attempted: args, safe: [] }
  }
}

function judge(args: JsonObject, compiled: CompiledSchema, terms: TypingTerms): Typing {
  const { tier, primitives } = terms
  const isKnown = isOrdinary(args)
  const value = isKnown ? args : toValidatorValue(args)
  let last = castStrictly(args, compiled, primitives)
  // A text where one other type is declared is never valid: what strict would cast need not be validated to know that.
  const isValid = last.casts.length === 0 && compiled.isValid(value)
  const unsafe = isKnown ? NONE : unsafeNumbers(args, MOST_UNSAFE).map(unsafeReason)
  if (isValid) return unsafe.length === 0 ? VALID : { kind: 'invalid', reasons: unsafe, unsafe, attempted: args, safe: [] }
  if (isEnacted(last, unsafe, compiled)) return { kind: 'repaired', args: last.args, casts: last.casts }
  for (const wider of WIDER) {
    if (tier === 'strict' || (tier === 'basic' && wider === 'flexible')) break
    const repair = repairWithin(args, compiled, wider, primitives)
    if (repair.casts.length === 0 && repair.ambiguous.length === 0) continue
    last = repair
    if (isEnacted(last, unsafe, compiled)) return { kind: 'repaired', args: last.args, casts: last.casts }
  }
  const isWhole = isSmall(last.args)
  const errors = compiled.faults(last.casts.length === 0 ? value : toValidatorValue(last.args), isWhole)
  const faults = faultReasons(errors, { ...terms, compiled, sent: args, attempted: last.args, ambiguous: last.ambiguous })
  const safe = isWhole ? safeCasts(last.casts, errors) : []
  return { kind: 'invalid', attempted: last.args, safe, ...withUnsafe(faults, unsafe, new Set(errors.filter(isTypeError).map(pointerOf))) }
}

function isEnacted({ args, casts }: Repair, unsafe: readonly Reason[], compiled: CompiledSchema): boolean {
  return casts.length > 0 && unsafe.length === 0 && compiled.isValid(toValidatorValue(args))
}

/** No repair where it takes too long: the arguments are refused as they are. */
function repairWithin(args: JsonObject, compiled: CompiledSchema, tier: 'basic' | 'flexible', primitives: Primitives): Repair {
  try {
    return repairArguments(args, compiled, tier, primitives)
  } catch (cause) {
    if (cause instanceof RepairTooLong) return { args, casts: [], ambiguous: [] }
    throw cause
  }
}

/** An unsafe number speaks before any other fault of its place, but for one: where, there or above, a value of its type is not admitted. */
function withUnsafe(
  faults: readonly Reason[],
  unsafe: readonly Reason[],
  wrongType: ReadonlySet<string>,
): { readonly reasons: readonly Reason[]; readonly unsafe: readonly Reason[] } {
  const standing = unsafe.filter(({ pointer = '' }) => !placesAbove(pointer).some((place) => wrongType.has(place)))
  const places = new Set(standing.map(({ pointer }) => pointer))
  return { reasons: [...standing, ...faults.filter(({ pointer }) => !places.has(pointer))], unsafe: standing }
}

/** The pointer itself and those of all that holds its place. */
function placesAbove(pointer: string): readonly string[] {
  const tokens = pointer.split('/')
  return tokens.map((_, at) => tokens.slice(0, at + 1).join('/'))
}

function unsafeReason(pointer: string): Reason {
  const message = `${showPointer(pointer)} is an integer beyond 2^53-1: its last digits may be lost before this check. Send it as a string where the tool takes one.`
  return { code: 'unsafe_integer', pointer, message }
}

function isTypeError({ keyword }: { readonly keyword: string }): boolean {
  return keyword === 'type'
}

function pointerOf({ instancePath }: { readonly instancePath: string }): string {
  return `/arguments${instancePath}`
}

function isSmall(args: JsonObject): boolean {
  const waiting: unknown[] = [args]
  for (let count = 0; waiting.length > 0; count += 1) {
    const value = waiting.pop()
    if (count === MOST_VALUES_WITH_ALL_FAULTS) return false
    if (typeof value === 'object' && value !== null) waiting.push(...Object.values(value).slice(0, MOST_VALUES_WITH_ALL_FAULTS))
  }
  return true
}
