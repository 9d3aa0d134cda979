import type { JsonObject, JsonValue } from '@callgate/core'
import { describeSchema } from './describe-schema.ts'
import { nearestName } from './nearest-name.ts'
import { jsonTextKind, readJsonText } from '../repair/read-json-text.ts'
import type { Shown } from './redaction.ts'
import { cutText, showPointer, showValue } from './show-value.ts'

const LONGEST_NAME = 64
const LONGEST_COMPLAINT = 160

/** What is said of a value after "was sent", by reason code; where a code has no words, what the schema wants says enough. */
const WORDS: Readonly<Record<string, string>> = {
  over_budget: 'longer than 1,024 bytes',
  empty: 'an empty text',
  whitespace: 'with white space around the number',
  non_ascii_digit: 'with digits other than 0 to 9',
  plus_sign: 'with a plus sign',
  separator: 'with separators between the digits',
  exponent: 'with an exponent',
  fraction: 'with a fraction',
  negative_zero: 'a zero with a sign',
  leading_zero: 'with a leading zero',
  out_of_range: 'out of range',
  boolean_cast_disabled: 'which is a text',
}

/** A value that its schema does not admit: `shown` is what may be told of it, `complaint` the validator's, `omittable` the name of an optional property. */
export type ValueFault = {
  readonly pointer: string
  readonly code: string
  readonly value: JsonValue | undefined
  readonly shown: Shown
  readonly schema: JsonValue | undefined
  /** A value that is admitted there, as JSON text; empty where none is at hand. */
  readonly example: string
  /** The text of its enum that may have been meant. */
  readonly nearest: string | undefined
  readonly complaint: string
  readonly omittable: string | undefined
}

/** A property that has to be there; `undescribed` are the names that were sent beside it and mean nothing there. */
export type MissingFault = {
  readonly pointer: string
  readonly name: string
  readonly schema: JsonValue | undefined
  readonly example: string
  readonly undescribed: readonly string[]
}

/** A name that is there and not admitted; `known` and `patterns` are the names that are, `isOpen` where there may be others. */
export type UnknownFault = {
  readonly pointer: string
  readonly name: string
  readonly known: readonly string[]
  readonly patterns: readonly string[]
  readonly why:
    | { readonly kind: 'form'; readonly complaint: string }
    | { readonly kind: 'undescribed' | 'contradicted' | 'unfit'; readonly isOpen: boolean }
}

/** Says of a value: where, what was sent, why not, what the schema wants, one example. Bounded. */
export function valueMessage(root: JsonObject, fault: ValueFault): string {
  const { pointer, code, value, shown, schema, complaint, omittable } = fault
  const words = WORDS[code]
  const why = code === 'constraint' ? ` and ${cutText(complaint, LONGEST_COMPLAINT)}` : words !== undefined ? `, ${words}` : isBrokenJson(value, code) ? ', which is no JSON' : ''
  const isEmpty = !shown.isHidden && (value === null || value === '')
  const omit = isEmpty && omittable !== undefined ? ` Or leave ${quoted(omittable)} out.` : ''
  const wanted = `the schema wants ${describeSchema(root, schema)}.${adviceFor(shown.isHidden ? undefined : value, fault)}`
  return `${showPointer(pointer)}: ${shown.text} was sent${why}; ${wanted}${omit}`
}

/** Says of a value that it can be read in more than one way. */
export function ambiguousMessage(pointer: string, shown: string): string {
  return `${showPointer(pointer)}: ${shown} was sent, which can be read in more than one way; send it in the type that is meant, not as text.`
}

/** Says of a property that it is missing, what the schema wants there, and which name that was sent may have meant it. */
export function missingMessage(root: JsonObject, { pointer, name, schema, example, undescribed }: MissingFault): string {
  const advice = example === '' ? '' : ` Add ${quoted(name)}: ${example}.`
  const nearest = nearestName(name, undescribed)
  const hint = nearest === undefined ? '' : ` ${quoted(nearest)} was sent; did you mean ${quoted(name)}?`
  return `${showPointer(pointer)} is missing; the schema wants ${describeSchema(root, schema)}.${advice}${hint}`
}

/** Says of a name that it is not admitted, why, and which one may have been meant, else which there are. */
export function unknownMessage({ pointer, name, known, patterns, why }: UnknownFault): string {
  const nearest = nearestName(name, known)
  const meant = nearest === undefined ? undefined : `did you mean ${quoted(nearest)}?`
  const place = showPointer(pointer)
  switch (why.kind) {
    case 'form':
      return `${place} has a name that is not admitted here: it ${cutText(why.complaint, LONGEST_COMPLAINT)}${meant === undefined ? '.' : `; ${meant}`}`
    case 'contradicted':
      return `${place} is described by one part of the schema and not admitted by another${listed(known, patterns)}.`
    case 'unfit':
      return `${place} is described by the schema, but what was sent does not fit where it is described.`
    case 'undescribed': {
      const others = listed(known, patterns) || (why.isOpen ? '' : '; it takes none here')
      return `${place} is not known to this tool${meant === undefined ? `${others}.` : `; ${meant}`}`
    }
  }
}

function listed(known: readonly string[], patterns: readonly string[]): string {
  const names = known.length === 0 ? [] : [`known here: ${cutText(known.slice(0, 20).join(', '), 200)}`]
  const forms = patterns.length === 0 ? [] : [`${names.length === 0 ? 'known here: ' : ''}names that match ${patterns.slice(0, 3).map((pattern) => `/${cutText(pattern, 60)}/`).join(' or ')}`]
  const parts = [...names, ...forms]
  return parts.length === 0 ? '' : `; ${parts.join('; ')}`
}

/** A text that looks like an array or object and is none: Python's single quotes, or a bracket that is missing. */
function isBrokenJson(value: JsonValue | undefined, code: string): boolean {
  return code === 'type_mismatch' && typeof value === 'string' && jsonTextKind(value) !== undefined && readJsonText(value) === undefined
}

function adviceFor(value: JsonValue | undefined, { nearest, example }: Pick<ValueFault, 'nearest' | 'example'>): string {
  if (nearest !== undefined) return ` Did you mean ${showValue(nearest)}?`
  if (example === '') return ''
  const quotes = typeof value === 'string' && /^(?:-?[0-9.]+|true)$/.test(example) ? ', without quotes' : ''
  return ` For example: ${example}${quotes}.`
}

function quoted(name: string): string {
  return JSON.stringify(cutText(name, LONGEST_NAME))
}
