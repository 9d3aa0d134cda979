import { judgePrimitive, PrimitiveSchema } from '@callgate/core'
import type { CastType } from './annotations.ts'

/** What one text says as the wanted type: its one value and the code of the cast, or the code of what keeps it from being read. */
export type TextReading =
  | { readonly kind: 'value'; readonly value: number | boolean; readonly code: string }
  | { readonly kind: 'refused'; readonly code: string }

/** The two primitives of contract 7 that the casts go through: an integer of the safe range, a boolean with or without the opt-in. */
export type Primitives = { readonly integer: PrimitiveSchema; readonly boolean: PrimitiveSchema }

/** Makes the primitives of one policy. */
export function createPrimitives(lowercaseBooleans: boolean): Primitives {
  const named = { schemaId: 'schema-typist', version: '1' }
  const { MIN_SAFE_INTEGER: minimum, MAX_SAFE_INTEGER: maximum } = Number
  return Object.freeze({
    integer: PrimitiveSchema.create({ ...named, expected: 'integer', minimum, maximum }),
    boolean: PrimitiveSchema.create({ ...named, expected: 'boolean', allowLowercaseBoolean: lowercaseBooleans }),
  })
}

/** Reads a text in the tier `strict` (contract 8): the two casts of contract 7, and a canonical JSON number. */
export function readText(text: string, type: CastType, primitives: Primitives): TextReading {
  const verdict = judgePrimitive(type === 'boolean' ? primitives.boolean : primitives.integer, text)
  switch (verdict.kind) {
    case 'repair':
      // Inside the safe range a repaired integer is a number.
      return { kind: 'value', value: typeof verdict.value === 'bigint' ? Number(verdict.value) : verdict.value, code: verdict.code }
    case 'deny':
      return type === 'number' ? readFraction(text, verdict.code) : { kind: 'refused', code: verdict.code }
    case 'accept':
      return { kind: 'refused', code: 'type_mismatch' }
  }
}

/** A number with a fraction, printed by JavaScript exactly as it was written; else why it is no canonical number. */
function readFraction(text: string, integerCode: string): TextReading {
  if (integerCode !== 'fraction') return { kind: 'refused', code: integerCode === 'not_an_integer' ? 'type_mismatch' : integerCode }
  const value = Number(text)
  const isCanonical = Math.abs(value) <= Number.MAX_SAFE_INTEGER && String(value) === text && !/e/i.test(text)
  return isCanonical ? { kind: 'value', value, code: 'canonical_number' } : { kind: 'refused', code: 'type_mismatch' }
}
