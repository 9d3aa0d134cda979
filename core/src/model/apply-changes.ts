import { CallgateError } from './callgate-error.ts'
import { isArray, isObject, setOwn } from './json-shape.ts'
import type { JsonObject, JsonValue } from './json-value.ts'
import { childOf, parsePointer } from './pointer.ts'
import type { Change } from './pointer.ts'

/**
 * A frozen copy of `root` with the changes of `diffValues` made; what no change touches is shared.
 * Throws `invalid_option` for a pointer that leads nowhere.
 */
export function applyChanges(root: JsonObject, changes: readonly Change[]): JsonObject {
  const draft: Draft = { copies: new Set(), value: root }
  for (const change of changes) applyChange(draft, change)
  for (const copy of draft.copies) Object.freeze(copy)
  return draft.value
}

type Draft = { readonly copies: Set<JsonValue>; value: JsonObject }

function applyChange(draft: Draft, change: Change): void {
  const tokens = parsePointer(change.pointer) ?? []
  const last = tokens.at(-1)
  if (last === undefined) throw nowhere(change.pointer)
  draft.value = writable(draft, draft.value) as JsonObject
  let parent: JsonValue = draft.value
  for (let at = 0; at < tokens.length - 1; at += 1) {
    const token = tokens[at] as string
    const child = childOf(parent, token)
    if (!isArray(child) && !isObject(child)) throw nowhere(change.pointer)
    const copy = writable(draft, child)
    if (copy !== child) define(parent, token, copy)
    parent = copy
  }
  // An array keeps its length: an item can be changed, not added or dropped.
  if (isArray(parent) && (change.after === undefined || childOf(parent, last) === undefined)) throw nowhere(change.pointer)
  if (change.after === undefined) delete (parent as Record<string, unknown>)[last]
  else define(parent, last, change.after)
}

function writable(draft: Draft, value: JsonValue): JsonValue {
  if (draft.copies.has(value)) return value
  // A spread defines: a key `__proto__` stays data.
  const copy = isArray(value) ? [...value] : { ...(value as JsonObject) }
  draft.copies.add(copy)
  return copy
}

function define(target: JsonValue, key: string, value: JsonValue): void {
  setOwn(target as Record<string, JsonValue>, key, value)
}

function nowhere(pointer: string): CallgateError {
  return new CallgateError('invalid_option', `No change can be made at "${pointer}": nothing of the value stands there.`)
}
