import { scalarText } from './canonical.ts'
import { isArray, isObject } from './json-shape.ts'
import type { JsonArray, JsonObject, JsonValue } from './json-value.ts'

/** How much a candidate may hold (contract 2): UTF-8 bytes of canonical JSON, and depth, where an outermost container is depth 1. */
export type Budget = { readonly bytes: number; readonly depth: number }

/** The depth of an object of scalars. */
const FLAT_DEPTH = 1
/** What ECMAScript prints of a number has at most 25 characters. */
const MOST_NUMBER_BYTES = 25
const NO_KEYS: readonly string[] = Object.freeze([])

/** Which bound the values, taken together, exceed, or undefined; the work ends where a bound does. */
export function exceededBound(values: readonly JsonValue[], budget: Budget): 'bytes' | 'depth' | undefined {
  return isSurelyWithin(values, budget) ? undefined : measure(values, budget)
}

/** True where flat values stay within the bytes however they are spelled: what most calls hold, and need not be printed. */
function isSurelyWithin(values: readonly JsonValue[], { bytes, depth }: Budget): boolean {
  if (depth < FLAT_DEPTH) return false
  let most = 0
  for (const value of values) {
    if (isArray(value)) return false
    if (!isObject(value)) {
      most += mostBytes(value)
      continue
    }
    most += 2
    for (const key of Object.keys(value)) {
      const child = value[key] as JsonValue
      if (typeof child === 'object' && child !== null) return false
      most += mostBytes(key) + mostBytes(child) + 2
    }
    if (most > bytes) return false
  }
  return most <= bytes
}

/** No fewer bytes than the canonical text of a value that holds no other: six for each unit of a text. */
function mostBytes(value: JsonValue): number {
  if (typeof value === 'string') return 2 + 6 * value.length
  return typeof value === 'bigint' || typeof value === 'object' && value !== null ? Infinity : MOST_NUMBER_BYTES
}

function measure(values: readonly JsonValue[], budget: Budget): 'bytes' | 'depth' | undefined {
  const waiting: { readonly value: JsonArray | JsonObject; readonly depth: number }[] = []
  let left = budget.bytes
  const add = (value: JsonValue, depth: number): void => {
    if (isArray(value) || isObject(value)) waiting.push({ value, depth })
    else left -= scalarBytes(value, left)
  }
  for (let at = 0; at < values.length && left >= 0; at += 1) add(values[at] as JsonValue, 1)
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const { value, depth } = item
    if (left < 0) return 'bytes'
    if (depth > budget.depth) return 'depth'
    const keys = isArray(value) ? NO_KEYS : Object.keys(value)
    const length = isArray(value) ? value.length : keys.length
    left -= 2 + Math.max(length - 1, 0) + keys.length
    for (let at = 0; at < keys.length && left >= 0; at += 1) left -= stringBytes(keys[at] as string, left)
    for (let at = 0; at < length && left >= 0; at += 1) add(isArray(value) ? (value[at] as JsonValue) : (value[keys[at] as string] as JsonValue), depth + 1)
  }
  return left < 0 ? 'bytes' : undefined
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
