import { isScalar } from 'yaml'
import { about, offsetOf, refine, reportType } from './reader.ts'
import type { Reader } from './reader.ts'
import { quoteText } from './show-text.ts'

const ILL_FORMED = /\p{Cs}/u

/** A text, kept exactly as it is; half a surrogate pair is none. */
export function text(): Reader<string> {
  return {
    schema: { type: 'string' },
    read(slot, reading) {
      const node = reading.nodeOf(slot)
      if (!isScalar(node) || typeof node.value !== 'string') {
        const plain = isScalar(node) && node.source !== undefined && node.source !== ''
        return reportType(slot, node, 'text', reading, plain ? `put it in quotes: ${quoteText(`"${node.source}"`)}` : undefined)
      }
      if (!ILL_FORMED.test(node.value)) return node.value
      reading.report(
        offsetOf(slot), 'ill_formed_text',
        `${slot.label} holds half a surrogate pair, which is no character`,
        'write the whole character',
      )
      return undefined
    },
  }
}

/** A text that says something: neither empty nor only white space. */
export function words(): Reader<string> {
  const reader = refine(text(), (value, slot, reading) => {
    if (value.trim() !== '') return value
    reading.report(offsetOf(slot), 'empty_text', `${slot.label} is an empty text`, 'say what it should be')
    return undefined
  })
  return { ...reader, schema: { ...reader.schema, pattern: '\\S' } }
}

/** The name of a tool, in which `*` stands for any text. */
export function toolName(): Reader<string> {
  return about('The name of a tool, as the server lists it; `*` stands for any text.', words())
}

/** The exact name of a tool: a pattern would bound nothing here. */
export function exactToolName(): Reader<string> {
  const reader = refine(words(), (value, slot, reading) => {
    if (!value.includes('*')) return value
    const message = `${quoteText(value)} is a pattern, and bounds are by exact name`
    reading.report(offsetOf(slot), 'unknown_word', message, 'write each tool out by its exact name')
    return undefined
  })
  return about('The exact name of a tool, as the server lists it.', { ...reader, schema: { ...reader.schema, pattern: '^[^*]*[^*\\s][^*]*$' } })
}

/** The name of a gate that something marks: any but `reserved`, which `why` explains. */
export function gateName(reserved?: string, why?: string): Reader<string> {
  if (reserved === undefined) return words()
  const reader = refine(words(), (value, slot, reading) => {
    if (value !== reserved) return value
    reading.report(
      offsetOf(slot), 'reserved_gate',
      `${slot.label} cannot be ${quoteText(reserved)}: ${why}`,
      'use another gate, or remove the entry',
    )
    return undefined
  })
  return { ...reader, schema: { ...reader.schema, not: { const: reserved } } }
}

/** One word of the command that starts the server: any text without a NUL, which no system can pass on. */
export function commandWord(): Reader<string> {
  const reader = refine(text(), (value, slot, reading) => {
    if (!value.includes('\u0000')) return value
    reading.report(
      offsetOf(slot), 'ill_formed_text',
      `${slot.label} holds a NUL character, which cannot be given to a program`,
      'remove it',
    )
    return undefined
  })
  return { ...reader, schema: { ...reader.schema, pattern: '^[^\\u0000]*$' } }
}

/** The path of an argument that is redacted, as `args.card_number`. */
export function argumentPath(): Reader<string> {
  return patterned(/^args(?:\.[A-Za-z_][A-Za-z0-9_]*)+$/u, 'the path of an argument', 'write it as `args.card_number`')
}

/** The name of an HTTP header. */
export function headerName(): Reader<string> {
  return patterned(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/u, 'the name of a header', 'write it as `x-user-text`')
}

/** A URL over http or https. */
export function httpUrl(): Reader<string> {
  return patterned(/^https?:\/\/[^\s/]+\S*$/u, 'a URL over http', 'write it as `http://127.0.0.1:3001/mcp`')
}

/** What a header says: a text with at least one environment variable in it, so that no secret stands in the file; it is never shown. */
export function headerReference(): Reader<string> {
  const pattern = /^[\t\x20-\x7e]*\$\{[A-Za-z_][A-Za-z0-9_]*\}[\t\x20-\x7e]*$/u
  const reader = refine(text(), (value, slot, reading) => {
    if (pattern.test(value)) return value
    const message = `${slot.label} must name the environment variable that it comes from: a secret does not belong in this file`
    reading.report(offsetOf(slot), 'unknown_word', message, 'write it as `Bearer ${API_TOKEN}`')
    return undefined
  })
  return { ...reader, schema: { ...reader.schema, pattern: pattern.source } }
}

function patterned(pattern: RegExp, what: string, hint: string): Reader<string> {
  const reader = refine(text(), (value, slot, reading) => {
    if (pattern.test(value)) return value
    reading.report(offsetOf(slot), 'unknown_word', `${slot.label} must be ${what}, and this is ${quoteText(value)}`, hint)
    return undefined
  })
  return { ...reader, schema: { ...reader.schema, pattern: pattern.source } }
}
