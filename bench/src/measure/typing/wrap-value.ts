import { ArgumentsSchema } from '@callgate/schema-typist'
import type { TypingRow } from './typing-row.ts'

/** A single parameter as the whole of a tool's arguments: its schema, and how a value becomes arguments and is found in them again. */
export type Wrapping = {
  readonly schema: ArgumentsSchema
  /** The arguments with this value; without the parameter where it is undefined. */
  wrap(value: unknown): unknown
  /** The value within such arguments; undefined where the parameter is left out. */
  unwrap(args: unknown): unknown
}

/** Wraps a row's parameter along its path: a name becomes the one property of an object, a place the one item of an array. */
export function wrapParameter({ param, schema, isOptional }: TypingRow): Wrapping {
  const path = param.split('/')
  const inputSchema = path.reduceRight((inner: unknown, part, at) => {
    if (isPlace(part, at)) return { type: 'array', items: inner }
    const isLeaf = at === path.length - 1
    return { type: 'object', properties: { [part]: inner }, ...((!isLeaf || !isOptional) && { required: [part] }) }
  }, schema)
  return {
    schema: ArgumentsSchema.create({ schemaId: param, version: '1', inputSchema }),
    wrap: (value) => path.reduceRight((inner: unknown, part, at) => (isPlace(part, at) ? (inner === undefined ? [] : [inner]) : inner === undefined && at === path.length - 1 ? {} : { [part]: inner }), value),
    unwrap: (args) => path.reduce((outer: unknown, part, at) => {
      if (typeof outer !== 'object' || outer === null) return undefined
      const key = isPlace(part, at) ? '0' : part
      return Object.hasOwn(outer, key) ? (outer as Record<string, unknown>)[key] : undefined
    }, args),
  }
}

/** Arguments are an object: the first part is a name whatever it looks like. */
function isPlace(part: string, at: number): boolean {
  return at > 0 && /^\d+$/.test(part)
}
