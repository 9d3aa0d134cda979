import { scalarText } from '../model/canonical.ts'
import { readDecimal } from '../model/decimal.ts'
import { isArray, isObject } from '../model/json-shape.ts'
import type { JsonValue } from '../model/json-value.ts'
import { decodeString, scanJson } from '../model/json-text.ts'
import type { JsonNode } from '../model/json-text.ts'
import { formatPointer } from '../model/pointer.ts'
import { reveal } from '../model/reveal.ts'

/** A text that nests deeper is looked for as it is only. */
const MOST_LEVELS = 1_000
/** A number whose text is longer is looked for as it is only. */
const LONGEST_NUMBER = 400

/**
 * Adds to `found` each text and number of a value that is not empty: the names of members too, and with `isInside` what stands
 * in the object or list that a text spells. Stops beyond `most`.
 */
export function addScalars(found: Set<string>, value: JsonValue, isInside: boolean, most: number): void {
  const waiting: JsonValue[] = [value]
  for (let next = waiting.pop(); next !== undefined && found.size <= most; next = waiting.pop()) {
    if (isArray(next)) for (const item of next) waiting.push(item)
    else if (isObject(next)) for (const [name, child] of Object.entries(next)) waiting.push(name, child)
    else if (typeof next === 'string') {
      if (next === '' || found.has(next)) continue
      found.add(next)
      if (isInside && /^\s*[[{]/.test(next)) addSpelled(waiting, next)
    } else if (next !== null && typeof next !== 'boolean') found.add(scalarText(next))
  }
}

/** How a text or number may stand in a text: as it is, escaped as in JSON or a pointer, revealed, and a number in its other spellings. */
export function formsOf(text: string): readonly string[] {
  const escaped = JSON.stringify(text).slice(1, -1)
  return [text, escaped, reveal(text), reveal(escaped), formatPointer([text]).slice(1), ...numberForms(text)]
}

/** Read without regard to whether it is exact: what stands there must not show up elsewhere either way. */
function addSpelled(waiting: JsonValue[], text: string): void {
  let root: JsonNode
  try {
    root = scanJson(text, MOST_LEVELS)
  } catch {
    return
  }
  const open = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'string') waiting.push(decodeString(text, node))
    else if (node.kind === 'number') waiting.push(text.slice(node.start, node.end))
    for (const { key, value } of node.members ?? []) {
      waiting.push(key)
      open.push(value)
    }
    for (const item of node.items ?? []) open.push(item)
  }
}

function numberForms(text: string): readonly string[] {
  const read = text.length > LONGEST_NUMBER ? undefined : readDecimal(text)
  if (read === undefined || read.kind === 'none') return []
  const double = Number(read.value)
  const digits = read.kind === 'bigint' ? String(read.value) : Number.isInteger(double) ? String(BigInt(double)) : undefined
  return [String(double), ...withoutPlus(double.toExponential()), ...(digits === undefined ? [] : [digits, ...withoutPlus(exponential(digits))])]
}

function withoutPlus(text: string): readonly string[] {
  return [text, text.replace('+', '')]
}

/** An integer to the digit, as `4.11e+2`. */
function exponential(digits: string): string {
  const [, sign = '', first = '', rest = ''] = /^(-?)(\d)(\d*)$/.exec(digits) ?? []
  const fraction = rest.replace(/0+$/, '')
  return `${sign}${first}${fraction === '' ? '' : `.${fraction}`}e+${rest.length}`
}
