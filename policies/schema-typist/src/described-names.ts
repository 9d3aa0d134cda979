import type { JsonObject } from '@callgate/core'
import type { CompiledSchema } from './compile-schema.ts'

/**
 * The top-level properties that a schema describes (contract 8): those it names, in branches too, and those among the
 * arguments that it describes by a pattern or as all others. None beyond the named ones where not all of the schema is known.
 */
export function describedNames({ annotations, place }: CompiledSchema, args: JsonObject): ReadonlySet<string> {
  const shapes = place.shapes ?? []
  const sent = Object.keys(args).filter((name) => shapes.some((shape) => shape.property(name) !== undefined))
  return new Set([...annotations.keys(), ...shapes.flatMap(({ names }) => names), ...sent])
}
