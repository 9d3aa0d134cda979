import { isScalar } from 'yaml'
import { numberOf, offsetOf, reportType } from './reader.ts'
import type { Reader } from './reader.ts'
import { quoteText } from './show-text.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const DURATION = /^([1-9]\d{0,5})([smhd])$/u
const SPELLING = 'write it as `30s`, `15m`, `2h` or `1d`'
const MAX_COUNT = 1_000_000

/** A duration as `30s`, `15m`, `2h` or `1d`, in milliseconds. */
export function duration(): Reader<number> {
  return {
    schema: { type: 'string', pattern: DURATION.source },
    read(slot, reading) {
      const node = reading.nodeOf(slot)
      const value = isScalar(node) ? node.value : undefined
      if (typeof value !== 'string') return reportType(slot, node, 'a duration', reading, SPELLING)
      const [, amount, unit = ''] = DURATION.exec(value) ?? []
      if (amount !== undefined) return Number(amount) * (UNITS[unit] ?? 0)
      reading.report(offsetOf(slot), 'unknown_word', `${slot.label} must be a duration, and this is ${quoteText(value)}`, SPELLING)
      return undefined
    },
  }
}

/** A whole number from 1 to a million. */
export function count(): Reader<number> {
  return {
    schema: { type: 'integer', minimum: 1, maximum: MAX_COUNT },
    read(slot, reading) {
      const node = reading.nodeOf(slot)
      const value = numberOf(node)
      if (value !== undefined && Number.isInteger(value) && value >= 1 && value <= MAX_COUNT) return value
      return reportType(slot, node, `a whole number from 1 to ${MAX_COUNT}`, reading, 'write it without quotes')
    },
  }
}
