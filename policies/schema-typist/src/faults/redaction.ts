import { formatPointer, WireNumber } from '@callgate/core'
import type { JsonValue } from '@callgate/core'
import type { Shape } from '../schema/schema-place.ts'
import { placeBelow } from '../schema/shapes-at.ts'
import { showValue } from './show-value.ts'

/** Says of a JSON Pointer (`/arguments/card_number`) that what stands there, and all below it, is shown to nobody. */
export type RedactPointer = (pointer: string) => boolean

/** What a model may read of a value; nothing else of a hidden one may be told either. */
export type Shown = { readonly text: string; readonly isHidden: boolean }

/** How a value at a pointer is shown; `shapes` are those that it may have, undefined where that is not known. */
export type ShowAt = (pointer: string, value: JsonValue | undefined, shapes: readonly Shape[] | undefined) => Shown

// How far below a text secrets are looked for that the schema wants there.
const DEEPEST = 8
const MOST_PLACES = 2_000

/**
 * Shows values, but of redacted ones their type and length only. A text is redacted too where something below its place
 * would be: it may be an object that came as text.
 */
export function createShowAt(redact: RedactPointer | undefined): ShowAt {
  if (redact === undefined) return (_, value) => ({ text: showValue(value), isHidden: false })
  return (pointer, value, shapes) => {
    const isHidden = isRedacted(redact, pointer) || (typeof value === 'string' && mayHoldRedacted(redact, pointer, shapes))
    return { text: isHidden ? showLength(value) : showValue(value), isHidden }
  }
}

function isRedacted(redact: RedactPointer, pointer: string): boolean {
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
    const above = pointer.slice(0, end)
    // A secret under a name in the wrong case is one too.
    if (redact(above) || redact(above.toLowerCase())) return true
  }
  return false
}

/** Where nothing is known of a text, and beyond what is looked at, it may hold anything. */
function mayHoldRedacted(redact: RedactPointer, pointer: string, shapes: readonly Shape[] | undefined): boolean {
  const waiting = [{ pointer, shapes, depth: 0 }]
  for (let count = 0, next = waiting.pop(); next !== undefined; count += 1, next = waiting.pop()) {
    const { depth } = next
    if (next.shapes === undefined || count > MOST_PLACES || depth > DEEPEST || redact(next.pointer)) return true
    for (const shape of next.shapes) {
      for (const name of shape.kinds.has('array') ? [...shape.names, '0'] : shape.names) {
        const place = placeBelow(shape, name)
        if (place !== undefined) waiting.push({ pointer: `${next.pointer}${formatPointer([name])}`, shapes: place.shapes, depth: depth + 1 })
      }
    }
  }
  return false
}

function showLength(value: JsonValue | undefined): string {
  if (typeof value === 'string') return `a text of ${value.length} characters (not shown)`
  if (typeof value === 'number' || typeof value === 'bigint') return `a number of ${String(value).length} characters (not shown)`
  if (WireNumber.isWireNumber(value)) return `a number of ${value.text.length} characters (not shown)`
  return typeof value === 'boolean' ? 'a boolean (not shown)' : showValue(value)
}
