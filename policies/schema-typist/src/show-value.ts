import { WireNumber } from '@callgate/core'
import type { JsonValue } from '@callgate/core'

/** How a value is shown to a model: texts quoted and cut, containers by kind; at most about 60 characters. */
export function showValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  if (WireNumber.isWireNumber(value)) return cutText(value.text, 40)
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'string' ? JSON.stringify(cutText(value, 40)) : cutText(String(value), 40)
}

/** At most `limit` characters of a text, and an ellipsis where some were left off; never half a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const characters = Array.from(text.slice(0, 2 * limit + 2))
  return characters.length > limit ? `${characters.slice(0, limit).join('')}…` : text
}
