import type { ErrorObject } from 'ajv'
import { judgePrimitive } from '@callgate/core'
import type { JsonValue } from '@callgate/core'
import type { CastType } from './annotations.ts'
import { readText } from './read-text.ts'
import type { Primitives } from './read-text.ts'

/** Keywords under which a validator gives the faults of each branch, and then its own. */
export const UNION_KEYWORDS: ReadonlySet<string> = new Set(['anyOf', 'oneOf'])

const RANGE_KEYWORDS: ReadonlySet<string> = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])

/** What a fault code depends on: the fault, all faults of the arguments, the value sent, and the type it would be cast to. */
export type CodedFault = {
  readonly error: ErrorObject
  readonly all: readonly ErrorObject[]
  readonly value: JsonValue | undefined
  readonly castType: CastType | undefined
}

/** The reason code (contract 8) of a fault that is about a value, not about a name. */
export function faultCode({ error, all, value, castType }: CodedFault, primitives: Primitives): string {
  if (error.keyword === 'type') return castType === undefined ? 'type_mismatch' : primitiveCode(castType, value, primitives)
  if (RANGE_KEYWORDS.has(error.keyword)) return 'out_of_range'
  if (!UNION_KEYWORDS.has(error.keyword)) return 'constraint'
  return all.some((other) => other.keyword === 'type' && other.instancePath === error.instancePath) ? 'type_mismatch' : 'constraint'
}

/** The code that contract 7 gives for a value where a primitive is wanted, else `type_mismatch`. */
function primitiveCode(type: CastType, value: JsonValue | undefined, primitives: Primitives): string {
  if (typeof value === 'string') {
    const reading = readText(value, type, primitives)
    return reading.kind === 'refused' ? reading.code : 'type_mismatch'
  }
  const verdict = judgePrimitive(type === 'boolean' ? primitives.boolean : primitives.integer, value)
  if (verdict.kind !== 'deny' || (type === 'number' && verdict.code === 'not_an_integer')) return 'type_mismatch'
  return verdict.code
}
