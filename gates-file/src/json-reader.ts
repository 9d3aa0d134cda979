import { isMap, isScalar, isSeq } from 'yaml'
import type { JsonValue } from '@callgate/core'
import { entriesOf } from './map-entries.ts'
import { offsetOf, reportType } from './reader.ts'
import type { Reader, Reading, Slot } from './reader.ts'

/** A map of any JSON values by name, without a prototype; whole numbers are refused where they would be rounded. */
export function jsonMap(): Reader<{ readonly [key: string]: JsonValue }> {
  return {
    schema: { type: 'object' },
    read(slot, reading) {
      const node = reading.nodeOf(slot)
      if (!isMap(node)) return reportType(slot, node, 'a map', reading)
      return readJson(slot, reading) as { readonly [key: string]: JsonValue } | undefined
    },
  }
}

function readJson(slot: Slot, reading: Reading): JsonValue | undefined {
  const node = reading.nodeOf(slot)
  if (isMap(node)) {
    const values = Object.create(null) as { [key: string]: JsonValue }
    for (const { key, offset, value } of entriesOf(node, slot, reading)) {
      const read = readJson({ label: slot.label, node: value, fallback: offset }, reading)
      if (read === undefined) return undefined
      values[key] = read
    }
    return values
  }
  if (isSeq(node)) {
    const items = node.items.map((item) => readJson({ label: slot.label, node: item, fallback: offsetOf(slot) }, reading))
    return items.includes(undefined) ? undefined : (items as readonly JsonValue[])
  }
  const value = isScalar(node) ? node.value : undefined
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return exact(value, slot, reading)
  return reportType(slot, node, 'a JSON value', reading)
}

function exact(value: number, slot: Slot, reading: Reading): number | undefined {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value + 0
  const message = `${slot.label} holds ${value}, which is not read exactly`
  reading.report(offsetOf(slot), 'inexact_number', message, `stay within ±${Number.MAX_SAFE_INTEGER}`)
  return undefined
}
