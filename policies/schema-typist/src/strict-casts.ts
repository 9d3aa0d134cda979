import type { JsonObject, JsonValue, Reason } from '@callgate/core'
import type { CompiledSchema } from './compile-schema.ts'
import { readText } from './read-text.ts'
import type { Primitives } from './read-text.ts'

/** Arguments after all casts of the tier `strict` (contract 8), valid or not; the same object where there are none. */
export function castStrictly(args: JsonObject, { annotations }: CompiledSchema, primitives: Primitives): { readonly args: JsonObject; readonly casts: readonly Reason[] } {
  const casts: Reason[] = []
  const entries: (readonly [string, JsonValue])[] = []
  for (const name of Object.keys(args)) {
    const value = args[name] as JsonValue
    const annotation = typeof value === 'string' ? annotations.get(name) : undefined
    const reading = annotation?.castType === undefined ? undefined : readText(value as string, annotation.castType, primitives)
    if (annotation === undefined || reading?.kind !== 'value') entries.push([name, value])
    else {
      casts.push({ code: reading.code, pointer: annotation.pointer })
      entries.push([name, reading.value])
    }
  }
  // `fromEntries` defines own properties, so that no key reaches a prototype.
  return { args: casts.length === 0 ? args : Object.fromEntries(entries), casts }
}
