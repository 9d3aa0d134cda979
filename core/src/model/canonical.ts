import { isArray, isObject } from './json-shape.ts'
import type { JsonArray, JsonObject, JsonValue } from './json-value.ts'
import type { WireNumber } from './wire-number.ts'

/** An exact value that holds no other. */
export type JsonScalar = Exclude<JsonValue, JsonArray | JsonObject> | WireNumber

type Open = { readonly value: JsonValue; readonly keys: readonly string[] | undefined; readonly length: number; next: number }

/**
 * Canonical JSON (RFC 8785) of an exact value: keys by UTF-16 code units, numbers as ECMAScript prints them, a bigint as its
 * digits, a WireNumber as its text. Equal text means equal value (contract 3). Nesting costs no stack.
 */
export function canonicalJson(value: JsonValue): string {
  const parts: string[] = []
  const open: Open[] = []
  let current: JsonValue | undefined = value
  for (;;) {
    if (current !== undefined) begin(current, parts, open)
    const frame = open.at(-1)
    if (frame === undefined) return parts.join('')
    current = step(frame, parts)
    if (current === undefined) open.pop()
  }
}

/** The canonical text of a value that holds no other. */
export function scalarText(value: JsonScalar): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'object' && value !== null ? value.text : String(value)
}

function begin(value: JsonValue, parts: string[], open: Open[]): void {
  if (isArray(value)) {
    parts.push('[')
    open.push({ value, keys: undefined, length: value.length, next: 0 })
  } else if (isObject(value)) {
    const keys = Object.keys(value).sort()
    parts.push('{')
    open.push({ value, keys, length: keys.length, next: 0 })
  } else parts.push(scalarText(value))
}

/** The next child of an open container, its separator and key written; undefined, and the end written, after the last. */
function step(frame: Open, parts: string[]): JsonValue | undefined {
  const { value, keys, next } = frame
  if (next === frame.length) {
    parts.push(keys === undefined ? ']' : '}')
    return undefined
  }
  frame.next += 1
  if (next > 0) parts.push(',')
  if (keys === undefined) return (value as JsonArray)[next]
  const key = keys[next] as string
  parts.push(JSON.stringify(key), ':')
  return (value as JsonObject)[key]
}
