import { isMap } from 'yaml'
import { entriesOf } from './map-entries.ts'
import { offsetOf, reportType } from './reader.ts'
import type { Reader } from './reader.ts'
import { quoteText } from './show-text.ts'

/** A map from names to values of one kind, at least one; without a prototype, so that every name is only data. */
export function names<T>(name: Reader<string>, value: Reader<T>): Reader<{ readonly [name: string]: T }> {
  return {
    schema: { type: 'object', minProperties: 1, propertyNames: name.schema, additionalProperties: value.schema },
    read(slot, reading) {
      const node = reading.nodeOf(slot)
      if (!isMap(node)) return reportType(slot, node, 'a map', reading)
      if (node.items.length === 0) {
        reading.report(offsetOf(slot), 'empty_map', `${slot.label} is an empty map`, 'name at least one, or remove the entry')
        return undefined
      }
      const values = Object.create(null) as { [name: string]: T }
      let isGood = true
      for (const { key, keyNode, offset, value: valueNode } of entriesOf(node, slot, reading)) {
        const found = name.read({ label: `a name in ${slot.label}`, node: keyNode, fallback: offset }, reading)
        const item = value.read({ label: quoteText(key), node: valueNode, fallback: offset }, reading)
        if (found === undefined || item === undefined) isGood = false
        else values[found] = item
      }
      return isGood ? values : undefined
    },
  }
}
