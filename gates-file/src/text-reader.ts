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

/** The exact name of a tool; a wildcard is refused, since matching it is not built yet. */
export function toolName(): Reader<string> {
  const reader = refine(words(), (value, slot, reading) => {
    if (!value.includes('*')) return value
    reading.report(
      offsetOf(slot), 'not_built',
      `the wildcard in ${quoteText(value)} is part of the format but not built yet`,
      'write each tool out by its exact name',
    )
    return undefined
  })
  return about('The exact name of a tool, as the server lists it.', {
    ...reader, schema: { ...reader.schema, pattern: '^[^*]*[^*\\s][^*]*$' },
  })
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
