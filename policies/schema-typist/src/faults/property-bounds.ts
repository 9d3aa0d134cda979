import { CallgateError, formatPointer, WireNumber } from '@callgate/core'
import type { JsonObject, JsonValue, Reason } from '@callgate/core'
import { ownValue } from '../json-shape.ts'
import { showValue } from './show-value.ts'

/** Inclusive bounds of one property, tighter than its schema's; at least one of them. */
export type PropertyBounds = { readonly minimum?: number | bigint; readonly maximum?: number | bigint }

/** Bounds by tool and top-level property, as in the gates file's `typing.tools`. */
export type ToolBounds = { readonly [tool: string]: { readonly [property: string]: PropertyBounds } }

/** How the value of a top-level property is shown to a model. */
export type ShowProperty = (property: string, value: JsonValue) => string

/** A frozen copy of the bounds. Throws `invalid_option` for one that is no number, for a pair out of order, and for none. */
export function copyBounds(tools: ToolBounds): ToolBounds {
  return freezeEntries(tools, (properties, tool) =>
    freezeEntries(properties, (bounds, property) => {
      const { minimum, maximum } = bounds
      const where = `Bounds of "${property}" of tool "${tool}"`
      for (const bound of [minimum, maximum]) {
        const isBound = bound === undefined || typeof bound === 'bigint' || Number.isFinite(bound)
        if (!isBound) throw new CallgateError('invalid_option', `${where}: minimum and maximum must be finite numbers.`)
      }
      if (minimum === undefined && maximum === undefined) {
        throw new CallgateError('invalid_option', `${where}: give a minimum, a maximum or both.`)
      }
      if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
        throw new CallgateError('invalid_option', `${where}: minimum ${minimum} is above maximum ${maximum}.`)
      }
      return Object.freeze({ ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) })
    }),
  )
}

/**
 * What breaks the bounds of a tool: a bounded property that is present and no number within them. They are the host's rules,
 * so doubt refuses, whatever the schema admits: a text that a lenient server might read, a name that differs in case only.
 */
export function boundFaults(args: JsonObject, bounds: { readonly [property: string]: PropertyBounds }, show: ShowProperty): readonly Reason[] {
  const reasons: Reason[] = []
  for (const [property, { minimum, maximum }] of Object.entries(bounds)) {
    for (const name of Object.keys(args)) {
      if (name === property || name.toLowerCase() !== property.toLowerCase() || Object.hasOwn(bounds, name)) continue
      const pointer = `/arguments${formatPointer([name])}`
      reasons.push({ code: 'unknown_property', pointer, message: `${pointer} differs from "${property}" in letter case only. Write "${property}".` })
    }
    const value = ownValue(args, property)
    const number = typeof value === 'number' || typeof value === 'bigint' ? value : WireNumber.isWireNumber(value) ? value.value : undefined
    const isWithin = number !== undefined && !(minimum !== undefined && number < minimum) && !(maximum !== undefined && number > maximum)
    if (value === undefined || isWithin) continue
    const code = number === undefined ? 'type_mismatch' : 'out_of_range'
    const pointer = `/arguments${formatPointer([property])}`
    reasons.push({ code, pointer, message: `${pointer} must be a number ${rangeText(minimum, maximum)}; ${show(property, value)} was sent.` })
  }
  return reasons
}

/** Bounds in words: `from 0 to 100`, `of at least 0`, `of at most 100`. */
export function rangeText(minimum: JsonValue | undefined, maximum: JsonValue | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return `from ${showValue(minimum)} to ${showValue(maximum)}`
  return minimum === undefined ? `of at most ${showValue(maximum)}` : `of at least ${showValue(minimum)}`
}

function freezeEntries<V>(source: { readonly [key: string]: V }, copy: (value: V, key: string) => V): { readonly [key: string]: V } {
  return Object.freeze(Object.fromEntries(Object.entries(source).map(([key, value]) => [key, copy(value, key)])))
}
