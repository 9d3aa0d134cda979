import { WireNumber } from '@callgate/core'
import type { JsonObject, JsonValue } from '@callgate/core'
import { ownValue } from '../json-shape.ts'

/** A JSON type as schemas name it; `number` holds every integer too. */
export type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object'

const ALL: readonly Kind[] = ['string', 'number', 'boolean', 'null', 'array', 'object']

/** The kinds of value that all of the schemas admit together, by `type`, `nullable`, `enum` and `const`. */
export function kindsOf(parts: readonly JsonObject[]): ReadonlySet<Kind> {
  return parts.reduce<ReadonlySet<Kind>>((kinds, part) => {
    const typed = isTyped(part) ? shared(kinds, declaredKinds(part)) : kinds
    const members = membersOf(part)
    return members === undefined ? typed : shared(typed, new Set(members.map(kindOf)))
  }, new Set(ALL))
}

/** True where a schema declares a type. */
export function isTyped(part: JsonObject): boolean {
  return ownValue(part, 'type') !== undefined
}

/** The members of a schema's enum, a `const` being an enum of one (contract 8); undefined where it has neither. */
export function membersOf(part: JsonObject): readonly JsonValue[] | undefined {
  const constant = ownValue(part, 'const')
  if (constant !== undefined) return [constant]
  const members = ownValue(part, 'enum')
  return Array.isArray(members) ? (members as readonly JsonValue[]) : undefined
}

/** The kind of a value, the narrowest: an integer is none of `number`. */
export function kindOf(value: JsonValue): Kind {
  if (value === null) return 'null'
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return typeof value as 'string' | 'boolean'
    case 'bigint':
      return 'integer'
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number'
    default:
      if (WireNumber.isWireNumber(value)) return Number.isInteger(value.value) ? 'integer' : 'number'
      return Array.isArray(value) ? 'array' : 'object'
  }
}

/** Whether a value of this kind is admitted. */
export function admits(kinds: ReadonlySet<Kind>, kind: Kind): boolean {
  return kinds.has(kind) || (kind === 'integer' && kinds.has('number'))
}

function declaredKinds(part: JsonObject): ReadonlySet<Kind> {
  const type = ownValue(part, 'type')
  const named = (Array.isArray(type) ? type : [type]) as readonly Kind[]
  return new Set(ownValue(part, 'nullable') === true ? [...named, 'null'] : named)
}

function shared(one: ReadonlySet<Kind>, other: ReadonlySet<Kind>): ReadonlySet<Kind> {
  const both = new Set<Kind>()
  for (const kind of one) if (admits(other, kind)) both.add(kind)
  for (const kind of other) if (admits(one, kind)) both.add(kind)
  return both
}
