import type { ErrorObject } from 'ajv'
import { judgePrimitive } from '@callgate/core'
import type { JsonValue } from '@callgate/core'
import type { CastType } from '../schema/annotations.ts'
import { readText } from '../repair/read-text.ts'
import type { Primitives } from '../repair/read-text.ts'
import type { TypingTier } from '../repair/typing-tier.ts'

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

/** What reads texts, and in which tier: a code says why that tier does not read the text. */
export type CodingTerms = { readonly primitives: Primitives; readonly tier: TypingTier }

/** The reason code (contract 8) of a fault that is about a value, not about a name. */
export function faultCode({ error, all, value, castType }: CodedFault, terms: CodingTerms): string {
  const isUnion = UNION_KEYWORDS.has(error.keyword)
  const code = castType !== undefined && (isUnion || error.keyword === 'type') ? primitiveCode(castType, value, terms) : undefined
  if (code !== undefined) return code
  if (error.keyword === 'type') return 'type_mismatch'
  if (RANGE_KEYWORDS.has(error.keyword)) return 'out_of_range'
  if (!isUnion) return 'constraint'
  const beside = all.filter((other) => other.instancePath === error.instancePath)
  if (castType !== undefined && beside.some(({ keyword }) => RANGE_KEYWORDS.has(keyword))) return 'out_of_range'
  return castType === undefined && beside.some(({ keyword }) => keyword === 'type') ? 'type_mismatch' : 'constraint'
}

/** The code that contract 7 gives for a value where a primitive is wanted; undefined for a value that it would not refuse. */
function primitiveCode(type: CastType, value: JsonValue | undefined, { primitives, tier }: CodingTerms): string | undefined {
  if (typeof value === 'string') {
    const reading = readText(value, type, primitives, tier)
    return reading.kind === 'refused' ? reading.code : undefined
  }
  const verdict = judgePrimitive(type === 'boolean' ? primitives.boolean : primitives.integer, value)
  if (verdict.kind !== 'deny') return undefined
  return type === 'number' && verdict.code === 'not_an_integer' ? 'type_mismatch' : verdict.code
}
