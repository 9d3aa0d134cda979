import type { JsonValue, Reason } from '@callgate/core'
import type { CastType } from '../schema/annotations.ts'
import { readText } from './read-text.ts'
import type { Primitives } from './read-text.ts'
import { admits } from '../schema/schema-kinds.ts'
import type { Shape } from '../schema/schema-place.ts'
import type { TypingTier } from './typing-tier.ts'

/** A value that stands instead of another, the casts that made it (none where it is the same), and the places of several readings. */
export type Reading = { readonly value: JsonValue; readonly casts: readonly Reason[]; readonly ambiguous: readonly string[] }

type Read = { readonly value: JsonValue; readonly code: string }

/**
 * The scalars that a text says where no string is admitted (contract 8), one for each shape that reads it so; the same value
 * may come more than once.
 */
export function scalarReadings(text: string, shapes: readonly Shape[], tier: TypingTier, primitives: Primitives): readonly Read[] {
  return shapes.flatMap((shape) => {
    const { kinds, isTyped, integers } = shape
    const read: Read[] = []
    if (kinds.has('null') && text === 'null') read.push({ value: null, code: 'null_text' })
    if (!isTyped) return integers === undefined ? read : [...read, ...memberReadings(text, integers, primitives)]
    for (const type of castTypesOf(shape)) {
      const reading = readText(text, type, primitives, tier)
      if (reading.kind === 'value') read.push({ value: reading.value, code: reading.code })
    }
    return read
  })
}

/** The members of the shapes' enums that are the text in another case. */
export function caseReadings(text: string, shapes: readonly Shape[]): readonly Read[] {
  const members = shapes.flatMap(({ kinds, choices }) => (choices !== undefined && admits(kinds, 'string') ? choices(text) : []))
  return [...new Set(members)].map((value) => ({ value, code: 'letter_case' }))
}

function memberReadings(text: string, integers: ReadonlySet<JsonValue>, primitives: Primitives): readonly Read[] {
  const reading = readText(text, 'integer', primitives)
  return reading.kind === 'value' && integers.has(reading.value) ? [{ value: reading.value, code: 'enum_member' }] : []
}

function castTypesOf({ kinds }: Shape): readonly CastType[] {
  const types: CastType[] = kinds.has('boolean') ? ['boolean'] : []
  if (kinds.has('number')) return [...types, 'number']
  return kinds.has('integer') ? [...types, 'integer'] : types
}
