import { reveal, WireNumber } from '@callgate/core'
import type { JsonValue } from '@callgate/core'

const LONGEST_POINTER = 200

/** How a value is shown to a model: texts quoted and cut, what they hide written out, containers by kind; some 40 characters of it at most. */
export function showValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  if (WireNumber.isWireNumber(value)) return cutText(value.text, 40)
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'string' ? reveal(JSON.stringify(cutText(value, 40))) : cutText(String(value), 40)
}

/** How a pointer is shown to a model: at most 200 characters of it, and what its names hide written out. */
export function showPointer(pointer: string): string {
  return reveal(cutText(pointer, LONGEST_POINTER))
}

/** A pointer of at most 200 characters as it is; of a longer one the beginning and an ellipsis, a pointer that leads nowhere. */
export function cutPointer(pointer: string): string {
  return cutText(pointer, LONGEST_POINTER).replace(/~…$/, '…')
}

/** At most `limit` characters of a text, and an ellipsis where some were left off; never half a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const characters = Array.from(text.slice(0, 2 * limit + 2))
  return characters.length > limit ? `${characters.slice(0, limit).join('')}…` : text
}
