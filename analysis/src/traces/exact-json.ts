import { Candidate, canonicalJson, WireNumber } from '@callgate/core'
import type { JsonValue } from '@callgate/core'

/** What a line must hold to hold a number that a double may not keep: many digits, or an exponent. */
const MAY_ROUND = /\d[\d.]{15}|(?:^|[:,[\s])-?\d[\d.]*[eE]/
const NUMBER = /-?\d[\d.eE+-]*/y
const WHOLE_NUMBER = /^-?\d[\d.eE+-]*$/
const QUOTE = 0x22

/**
 * What a JSON text spells, numbers as the core reads them (contract 2): none is rounded, and one without a double is infinite,
 * so that it is refused. All else is as `JSON.parse` has it. Throws as that does.
 */
export function parseExactJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text)
  if (!MAY_ROUND.test(text)) return parsed
  let marker = '#'
  while (text.includes(marker)) marker += '#'
  const marked = markNumbers(text, marker)
  if (marked === text) return parsed
  return JSON.parse(marked, (_, value: unknown) => (typeof value === 'string' && value.startsWith(marker) ? exactNumber(value.slice(marker.length)) : value))
}

/** The number that a JSON number's text spells, not rounded: a bigint or a WireNumber where no double keeps it; infinite where none is near, NaN for what is none. */
export function exactNumber(text: string): unknown {
  if (!WHOLE_NUMBER.test(text)) return Number.NaN
  try {
    return (Candidate.ofWire(`{"n":${text}}`).fields['arguments'] as Readonly<Record<string, JsonValue>>)['n']
  } catch {
    return Number(text)
  }
}

/** JSON text of what was read, with the digits that were read; empty for what has none, as undefined. */
export function exactText(value: unknown): string {
  let isPlain = true
  const text = JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'bigint' && !WireNumber.isWireNumber(inner)) return inner
    isPlain = false
    return null
  })
  return isPlain ? (text ?? '') : canonicalJson(value as JsonValue)
}

/** The text, which is valid JSON, with each number that may be rounded as a string that begins with the marker. */
function markNumbers(text: string, marker: string): string {
  const parts: string[] = []
  let taken = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = endOfString(text, at)
    if (unit !== 0x2d && (unit < 0x30 || unit > 0x39)) continue
    NUMBER.lastIndex = at
    const [number = ''] = NUMBER.exec(text) ?? []
    if (number.length > 15 || /[eE]/.test(number)) {
      parts.push(text.slice(taken, at), `"${marker}${number}"`)
      taken = at + number.length
    }
    at += number.length - 1
  }
  return taken === 0 ? text : parts.join('') + text.slice(taken)
}

function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text[before] === '\\') before -= 1
  return (at - before) % 2 === 0
}
