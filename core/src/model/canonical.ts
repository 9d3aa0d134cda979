import { isArray, isObject } from './json-shape.ts'
import type { JsonArray, JsonObject, JsonValue } from './json-value.ts'
import type { WireNumber } from './wire-number.ts'

/** An exact value that holds no other. */
export type JsonScalar = Exclude<JsonValue, JsonArray | JsonObject> | WireNumber

/** Up to so many characters are looked at one by one. */
const SHORT = 64
const FEW = 16

type Open = { readonly value: JsonArray | JsonObject; readonly keys: readonly string[] | undefined; readonly length: number; next: number }

/**
 * Canonical JSON (RFC 8785) of an exact value: keys by UTF-16 code units, numbers as ECMAScript prints them, a bigint as its
 * digits, a WireNumber as its text. Equal text means equal value (contract 3). Nesting costs no stack.
 */
export function canonicalJson(value: JsonValue): string {
  if (!isArray(value) && !isObject(value)) return scalarText(value)
  const open: Open[] = [opened(value)]
  let text = isArray(value) ? '[' : '{'
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    const { value: container, keys, length } = frame
    let inner: JsonArray | JsonObject | undefined
    while (inner === undefined && frame.next < length) {
      const at = frame.next
      frame.next += 1
      if (at > 0) text += ','
      const key = keys?.[at]
      if (key !== undefined) text += `${stringText(key)}:`
      const child = (key === undefined ? (container as JsonArray)[at] : (container as JsonObject)[key]) as JsonValue
      if (isArray(child) || isObject(child)) inner = child
      else text += scalarText(child)
    }
    if (inner === undefined) {
      text += keys === undefined ? ']' : '}'
      open.pop()
    } else {
      text += isArray(inner) ? '[' : '{'
      open.push(opened(inner))
    }
  }
  return text
}

/** The canonical text of a value that holds no other. */
export function scalarText(value: JsonScalar): string {
  if (typeof value === 'string') return stringText(value)
  return typeof value === 'object' && value !== null ? value.text : String(value)
}

function opened(value: JsonArray | JsonObject): Open {
  if (isArray(value)) return { value, keys: undefined, length: value.length, next: 0 }
  const keys = sortedKeys(value)
  return { value, keys, length: keys.length, next: 0 }
}

/** The keys by UTF-16 code units; few of them by insertion, which is quicker than to set up a sort. */
function sortedKeys(value: JsonObject): readonly string[] {
  const keys = Object.keys(value)
  if (keys.length > FEW) return keys.sort()
  for (let at = 1; at < keys.length; at += 1) {
    const key = keys[at] as string
    let free = at
    for (; free > 0 && (keys[free - 1] as string) > key; free -= 1) keys[free] = keys[free - 1] as string
    keys[free] = key
  }
  return keys
}

/** A string in JSON's quotes: a short one without anything to escape is quoted as it is. */
function stringText(text: string): string {
  if (text.length > SHORT) return JSON.stringify(text)
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c || unit >= 0xd800) return JSON.stringify(text)
  }
  return `"${text}"`
}
