import { formatPointer } from '@callgate/core'
import type { JsonObject, JsonValue } from '@callgate/core'
import { isJsonObject, ownValue } from '../json-shape.ts'
import { schemaChain } from './resolve-schema.ts'

/** A type that text may be read as. */
export type CastType = 'integer' | 'number' | 'boolean'

/** What the tool's schema says of one top-level property; `castType` only where it declares one type and text can be read as it. */
export type Annotation = { readonly pointer: string; readonly schema: JsonObject; readonly castType?: CastType }

/** The target annotations of contract 8: every top-level property that the schema describes, local `$ref`s resolved. */
export function annotationsOf(root: JsonObject): ReadonlyMap<string, Annotation> {
  const schemas = new Map<string, JsonValue[]>()
  for (const part of schemaChain(root, root)) {
    const properties = ownValue(part, 'properties')
    if (!isJsonObject(properties)) continue
    for (const [name, schema] of Object.entries(properties)) schemas.set(name, [...(schemas.get(name) ?? []), schema])
  }
  return new Map([...schemas].map(([name, parts]) => [name, { pointer: `/arguments${formatPointer([name])}`, ...annotationOf(root, parts) }]))
}

function annotationOf(root: JsonObject, parts: readonly JsonValue[]): Omit<Annotation, 'pointer'> {
  const chains = parts.map((part) => schemaChain(root, part))
  const all = chains.flatMap((chain, at) => (chain.length > 0 ? chain : [parts[at]].filter(isJsonObject)))
  const schema: JsonObject = Object.fromEntries(all.toReversed().flatMap((part) => Object.entries(part)))
  const types = new Set(all.flatMap((part) => declaredTypes(ownValue(part, 'type'))))
  const [type] = types
  const isKnown = chains.every((chain) => chain.length > 0) && types.size === 1
  return isKnown && (type === 'integer' || type === 'number' || type === 'boolean') ? { schema, castType: type } : { schema }
}

function declaredTypes(type: JsonValue | undefined): readonly JsonValue[] {
  if (type === undefined) return []
  return Array.isArray(type) ? type : [type as JsonValue]
}
