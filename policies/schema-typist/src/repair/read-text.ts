import { Candidate, judgePrimitive, PrimitiveSchema } from '@callgate/core'
import type { CastType } from '../schema/annotations.ts'
import { isJsonObject } from '../json-shape.ts'
import type { TypingTier } from './typing-tier.ts'

/** What one text says as the wanted type: its one value and the code of the cast, or the code of what keeps it from being read. */
export type TextReading =
  | { readonly kind: 'value'; readonly value: number | boolean; readonly code: string }
  | { readonly kind: 'refused'; readonly code: string }

/** The two primitives of contract 7 that the casts go through: an integer of the safe range, a boolean with or without the opt-in. */
export type Primitives = { readonly integer: PrimitiveSchema; readonly boolean: PrimitiveSchema }

const LAX_NUMBER = /^[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const SHORT_INTEGER = /^(?:0|-?[1-9][0-9]{0,14})$/
const SHORT_FRACTION = /^-?(?:0|[1-9][0-9]{0,14})\.[0-9]{1,17}$/
const FRACTION = /^-?(?:0|[1-9][0-9]*)\.[0-9]+$/
const ZERO = /^[+-]?0(?:\.0+)?(?:[eE][+-]?[0-9]+)?$/

/** Makes the primitives of one policy. */
export function createPrimitives(lowercaseBooleans: boolean): Primitives {
  const named = { schemaId: 'schema-typist', version: '1' }
  const { MIN_SAFE_INTEGER: minimum, MAX_SAFE_INTEGER: maximum } = Number
  return Object.freeze({
    integer: PrimitiveSchema.create({ ...named, expected: 'integer', minimum, maximum }),
    boolean: PrimitiveSchema.create({ ...named, expected: 'boolean', allowLowercaseBoolean: lowercaseBooleans }),
  })
}

/** Reads a text in a tier (contract 8). From the tier `basic` on, `primitives` should read the texts `true` and `false`. */
export function readText(text: string, type: CastType, primitives: Primitives, tier: TypingTier = 'strict'): TextReading {
  const strict = readStrict(text, type, primitives)
  if (strict.kind === 'value' || strict.code === 'over_budget' || tier === 'strict') return strict
  if (type === 'boolean') return tier === 'flexible' ? readAnyCase(text, strict) : strict
  return tier === 'flexible' ? readLax(text, type, primitives) : readFraction(text, type, primitives)
}

/** The two casts of contract 7, and a canonical JSON number. */
function readStrict(text: string, type: CastType, primitives: Primitives): TextReading {
  // So few digits are safe, and read several times as fast as below, to the same value.
  if (type !== 'boolean' && SHORT_INTEGER.test(text)) return { kind: 'value', value: shortInteger(text), code: 'canonical_integer' }
  if (type === 'number' && SHORT_FRACTION.test(text)) {
    const value = Number(text)
    if (String(value) === text) return { kind: 'value', value, code: 'canonical_number' }
  }
  const verdict = judgePrimitive(type === 'boolean' ? primitives.boolean : primitives.integer, text)
  switch (verdict.kind) {
    case 'repair':
      // Inside the safe range a repaired integer is a number.
      return { kind: 'value', value: typeof verdict.value === 'bigint' ? Number(verdict.value) : verdict.value, code: verdict.code }
    case 'deny':
      return type === 'number' ? readCanonicalNumber(text, verdict.code) : refused(verdict.code)
    case 'accept':
      return refused('type_mismatch')
  }
}

function shortInteger(text: string): number {
  const isNegative = text.startsWith('-')
  let magnitude = 0
  for (let at = isNegative ? 1 : 0; at < text.length; at += 1) magnitude = magnitude * 10 + text.charCodeAt(at) - 0x30
  return isNegative ? -magnitude : magnitude
}

/** A number with a fraction, printed by JavaScript exactly as it was written; else why it is no canonical number. */
function readCanonicalNumber(text: string, integerCode: string): TextReading {
  if (integerCode !== 'fraction') return refused(integerCode === 'not_an_integer' ? 'type_mismatch' : integerCode)
  const value = Number(text)
  const isCanonical = Math.abs(value) <= Number.MAX_SAFE_INTEGER && String(value) === text && !/e/i.test(text)
  return isCanonical ? { kind: 'value', value, code: 'canonical_number' } : refused('type_mismatch')
}

/** The tier `basic`: what is canonical once the zeroes at the end of its fraction are gone. */
function readFraction(text: string, type: CastType, primitives: Primitives): TextReading {
  return readStrict(FRACTION.test(text) ? withoutTrailingZeroes(text) : text, type, primitives)
}

/** The tier `flexible`: white space around, a plus sign, an exponent. What is read is the exact decimal value, or nothing. */
function readLax(text: string, type: CastType, primitives: Primitives): TextReading {
  const trimmed = text.trim()
  if (!LAX_NUMBER.test(trimmed)) return readStrict(trimmed === '' ? text : trimmed, type, primitives)
  const plain = trimmed.startsWith('+') ? trimmed.slice(1) : trimmed
  const reading = readFraction(plain, type, primitives)
  const exact = reading.kind === 'value' ? reading : readExact(plain, type, reading)
  return exact.kind === 'value' && trimmed !== text ? { ...exact, code: 'trimmed' } : exact
}

function readExact(text: string, type: CastType, otherwise: TextReading): TextReading {
  const value = exactNumber(text)
  if (value !== undefined && Number.isInteger(value)) return { kind: 'value', value, code: 'canonical_integer' }
  if (value !== undefined) return type === 'number' ? { kind: 'value', value, code: 'canonical_number' } : refused('fraction')
  if (text.startsWith('-') && ZERO.test(text)) return refused('negative_zero')
  return otherwise.kind === 'refused' && otherwise.code === 'exponent' ? refused('out_of_range') : otherwise
}

/** The number that the digits say, read as numbers of the wire are: undefined where a double does not hold it exactly. */
function exactNumber(digits: string): number | undefined {
  try {
    const { arguments: args } = Candidate.ofWire(`{"n":${digits}}`).fields
    const number = isJsonObject(args) ? args['n'] : undefined
    return typeof number === 'number' ? number : undefined
  } catch {
    return undefined
  }
}

function readAnyCase(text: string, otherwise: TextReading): TextReading {
  const word = text.toLowerCase()
  return word === 'true' || word === 'false' ? { kind: 'value', value: word === 'true', code: 'letter_case' } : otherwise
}

function withoutTrailingZeroes(text: string): string {
  let end = text.length
  while (text[end - 1] === '0') end -= 1
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end)
}

function refused(code: string): TextReading {
  return { kind: 'refused', code }
}
