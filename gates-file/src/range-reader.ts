import { map } from './map-reader.ts'
import { about, located, numberOf, offsetOf, refine, reportType } from './reader.ts'
import type { Reader } from './reader.ts'

/** A finite number within the safe integer range (contract 2): beyond it neighbours fall together. */
export function exactNumber(): Reader<number> {
  return {
    schema: { type: 'number', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    read(slot, reading) {
      const node = reading.nodeOf(slot)
      const value = numberOf(node)
      if (value === undefined) return reportType(slot, node, 'a number', reading, 'write it without quotes')
      // Adding 0 turns -0 into 0; both bound alike.
      if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value + 0
      const message = `${slot.label} is ${value}, which cannot be compared exactly`
      reading.report(offsetOf(slot), 'inexact_number', message, `stay within ±${Number.MAX_SAFE_INTEGER}`)
      return undefined
    },
  }
}

/** Inclusive bounds of one argument, at least one of them. */
export type Range = { readonly minimum?: number; readonly maximum?: number }

/** A map of `minimum` and `maximum`; a minimum above the maximum is refused. */
export function range(): Reader<Range> {
  const written = map({
    minimum: about('The least that is admitted.', located(exactNumber())),
    maximum: about('The most that is admitted.', located(exactNumber())),
  }, { oneOf: { keys: ['minimum', 'maximum'], why: 'it would bound nothing' } })
  return refine(written, ({ minimum, maximum }, slot, reading) => {
    if (minimum !== undefined && maximum !== undefined && minimum.value > maximum.value) {
      reading.report(
        maximum.offset, 'empty_range',
        `the maximum of ${slot.label} is below its minimum: no value would pass`,
        'raise the maximum or lower the minimum',
      )
      return undefined
    }
    return { ...(minimum && { minimum: minimum.value }), ...(maximum && { maximum: maximum.value }) }
  })
}
