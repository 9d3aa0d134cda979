import type { JsonValue } from './json-value.ts'
import { isArray, isObject } from './json-shape.ts'

/** One smallest subtree that differs: `before` is missing where something was added, `after` where it was dropped. */
export type Change = { readonly pointer: string; readonly before?: JsonValue; readonly after?: JsonValue }

const INDEX = /^(?:0|[1-9][0-9]*)$/
const BAD_ESCAPE = /~(?![01])/

/** The tokens of a JSON Pointer (RFC 6901), none for the whole value; undefined for what is no pointer. */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === '') return []
  if (!pointer.startsWith('/') || BAD_ESCAPE.test(pointer)) return undefined
  const tokens = pointer.slice(1).split('/')
  return pointer.includes('~') ? tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')) : tokens
}

/** The JSON Pointer (RFC 6901) that the tokens spell. */
export function formatPointer(tokens: readonly string[]): string {
  let pointer = ''
  for (const token of tokens) pointer += `/${token.includes('~') || token.includes('/') ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token}`
  return pointer
}

/** The value at the tokens of a pointer, or undefined where nothing stands; prototypes are never reached. */
export function valueAt(root: JsonValue, tokens: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = root
  for (const token of tokens) {
    if (value === undefined) return undefined
    value = childOf(value, token)
  }
  return value
}

/** The member or item of one value that a token names, or undefined. */
export function childOf(value: JsonValue, token: string): JsonValue | undefined {
  if (isArray(value)) return INDEX.test(token) ? value[Number(token)] : undefined
  return isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined
}
