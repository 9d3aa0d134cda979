import { scalarText } from '../model/canonical.ts'
import { isArray, isObject } from '../model/json-shape.ts'
import type { JsonValue } from '../model/json-value.ts'
import { reveal } from '../model/reveal.ts'

const HIDDEN = '(not shown)'
const CUT = '…'
/** Beyond so many values no text of the call is shown at all. */
const MOST_VALUES = 100
/** What is shorter stands in every other word: only where it is quoted, or a word of its own, is it taken for the value. */
const SHORTEST = 4

/**
 * Makes what hides values in texts: each text or number among them, or inside them, in any letter case, as it is, as JSON
 * escapes it and as `reveal` shows it, and where it was cut short too.
 */
export function createTextMask(values: readonly JsonValue[]): (text: string) => string {
  const scalars = new Set(values.flatMap(scalarsOf).filter((text) => text !== ''))
  if (scalars.size > MOST_VALUES) return () => HIDDEN
  const forms = [...new Set([...scalars].flatMap(formsOf))].toSorted((a, b) => b.length - a.length)
  if (forms.length === 0) return (text) => text
  const pattern = new RegExp(forms.map(patternOf).join('|'), 'giu')
  return (text) => hideCut(text.replace(pattern, HIDDEN), forms)
}

function scalarsOf(value: JsonValue): readonly string[] {
  const found: string[] = []
  const waiting: JsonValue[] = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (isArray(next)) waiting.push(...next)
    else if (isObject(next)) waiting.push(...Object.values(next))
    else if (typeof next === 'string') found.push(next)
    else if (next !== null && typeof next !== 'boolean') found.push(scalarText(next))
  }
  return found
}

function formsOf(text: string): readonly string[] {
  const escaped = JSON.stringify(text).slice(1, -1)
  return [text, escaped, reveal(text), reveal(escaped)]
}

function patternOf(form: string): string {
  const literal = form.replace(/[\\^$.*+?()[\]{}|/]/gu, (character) => `\\${character}`)
  return form.length < SHORTEST ? `(?<![\\p{L}\\p{N}.])${literal}(?![\\p{L}\\p{N}]|\\.\\p{N})` : literal
}

/** A message may show the beginning of a long value: whatever stands before the sign of the cut and begins one goes too. */
function hideCut(text: string, forms: readonly string[]): string {
  let shown = text
  for (let at = shown.indexOf(CUT); at !== -1; at = shown.indexOf(CUT, at + 1)) {
    const before = shown.slice(0, at)
    const longest = Math.max(...forms.map((form) => beginningAtEnd(before, form)))
    if (longest < SHORTEST) continue
    shown = `${before.slice(0, at - longest)}${HIDDEN}${shown.slice(at)}`
    at += HIDDEN.length - longest
  }
  return shown
}

/** How many characters at the end of `text` are the beginning of `form`; the most that there are. */
function beginningAtEnd(text: string, form: string): number {
  for (let length = Math.min(text.length, form.length); length >= SHORTEST; length -= 1) {
    if (text.endsWith(form.slice(0, length))) return length
  }
  return 0
}
