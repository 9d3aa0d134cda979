import { CallgateError } from '../model/callgate-error.ts'
import type { Expression } from './expression.ts'
import { CONFIRM_GATE } from './gate-rule.ts'

/** One item of the rules as it came in, and what a complaint calls it, as in `rule 3`. */
export type Item = { readonly source: Readonly<Record<string, unknown>>; readonly where: string }

/** The item, known to hold no word but `words`; throws `invalid_rules`. A word that nobody reads would close nothing. */
export function readItem(value: unknown, where: string, words: readonly string[]): Item {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(`${where} must be an object.`)
  const source = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
  const unknown = Object.keys(source).find((word) => !words.includes(word))
  if (unknown !== undefined) throw invalid(`${where}: ${JSON.stringify(unknown)} is no word of it. Its words are ${words.join(', ')}.`)
  return { source, where }
}

/** Text that is not empty and well-formed; throws `invalid_rules`. */
export function textOf(value: unknown, where: string): string {
  if (typeof value === 'string' && value !== '' && value.isWellFormed()) return value
  const found = typeof value !== 'string' ? typeof value : value === '' ? 'an empty text' : 'text with half a character (a lone surrogate)'
  throw invalid(`${where} must be text that is not empty, not ${found}.`)
}

/** A list; throws `invalid_rules`. */
export function listOf(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[]
  throw invalid(`${where} must be a list.`)
}

/** A frozen list of texts, at least one unless `mayBeEmpty`; throws `invalid_rules`. */
export function textsOf(value: unknown, where: string, mayBeEmpty = false): readonly string[] {
  const texts = listOf(value, where).map((text) => textOf(text, where))
  if (texts.length === 0 && !mayBeEmpty) throw invalid(`${where} is empty; name at least one, or remove it.`)
  return Object.freeze(texts)
}

/** A whole number of at least 1; throws `invalid_rules`. */
export function countOf(value: unknown, where: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 1) return value as number
  throw invalid(`${where} must be a whole number of at least 1.`)
}

/** One of `words`; throws `invalid_rules`. */
export function wordOf<const Word extends string>(value: unknown, where: string, words: readonly Word[]): Word {
  const word = words.find((each) => each === value)
  if (word !== undefined) return word
  throw invalid(`${where} must be ${words.map((each) => `"${each}"`).join(' or ')}.`)
}

/** A compiled expression; throws `invalid_rules`. */
export function expressionOf(value: unknown, where: string): Expression {
  const expression = value as Partial<Expression> | null
  if (typeof expression === 'object' && expression !== null && typeof expression.source === 'string' && typeof expression.evaluate === 'function') {
    return value as Expression
  }
  throw invalid(`${where} must be a compiled expression: an object of source and evaluate.`)
}

/** What `read` makes of a word of the item, under its name; nothing where the item does not have it. */
export function optional<Word extends string, Value>(
  { source, where }: Item,
  word: Word,
  read: (value: unknown, where: string) => Value,
): { readonly [name in Word]?: Value } {
  const value = source[word]
  return value === undefined ? {} : ({ [word]: read(value, `${where}: ${word}`) } as { readonly [name in Word]?: Value })
}

/** Throws `invalid_rules` where the item has one of `words`; `why` follows the word. */
export function forbid({ source, where }: Item, words: readonly string[], why: string): void {
  const found = words.find((word) => source[word] !== undefined)
  if (found !== undefined) throw invalid(`${where}: ${found} ${why}.`)
}

/** A gate's name that may be marked: text that is not empty and not `confirm`. Throws `reserved_gate` or `invalid_rules`. */
export function markable(gate: unknown, where: string): string {
  const name = textOf(gate, `${where}: gate`)
  if (name !== CONFIRM_GATE) return name
  throw new CallgateError('reserved_gate', `${where}: the gate "confirm" is a person's answer; it cannot be marked. Name another gate.`)
}

/** The error of rules that are wrong. */
export function invalid(message: string): CallgateError {
  return new CallgateError('invalid_rules', `Gates: ${message}`)
}
