import { formatPointer } from '@callgate/core'
import type { JsonObject } from '@callgate/core'
import type { CompiledSchema } from './compile-schema.ts'

/**
 * Pointers of the top-level properties that a schema describes (contract 8): those it names, in branches too, and those among
 * the arguments that it describes by a pattern or as all others. Only the annotated ones where not all of the schema is known.
 */
export function describedPointers({ annotations, pointers, place }: CompiledSchema, args: JsonObject): readonly string[] {
  const shapes = place.shapes ?? []
  const named = shapes.flatMap(({ names }) => names)
  const sent = Object.keys(args).filter((name) => shapes.some((shape) => shape.property(name) !== undefined))
  const others = new Set([...named, ...sent].filter((name) => !annotations.has(name)))
  return others.size === 0 ? pointers : [...pointers, ...Array.from(others, (name) => `/arguments${formatPointer([name])}`)]
}
