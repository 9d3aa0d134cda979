import type { CastType } from './annotations.ts'
import type { SchemaPlace, Shape } from './schema-place.ts'

const INDEX = /^(?:0|[1-9][0-9]*)$/

/** All shapes that a value at these tokens, below the given ones, may have; undefined where that is not known. */
export function shapesAt(above: readonly Shape[] | undefined, tokens: readonly string[]): readonly Shape[] | undefined {
  let shapes = above
  for (const token of tokens) {
    const below: Shape[] = []
    for (const shape of shapes ?? []) {
      const found = placeBelow(shape, token)?.shapes
      if (found === undefined) return undefined
      below.push(...found)
    }
    shapes = below
  }
  return shapes
}

/** What each way to satisfy the place above says of the value at these tokens; none where that is not known. */
export function placesAt(above: SchemaPlace, tokens: readonly string[]): readonly SchemaPlace[] {
  const last = tokens.at(-1)
  if (last === undefined) return [above]
  const holders = shapesAt(above.shapes, tokens.slice(0, -1)) ?? []
  return [...new Set(holders.map((shape) => placeBelow(shape, last)).filter((place) => place !== undefined))]
}

/** What a shape says of one member or item. */
export function placeBelow(shape: Shape, token: string): SchemaPlace | undefined {
  return shape.property(token) ?? (INDEX.test(token) && shape.kinds.has('array') ? shape.item(Number(token)) : undefined)
}

/** The one type beside null that text at these shapes would be read as; undefined where there is none, or several. */
export function castTypeOf(shapes: readonly Shape[] | undefined): CastType | undefined {
  if (shapes === undefined || !shapes.every(({ isTyped }) => isTyped)) return undefined
  const kinds = new Set(shapes.flatMap((shape) => [...shape.kinds]))
  kinds.delete('null')
  if (kinds.has('number')) kinds.delete('integer')
  const [kind, ...others] = kinds
  return others.length === 0 && (kind === 'integer' || kind === 'number' || kind === 'boolean') ? kind : undefined
}
