import { RE2JS } from 're2js'
import { COMPARED_A_COST } from './meter.ts'
import type { Meter } from './meter.ts'

const MAX_PATTERN = 1_000
// Measured: what reading a character costs where few parts of a pattern are alive, and where all may be.
const READ_COST = 3
const PARTS_A_COST = 16
const MANY_PARTS = 16
const MANY_PARTS_A_COST = 3

/** A text whose every reading is counted, in characters: how often a pattern looks at a text again cannot be said beforehand. */
class CountedText extends String {
  readonly #text: string
  readonly #count: (characters: number) => void

  constructor(text: string, count: (characters: number) => void) {
    super(text)
    this.#text = text
    this.#count = count
  }

  override charCodeAt(at: number): number {
    this.#count(1)
    return this.#text.charCodeAt(at)
  }

  override indexOf(found: string, from: number = 0): number {
    const at = this.#text.indexOf(found, from)
    this.#count(((at === -1 ? this.#text.length : at) - from) / COMPARED_A_COST)
    return at
  }
}

/** The methods whose argument is a pattern, each with what it yields of a text. */
export type PatternMethod = 'matches' | 'findAll'

/** Compiles a pattern for one method; throws where it cannot be read. */
export function compilePattern(method: PatternMethod, source: string, meter: Meter): (text: string) => unknown {
  if (source.length > MAX_PATTERN) throw new Error(`a pattern of more than ${MAX_PATTERN} characters`)
  const pattern = RE2JS.compile(source)
  const size = pattern.programSize()
  const cost = READ_COST + Math.max(size / PARTS_A_COST, (size - MANY_PARTS) / MANY_PARTS_A_COST)
  // The engine takes a String object as it takes a text.
  const counted = (text: string): string => new CountedText(text, (characters) => meter.spend(characters * cost)) as unknown as string
  return method === 'matches' ? (text) => pattern.test(counted(text)) : (text) => findAll(pattern, counted(text), text)
}

/** What the first group of each match holds, or the whole match where there is no group. */
function findAll(pattern: RE2JS, counted: string, text: string): readonly string[] {
  const found: string[] = []
  const matcher = pattern.matcher(counted)
  const group = matcher.groupCount() > 0 ? 1 : 0
  while (matcher.find()) found.push(matcher.start(group) < 0 ? '' : text.slice(matcher.start(group), matcher.end(group)))
  return found
}
