import type { ValidateFunction } from 'ajv'
import { formatPointer } from '@callgate/core'
import type { JsonObject, JsonValue } from '@callgate/core'
import { isJsonObject } from '../json-shape.ts'
import { schemaChain } from './resolve-schema.ts'

/** Judges a validator's value by one part of a schema. Throws where that part has no validator, and what a validator throws. */
export type PartValidator = (part: JsonObject, value: unknown) => boolean

/** A validator for each part of `root`, found by its pointer and compiled when first asked for. `whole` is the root's own. */
export function createPartValidators(root: JsonObject, whole: ValidateFunction, compileAt: (fragment: string) => ValidateFunction | undefined): PartValidator {
  let fragments: ReadonlyMap<JsonObject, string> | undefined
  const compiled = new Map<JsonObject, ValidateFunction>([[root, whole]])
  const validatorOf = (part: JsonObject): ValidateFunction => {
    // A schema that is nothing but a reference to the root has no validator of its own.
    const target = isBareReference(part) ? (schemaChain(root, part).at(-1) ?? part) : part
    const known = compiled.get(target)
    if (known !== undefined) return known
    fragments ??= fragmentsOf(root)
    const fragment = fragments.get(target)
    const validate = fragment === undefined ? undefined : compileAt(fragment)
    if (validate === undefined) throw new Error('a part of the schema has no validator')
    compiled.set(target, validate)
    return validate
  }
  return (part, value) => validatorOf(part)(value)
}

function isBareReference(part: JsonObject): boolean {
  return Object.hasOwn(part, '$ref') && Object.keys(part).length === 1
}

/** Where each object in the schema stands, as a URI fragment. */
function fragmentsOf(root: JsonObject): ReadonlyMap<JsonObject, string> {
  const found = new Map<JsonObject, string>()
  const waiting: { readonly value: JsonValue; readonly fragment: string }[] = [{ value: root, fragment: '' }]
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const { value, fragment } = item
    if (isJsonObject(value)) found.set(value, fragment)
    if (!isJsonObject(value) && !Array.isArray(value)) continue
    for (const [key, child] of Object.entries(value) as readonly (readonly [string, JsonValue])[]) {
      waiting.push({ value: child, fragment: `${fragment}/${encodeURIComponent(formatPointer([key]).slice(1))}` })
    }
  }
  return found
}
