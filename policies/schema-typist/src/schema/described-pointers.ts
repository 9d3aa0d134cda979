import { formatPointer } from '@callgate/core'
import type { JsonObject } from '@callgate/core'
import type { Annotation } from './annotations.ts'
import type { SchemaPlace } from './schema-place.ts'

/** Pointers of the top-level properties that a schema describes, for the arguments at hand; frozen, and the same list where it can be. */
export type DescribedPointers = (args: JsonObject) => readonly string[]

/**
 * Finds the properties that a schema describes (contract 8): those it names, in branches too, and those among the arguments
 * that it describes by a pattern or as all others. Only the annotated ones where not all of the schema is known.
 */
export function createDescribedPointers(annotations: ReadonlyMap<string, Annotation>, place: SchemaPlace): DescribedPointers {
  let known: { readonly names: ReadonlySet<string>; readonly pointers: readonly string[]; readonly isAll: boolean } | undefined
  return (args) => {
    const shapes = place.shapes ?? []
    if (known === undefined) {
      const names = new Set([...annotations.keys(), ...shapes.flatMap((shape) => shape.names)])
      known = { names, pointers: pointersOf([...names]), isAll: !shapes.some(({ describesOthers }) => describesOthers) }
    }
    const { names, pointers, isAll } = known
    if (isAll) return pointers
    const others = Object.keys(args).filter((name) => !names.has(name) && shapes.some((shape) => shape.property(name) !== undefined))
    return others.length === 0 ? pointers : Object.freeze([...pointers, ...pointersOf(others)])
  }
}

function pointersOf(names: readonly string[]): readonly string[] {
  return Object.freeze(names.map((name) => `/arguments${formatPointer([name])}`))
}
