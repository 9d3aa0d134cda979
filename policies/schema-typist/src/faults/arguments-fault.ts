import type { JsonObject } from '@callgate/core'
import { findCaseTwin } from './case-twins.ts'
import type { Compilation } from '../schema/compile-schema.ts'
import { boundReasons, faultReasons } from './fault-reasons.ts'
import { UncheckedText } from '../schema/pattern-engine.ts'
import { createPrimitives } from '../repair/read-text.ts'
import type { ShowAt } from './redaction.ts'
import { showPointer, showValue } from './show-value.ts'
import { unsafeNumbers } from '../schema/unsafe-numbers.ts'
import { toValidatorValue } from '../schema/validator-value.ts'

const PRIMITIVES = createPrimitives(true)

/**
 * Why a rule must not trust what it reads in these arguments (contract 9): they do not satisfy the schema, a number was
 * rounded before it came here, or a name differs from the schema's in its case only. A sentence for the model, bounded.
 */
export function argumentsFault(args: JsonObject, compilation: Compilation, showAt: ShowAt): string | undefined {
  if (compilation.kind === 'failed') return compilation.problem
  const { compiled } = compilation
  const [unsafe] = unsafeNumbers(args, 1)
  if (unsafe !== undefined) return `${showPointer(unsafe)} is an integer beyond 2^53-1: its last digits may be lost.`
  try {
    const errors = compiled.faults(toValidatorValue(args), false)
    const reasons = boundReasons(faultReasons(errors, { compiled, sent: args, attempted: args, ambiguous: [], primitives: PRIMITIVES, tier: 'strict', showAt }))
    if (errors.length > 0) return reasons.map(({ message, code }) => message ?? code).join(' ')
    const twin = findCaseTwin(args, compiled.written)
    return twin === undefined ? undefined : `${showValue(twin.pointer)} is not known to this tool; did you mean ${showValue(twin.known)}?`
  } catch (cause) {
    return cause instanceof UncheckedText ? cause.message : "The arguments could not be checked against the tool's schema."
  }
}
