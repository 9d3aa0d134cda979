import { isScalar } from 'yaml'
import { nearestWord } from './nearest-word.ts'
import { numberOf, offsetOf, refine, reportType } from './reader.ts'
import type { Reader } from './reader.ts'
import { quoteText } from './show-text.ts'
import { text } from './text-reader.ts'

/** One of a few words. */
export function word<const W extends string>(known: readonly W[]): Reader<W> {
  const reader = refine(text(), (value, slot, reading) => {
    const found = known.find((each) => each === value)
    if (found !== undefined) return found
    const list = known.map(quoteText).join(' or ')
    const near = nearestWord(value, known)
    reading.report(
      offsetOf(slot), 'unknown_word',
      `${slot.label} must be ${list}, and this is ${quoteText(value)}`,
      near && `did you mean ${quoteText(near)}?`,
    )
    return undefined
  })
  return { ...reader, schema: { ...reader.schema, enum: known } }
}

/** `true` or `false`; YAML 1.2 reads `yes`, `no`, `on` and `off` as text. */
export function flag(): Reader<boolean> {
  return {
    schema: { type: 'boolean' },
    read(slot, reading) {
      const node = reading.nodeOf(slot)
      if (isScalar(node) && typeof node.value === 'boolean') return node.value
      return reportType(slot, node, '`true` or `false`', reading, 'write true or false, in small letters, without quotes')
    },
  }
}

/** The number 1, the only version of the format. */
export function version(): Reader<1> {
  return {
    schema: { type: 'integer', const: 1 },
    read(slot, reading) {
      const node = reading.nodeOf(slot)
      const value = numberOf(node)
      if (value === undefined) return reportType(slot, node, 'the number 1', reading, 'write it without quotes')
      if (value === 1) return 1
      const message = `version ${value} of the format is unknown here`
      reading.report(offsetOf(slot), 'unknown_version', message, 'write `version: 1`, or use a callgate that knows it')
      return undefined
    },
  }
}
