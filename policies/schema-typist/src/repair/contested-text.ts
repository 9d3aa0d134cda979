import { parsePointer } from '@callgate/core'
import type { JsonValue, Reason } from '@callgate/core'
import { isJsonObject, valueAt } from '../json-shape.ts'
import type { Shape } from '../schema/schema-place.ts'
import { shapesAt } from '../schema/shapes-at.ts'

/** A reading of a container by one of its shapes: the shape, what is read, the casts, and where the container stands. */
export type ShapeReading = { readonly shape: Shape; readonly read: JsonValue; readonly casts: readonly Reason[]; readonly pointer: string }

/**
 * True where a reading casts a text that another of the open shapes (`openShapes`) would leave a text: no text is cast where any
 * branch admits a string (contract 8). An enum's case and a dropped property are no such casts.
 */
export function isContested({ shape, read, casts, pointer }: ShapeReading, open: readonly Shape[]): boolean {
  const others = open.filter((other) => other !== shape)
  if (others.length === 0) return false
  return casts.some(({ pointer: at = '' }) => {
    const tokens = parsePointer(at.slice(pointer.length)) ?? []
    const value = valueAt(read, tokens)
    return value !== undefined && typeof value !== 'string' && others.some((other) => admitsTextAt(other, tokens))
  })
}

/** The shapes that what was sent does not rule out. */
export function openShapes(shapes: readonly Shape[], sent: JsonValue): readonly Shape[] {
  return shapes.filter((shape) => !isRuledOut(shape, sent))
}

/** A required name is not there, a name is not admitted, or a scalar is none of the values that its enum takes. */
function isRuledOut(shape: Shape, value: JsonValue): boolean {
  if (!isJsonObject(value)) return false
  if ([...shape.required].some((name) => !Object.hasOwn(value, name))) return true
  return Object.entries(value).some(([name, member]) => {
    const shapes = shape.property(name)?.shapes
    return shapes !== undefined && shapes.every((each) => excludes(each, member))
  })
}

function excludes({ choices, integers, kinds }: Shape, member: JsonValue): boolean {
  if (kinds.size === 0) return true
  if (typeof member === 'string') {
    return integers === undefined && choices !== undefined && choices(member).length === 0
  }
  return typeof member === 'number' && integers !== undefined && !integers.has(member)
}

/** What a shape does not describe, or what is not known of it, may be a text. */
function admitsTextAt(shape: Shape, tokens: readonly string[]): boolean {
  return shapesAt([shape], tokens)?.some(({ kinds }) => kinds.has('string')) ?? true
}
