import { isMap, isScalar, isSeq } from 'yaml'
import type { Node } from 'yaml'
import { offsetOf, reportType } from './reader.ts'
import type { Reader } from './reader.ts'
import { quoteText } from './show-text.ts'

/** A list of at least `least` items. */
export function list<T>(item: Reader<T>, least: 0 | 1): Reader<readonly T[]> {
  return {
    schema: { type: 'array', items: item.schema, ...(least > 0 && { minItems: least }) },
    read(slot, reading) {
      const node = reading.nodeOf(slot)
      if (!isSeq(node)) {
        return reportType(slot, node, 'a list', reading, hintFor(node))
      }
      if (node.items.length < least) {
        reading.report(offsetOf(slot), 'empty_list', `${slot.label} is an empty list`, 'name at least one, or remove the entry')
        return undefined
      }
      const items = (node.items as readonly Node[]).map((child) => {
        const fallback = child.range?.[0] ?? offsetOf(slot)
        return item.read({ label: `an item of ${slot.label}`, node: child, fallback }, reading)
      })
      return items.includes(undefined) ? undefined : items as readonly T[]
    },
  }
}

function hintFor(node: Node | undefined): string | undefined {
  if (isMap(node)) return 'begin each item with `- `'
  return isScalar(node) && typeof node.value === 'string' ? `write it as a list: ${quoteText(`[${node.value}]`)}` : undefined
}
