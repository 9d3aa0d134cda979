import { scalarText } from './canonical.ts'
import { isArray, isObject } from './json-shape.ts'
import type { JsonArray, JsonObject, JsonValue } from './json-value.ts'
import { formatPointer } from './pointer.ts'
import type { Change } from './pointer.ts'
import { WireNumber } from './wire-number.ts'

type Frame = {
  readonly pointer: string
  readonly before: JsonArray | JsonObject
  readonly after: JsonArray | JsonObject
  /** The keys of both, first those of the one before; undefined for arrays. */
  readonly keys: readonly string[] | undefined
  readonly length: number
  next: number
}

/**
 * What differs between two exact values, by the canonical rules (1 and a WireNumber of another text differ), in document
 * order. Objects are compared by key, arrays of one length by item; arrays of different length differ as a whole.
 */
export function diffValues(before: JsonValue, after: JsonValue): readonly Change[] {
  return compareValues(before, after).changes
}

/** What differs, and whether making these changes in `before` gives `after` to the last detail: the order of keys, the spelling of numbers. */
export type Comparison = { readonly changes: readonly Change[]; readonly isWhole: boolean }

/** `diffValues`, in the same look. */
export function compareValues(before: JsonValue, after: JsonValue): Comparison {
  const changes: Change[] = []
  let isWhole = true
  const open: Frame[] = []
  const look = (pointer: string, one: JsonValue | undefined, other: JsonValue | undefined): void => {
    if (one === other) return
    if (isArray(one) && isArray(other) && one.length === other.length) {
      open.push({ pointer, before: one, after: other, keys: undefined, length: one.length, next: 0 })
    } else if (isObject(one) && isObject(other)) {
      const keys = Object.keys(one)
      const others = Object.keys(other)
      const isAlike = keys.length === others.length && keys.every((key, at) => key === others[at])
      if (!isAlike) {
        isWhole = false
        keys.push(...others.filter((key) => !Object.hasOwn(one, key)))
      }
      open.push({ pointer, before: one, after: other, keys, length: keys.length, next: 0 })
    } else if (isSameNumber(one, other)) isWhole = false
    else changes.push(changeOf(pointer, one, other))
  }
  look('', before, after)
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    if (frame.next === frame.length) open.pop()
    else step(frame, look)
  }
  return { changes: Object.freeze(changes), isWhole }
}

type Look = (pointer: string, before: JsonValue | undefined, after: JsonValue | undefined) => void

/** Looks at the next members or items that are not the same, if there are any. */
function step(frame: Frame, look: Look): void {
  const { pointer, before, after, keys, length } = frame
  while (frame.next < length) {
    const at = frame.next
    frame.next += 1
    const key = keys?.[at] ?? String(at)
    const one = keys === undefined ? (before as JsonArray)[at] : ownMember(before as JsonObject, key)
    const other = keys === undefined ? (after as JsonArray)[at] : ownMember(after as JsonObject, key)
    if (one === other) continue
    look(pointer + formatPointer([key]), one, other)
    if (typeof one === 'object' && typeof other === 'object') return
  }
}

function ownMember(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Numbers only can be written in one way and not be the same: a bigint or a WireNumber beside a number. */
function isSameNumber(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  return isNumber(before) && isNumber(after) && scalarText(before) === scalarText(after)
}

function isNumber(value: JsonValue | undefined): value is number | bigint | WireNumber {
  return typeof value === 'number' || typeof value === 'bigint' || WireNumber.isWireNumber(value)
}

function changeOf(pointer: string, before: JsonValue | undefined, after: JsonValue | undefined): Change {
  if (before === undefined) return Object.freeze(after === undefined ? { pointer } : { pointer, after })
  return Object.freeze(after === undefined ? { pointer, before } : { pointer, before, after })
}
