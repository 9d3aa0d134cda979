import { CallgateError } from '../model/callgate-error.ts'
import { hmacSha256Hex } from '../model/digest.ts'
import type { JsonValue } from '../model/json-value.ts'
import { formatPointer, parsePointer } from '../model/pointer.ts'
import { createTextMask, MOST_VALUES } from './text-mask.ts'
import { addScalars } from './value-forms.ts'
import { coversTrail, hideValues, leadsToTrail, trailOf } from './hide-values.ts'
import type { Hiding, Trail } from './hide-values.ts'

/** Which arguments are never written down, as `args.card_number`, and the key of the digests that stand in their place. */
export type RedactionSettings = { readonly paths: readonly string[]; readonly key: string }

/** Keeps the values at some paths out of all that is written of a call (contract 11). */
export type Redactor = {
  /** True for a JSON Pointer, as `/arguments/card_number`, whose value is redacted. */
  covers(pointer: string): boolean
  /** True for one above a value that would be redacted: what stands there and holds no other is redacted as a whole. */
  leadsTo(pointer: string): boolean
  /** What is to be hidden of one call: all that stands at the paths in any of these arguments. */
  of(args: readonly JsonValue[]): Redaction
}

/** What is hidden of one call. */
export type Redaction = {
  /** False where no value stands at any path: then nothing changes. */
  readonly hides: boolean
  /** Arguments in which each redacted value is its path, length and keyed digest, and is hidden in other texts too. */
  value(args: JsonValue): JsonValue
  /** A text in which no redacted value stands. */
  text(text: string): string
  /** A JSON Pointer in whose names no redacted value stands. */
  pointer(pointer: string): string
  /** A keyed digest in place of a digest, or of what a digest is made of, from which a value could be guessed. */
  digest(digest: string): string
}

const PATH = /^args(?:\.[A-Za-z_][A-Za-z0-9_]*)+$/
const SHORTEST_KEY = 16

/** Hides nothing. */
export const NO_REDACTION: Redaction = Object.freeze({
  hides: false,
  value: (args: JsonValue) => args,
  text: (text: string) => text,
  pointer: (pointer: string) => pointer,
  digest: (digest: string) => digest,
})

/**
 * Makes a redactor. Names are compared without letter case; a path goes through lists, and through a text that stands where
 * it goes on. Throws `invalid_option` for what is no path, or a key of less than 16 characters.
 */
export function createRedactor({ paths, key }: RedactionSettings): Redactor {
  const wrong = paths.find((path) => !PATH.test(path))
  if (wrong !== undefined) throw new CallgateError('invalid_option', `A redacted argument is a path as \`args.card_number\`; this is ${JSON.stringify(wrong)}.`)
  if (typeof key !== 'string' || key.length < SHORTEST_KEY) {
    throw new CallgateError('invalid_option', `The key of redacted digests needs at least ${SHORTEST_KEY} characters, random and kept secret.`)
  }
  const trails = paths.map(trailOf)
  return {
    covers(pointer) {
      const [field, ...tokens] = parsePointer(pointer) ?? []
      return field === 'arguments' && trails.some(({ rest }) => coversTrail(tokens, rest))
    },
    leadsTo(pointer) {
      const [field, ...tokens] = parsePointer(pointer) ?? []
      return field === 'arguments' && trails.some(({ rest }) => leadsToTrail(tokens, rest))
    },
    of: (args) => redactionOf(trails, key, args),
  }
}

function redactionOf(trails: readonly Trail[], key: string, args: readonly JsonValue[]): Redaction {
  const digest = (text: string): string => hmacSha256Hex(key, text)
  const scalars = new Set<string>()
  let hides = false
  const finding: Hiding = {
    digest,
    text: (text) => text,
    found(value, isInside) {
      hides = true
      addScalars(scalars, value, isInside, MOST_VALUES)
    },
  }
  for (const value of args) hideValues(value, trails, finding)
  if (!hides) return NO_REDACTION
  const text = createTextMask(scalars)
  const pointer = (whole: string): string => {
    const tokens = parsePointer(whole)
    return tokens === undefined ? text(whole) : formatPointer(tokens.map((token, at) => (at === 0 ? token : text(token))))
  }
  return { hides: true, text, pointer, digest, value: (value) => hideValues(value, trails, { digest, text, found: () => undefined }) }
}
