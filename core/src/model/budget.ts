import { scalarText } from './canonical.ts'
import { isArray, isObject } from './json-shape.ts'
import type { JsonValue } from './json-value.ts'

/** How much a candidate may hold (contract 2): UTF-8 bytes of canonical JSON, and depth, where an outermost container is depth 1. */
export type Budget = { readonly bytes: number; readonly depth: number }

/** Which bound the values, taken together, exceed, or undefined; the work ends where a bound does. */
export function exceededBound(values: readonly JsonValue[], budget: Budget): 'bytes' | 'depth' | undefined {
  const waiting = values.map((value) => ({ value, depth: 1 }))
  let left = budget.bytes
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const { value, depth } = item
    if (isArray(value) || isObject(value)) {
      if (depth > budget.depth) return 'depth'
      const keys = isArray(value) ? [] : Object.keys(value)
      const children = isArray(value) ? value : Object.values(value)
      left -= 2 + Math.max(children.length - 1, 0) + keys.length
      for (let at = 0; at < keys.length && left >= 0; at += 1) left -= stringBytes(keys[at] as string, left)
      for (let at = 0; at < children.length && left >= 0; at += 1) waiting.push({ value: children[at] as JsonValue, depth: depth + 1 })
    } else left -= scalarBytes(value, left)
    if (left < 0) return 'bytes'
  }
  return undefined
}

function scalarBytes(value: Parameters<typeof scalarText>[0], limit: number): number {
  if (typeof value === 'string') return stringBytes(value, limit)
  // Four bits a digit: what is longer than that has more digits than fit, and is never printed.
  if (typeof value === 'bigint' && (value < 0n ? -value : value) >> BigInt(4 * limit) > 0n) return limit + 1
  return scalarText(value).length
}

/** UTF-8 bytes of a well-formed string in JSON's quotes; stops at the first byte over the limit. */
function stringBytes(text: string, limit: number): number {
  let bytes = 2
  for (let at = 0; at < text.length && bytes <= limit; at += 1) {
    const unit = text.charCodeAt(at)
    bytes += unitBytes(unit)
    if (unit >= 0xd800 && unit <= 0xdbff) at += 1
  }
  return bytes
}

function unitBytes(unit: number): number {
  if (unit === 0x22 || unit === 0x5c) return 2
  if (unit < 0x20) return (unit >= 0x08 && unit <= 0x0d && unit !== 0x0b) ? 2 : 6
  if (unit < 0x80) return 1
  if (unit < 0x800) return 2
  return unit >= 0xd800 && unit <= 0xdbff ? 4 : 3
}
