import type { JsonValue } from '@callgate/core'
import type { SchemaWords } from '../schema/schema-words.ts'

const MOST_GIVEN = 8
const LONGEST_TEXT = 60
const WORD = 'text'

/** Values that the schemas themselves name: constants, members of enums, examples, defaults; null is none of them. */
export function givenCandidates(words: SchemaWords): readonly JsonValue[] {
  const lists = ['enum', 'examples'].map((word) => words.all(word).flatMap((list) => (Array.isArray(list) ? (list as readonly JsonValue[]).slice(0, MOST_GIVEN) : [])))
  return [...words.all('const'), ...lists.flat(), ...words.all('default')].filter((value) => value !== null)
}

/** Numbers at the bounds, between them, and multiples within them; not all of them fit. */
export function numberCandidates(words: SchemaWords): readonly number[] {
  const [minimum, above, maximum, below] = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'].map((word) => words.numbers(word)) as [Numbers, Numbers, Numbers, Numbers]
  const low = Math.max(...minimum, ...above)
  const high = Math.min(...maximum, ...below)
  const first = minimum.length > 0 ? low : above.length > 0 ? Math.floor(low) + 1 : high < 10 ? Math.floor(high) : 10
  const steps = words.numbers('multipleOf')
  const multiples = [...steps, steps.reduce((product, step) => product * step, 1)].flatMap((step) =>
    [Math.ceil(low / step), Math.floor(low / step) + 1, 1, Math.floor(high / step), Math.ceil(high / step) - 1].map((times) => times * step))
  const near = [Math.ceil(low), Math.floor(low) + 1, Math.floor(high), Math.ceil(high) - 1, (low + high) / 2, low + 1, low + 2, high - 1]
  const branches = [...minimum, ...above.map((bound) => bound + 1), ...maximum, ...below.map((bound) => bound - 1)]
  return [...new Set([first, ...near, ...multiples, 10, 0, 1, 2, ...branches].filter(Number.isFinite).map(plainNumber))]
}

/** Texts of the lengths that are asked for; none where a pattern is, which a text can only match by chance. */
export function textCandidates(words: SchemaWords): readonly string[] {
  if (words.all('pattern').length > 0) return []
  const least = Math.max(0, ...words.numbers('minLength'))
  if (least > LONGEST_TEXT) return []
  const most = Math.min(LONGEST_TEXT, ...words.numbers('maxLength'))
  const long = WORD.repeat(LONGEST_TEXT / WORD.length)
  const fitting = [...(least > WORD.length ? [long.slice(0, Math.ceil(least))] : []), ...(most < WORD.length ? [WORD.slice(0, most)] : [])]
  return [...new Set([WORD, ...fitting, '', ...['2', '3', '4'].map((digit) => WORD + digit)])]
}

type Numbers = readonly number[]

/** No zero with a sign, and no fraction that only the arithmetic left. */
function plainNumber(value: number): number {
  return Number.isInteger(value) ? value + 0 : Number(value.toPrecision(15))
}
