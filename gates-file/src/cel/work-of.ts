import { COMPARED_A_COST, VALUE_COST } from './meter.ts'
import type { Meter } from './meter.ts'

// A time of day in a named zone is asked of the platform.
const ZONE_COST = 5_000
// No duration is written in more; to read a longer one takes more than linear time.
const MAX_DURATION = 100
// `emails()` and its like look at each character several times.
const FINDER_COST = 6
const PARSER_COST = 8
const FINDERS: ReadonlySet<string> = new Set(['emails', 'links', 'ibans', 'words', 'numbers', 'path', 'email', 'link', 'iban'])
const SEARCHES: ReadonlySet<string> = new Set(['contains', 'indexOf', 'lastIndexOf', 'split', 'replace'])
// What looks at no more of a text than at its other arguments.
const STARTS: ReadonlySet<string> = new Set(['startsWith', 'endsWith', 'substring'])

/** The work of an operator on two values, at most. */
export function workOfOperator(op: string, left: unknown, right: unknown, meter: Meter): number {
  if (op === '+') return lengthOf(left) + lengthOf(right)
  if (op === 'in') return Array.isArray(right) ? right.length * 2 + Math.min(right.length * meter.weigh(left), meter.weigh(right)) : 1
  return Math.min(meter.weigh(left), meter.weigh(right))
}

/** The work of a function or a method, at most, before it runs; throws for what it must not be asked. */
export function workOfCall(name: string, [subject, ...others]: readonly unknown[]): number {
  const given = sumOf(others)
  if (name === 'duration' && lengthOf(subject) > MAX_DURATION) throw new Error(`a duration of more than ${MAX_DURATION} characters`)
  if (STARTS.has(name)) return given
  if (SEARCHES.has(name)) return workOfSearch(subject, others[0])
  if (FINDERS.has(name)) return textsOf(subject) * FINDER_COST
  if (name === 'join') return textsOf(subject) + (Array.isArray(subject) ? subject.length * lengthOf(others[0]) : 0)
  if (name === 'flatten' && Array.isArray(subject)) return sumOf(subject) + subject.length * VALUE_COST
  if (name === 'json') return lengthOf(subject) * PARSER_COST
  if (name.startsWith('get') && others.length > 0) return ZONE_COST
  // How many there are in a list or a map is known.
  return (Array.isArray(subject) ? 0 : lengthOf(subject)) + given
}

/** The work of keeping what a function or a method made. */
export function workOfMade(made: unknown): number {
  return Array.isArray(made) ? made.length * VALUE_COST : 0
}

// At worst all of what is looked for is compared at each place.
function workOfSearch(text: unknown, found: unknown): number {
  if (typeof text !== 'string' || typeof found !== 'string') return 0
  return text.length + (Math.max(0, text.length - found.length + 1) * found.length) / COMPARED_A_COST
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return value.length * VALUE_COST
  return ArrayBuffer.isView(value) ? value.byteLength : 0
}

function sumOf(values: readonly unknown[]): number {
  return values.reduce((sum: number, value) => sum + lengthOf(value), 0)
}

/** The characters of a text, or of the texts of a list. */
function textsOf(subject: unknown): number {
  return Array.isArray(subject) ? sumOf(subject) + subject.length * VALUE_COST : lengthOf(subject)
}
