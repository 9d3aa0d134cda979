import { scalarText } from './canonical.ts'
import { isArray, isObject } from './json-shape.ts'
import type { JsonValue } from './json-value.ts'
import { childOf, formatPointer } from './pointer.ts'
import type { Change } from './pointer.ts'

type Pair = {
  readonly parent?: Pair
  readonly key: string
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
}

/**
 * What differs between two exact values, by the canonical rules (1 and a WireNumber of another text differ), in document
 * order. Objects are compared by key, arrays of one length by item; arrays of different length differ as a whole.
 */
export function diffValues(before: JsonValue, after: JsonValue): readonly Change[] {
  const changes: Change[] = []
  const waiting: Pair[] = [{ key: '', before, after }]
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    if (pair.before === pair.after) continue
    const keys = sharedKeys(pair.before, pair.after)
    if (keys !== undefined) {
      for (const key of keys.reverse()) waiting.push(childPair(pair, key))
    } else if (!isSameScalar(pair.before, pair.after)) changes.push(changeOf(pair))
  }
  return Object.freeze(changes)
}

function sharedKeys(before: JsonValue | undefined, after: JsonValue | undefined): string[] | undefined {
  if (isArray(before) && isArray(after)) return before.length === after.length ? Object.keys(before) : undefined
  if (!isObject(before) || !isObject(after)) return undefined
  return [...Object.keys(before), ...Object.keys(after).filter((key) => !Object.hasOwn(before, key))]
}

function childPair(parent: Pair, key: string): Pair {
  const child = (value: JsonValue | undefined): JsonValue | undefined => (value === undefined ? undefined : childOf(value, key))
  return { parent, key, before: child(parent.before), after: child(parent.after) }
}

function isSameScalar(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (before === undefined || after === undefined) return false
  if (isArray(before) || isObject(before) || isArray(after) || isObject(after)) return false
  return scalarText(before) === scalarText(after)
}

function changeOf(pair: Pair): Change {
  const { before, after } = pair
  return Object.freeze({
    pointer: formatPointer(tokensOf(pair)),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  })
}

function tokensOf(pair: Pair): readonly string[] {
  const tokens: string[] = []
  for (let at = pair; at.parent !== undefined; at = at.parent) tokens.push(at.key)
  return tokens.reverse()
}
