import { scalarText } from './canonical.ts'
import { isArray, isObject } from './json-shape.ts'
import type { JsonValue } from './json-value.ts'
import { formatPointer } from './pointer.ts'
import type { Change } from './pointer.ts'

type Pair = { readonly pointer: string; readonly before: JsonValue | undefined; readonly after: JsonValue | undefined }

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
  const waiting: Pair[] = before === after ? [] : [{ pointer: '', before, after }]
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const { before: one, after: other } = pair
    if (isArray(one) && isArray(other) && one.length === other.length) {
      for (let at = one.length - 1; at >= 0; at -= 1) add(waiting, pair, String(at), one[at], other[at])
    } else if (isObject(one) && isObject(other)) {
      const [keys, others] = [Object.keys(one), Object.keys(other)]
      if (keys.length !== others.length || keys.some((key, at) => key !== others[at])) {
        isWhole = false
        for (const key of others.reverse()) if (!Object.hasOwn(one, key)) add(waiting, pair, key, undefined, other[key])
      }
      for (const key of keys.reverse()) add(waiting, pair, key, one[key], Object.hasOwn(other, key) ? other[key] : undefined)
    } else if (isSameScalar(one, other)) isWhole = false
    else changes.push(changeOf(pair))
  }
  return { changes: Object.freeze(changes), isWhole }
}

function add(waiting: Pair[], { pointer }: Pair, key: string, before: JsonValue | undefined, after: JsonValue | undefined): void {
  if (before !== after) waiting.push({ pointer: pointer + formatPointer([key]), before, after })
}

function isSameScalar(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (before === undefined || after === undefined) return false
  if (isArray(before) || isObject(before) || isArray(after) || isObject(after)) return false
  return scalarText(before) === scalarText(after)
}

function changeOf({ pointer, before, after }: Pair): Change {
  if (before === undefined) return Object.freeze(after === undefined ? { pointer } : { pointer, after })
  return Object.freeze(after === undefined ? { pointer, before } : { pointer, before, after })
}
