import type { JsonObject, JsonValue, Reason } from '@callgate/core'
import type { CompiledSchema } from '../schema/compile-schema.ts'
import type { Repair } from './repair-arguments.ts'
import { readText } from './read-text.ts'
import type { Primitives } from './read-text.ts'

const NOWHERE: readonly string[] = Object.freeze([])

/** Arguments after all casts of the tier `strict` (contract 8), valid or not; the same object where there are none. */
export function castStrictly(args: JsonObject, { annotations }: CompiledSchema, primitives: Primitives): Repair {
  const casts: Reason[] = []
  let next: Record<string, JsonValue> | undefined
  for (const name of Object.keys(args)) {
    const value = args[name]
    const annotation = typeof value === 'string' ? annotations.get(name) : undefined
    if (annotation?.castType === undefined) continue
    const reading = readText(value as string, annotation.castType, primitives)
    if (reading.kind === 'refused') continue
    casts.push({ code: reading.code, pointer: annotation.pointer })
    // The spread keeps a key `__proto__` as data; a schema that names one does not compile, so none is assigned.
    next ??= { ...args }
    next[name] = reading.value
  }
  return { args: next ?? args, casts, ambiguous: NOWHERE }
}
