import type { ErrorObject } from 'ajv'
import { formatPointer } from '@callgate/core'
import type { JsonObject, JsonValue } from '@callgate/core'
import type { FaultContext, SpokenFault } from './fault-context.ts'
import { missingMessage, unknownMessage } from './fault-message.ts'
import type { UnknownFault } from './fault-message.ts'
import { findExample } from './find-example.ts'
import { isJsonObject, ownValue } from '../json-shape.ts'
import type { Shape } from '../schema/schema-place.ts'
import { placesAt, shapesAt } from '../schema/shapes-at.ts'

/** Where a fault about a name is found: the object that holds it, as tokens and pointer, and what is sent there. */
export type NameSpot = { readonly at: string; readonly tokens: readonly string[]; readonly holder: JsonValue | undefined }

/** The fault of a name that is there and not admitted: by its form, by one part of the schema, or by all of it. */
export function unknownProperty(error: ErrorObject, name: string, all: readonly ErrorObject[], { at, tokens }: NameSpot, { compiled }: FaultContext): SpokenFault {
  const pointer = `${at}${formatPointer([name])}`
  const say = (): string => unknownMessage({ pointer, name, ...admittedBeside(error, name, all, shapesAt(compiled.place.shapes, tokens)) })
  return { code: 'unknown_property', pointer, say }
}

/** The fault of a name that is not there. */
export function missingProperty(error: ErrorObject, name: string, { at, tokens, holder }: NameSpot, { compiled }: FaultContext): SpokenFault {
  const pointer = `${at}${formatPointer([name])}`
  const say = (): string => {
    const described = describedBeside(error)
    const known = new Set([...Object.keys(described), ...namesOf(shapesAt(compiled.place.shapes, tokens))])
    const undescribed = isJsonObject(holder) ? Object.keys(holder).filter((key) => !known.has(key)) : []
    const example = findExample(compiled, placesAt(compiled.place, [...tokens, name]))
    return missingMessage(compiled.root, { pointer, name, schema: ownValue(described, name), example, undescribed })
  }
  return { code: 'missing_required', pointer, say }
}

function admittedBeside(error: ErrorObject, name: string, all: readonly ErrorObject[], shapes: readonly Shape[] | undefined): Omit<UnknownFault, 'pointer' | 'name'> {
  const own = Object.keys(describedBeside(error))
  const patterns = Object.keys(membersBeside(error, 'patternProperties'))
  const named = namesOf(shapes)
  switch (error.keyword) {
    case 'propertyNames': {
      const inner = all.find(({ propertyName, instancePath }) => propertyName === name && instancePath === error.instancePath)
      const allowed = (inner?.params as { readonly allowedValues?: readonly unknown[] } | undefined)?.allowedValues
      const texts = allowed?.filter((each) => typeof each === 'string')
      return { known: texts ?? own, patterns: [], why: { kind: 'form', complaint: inner?.message ?? 'does not fit' } }
    }
    case 'additionalProperties':
      return { known: own, patterns, why: { kind: named.includes(name) ? 'contradicted' : 'undescribed', isOpen: false } }
    default: {
      const isOpen = shapes === undefined || shapes.some(({ describesOthers }) => describesOthers)
      return { known: [...new Set([...own, ...named])], patterns, why: { kind: named.includes(name) ? 'unfit' : 'undescribed', isOpen } }
    }
  }
}

function namesOf(shapes: readonly Shape[] | undefined): readonly string[] {
  return (shapes ?? []).flatMap(({ names }) => names)
}

function describedBeside(error: ErrorObject): JsonObject {
  return membersBeside(error, 'properties')
}

function membersBeside(error: ErrorObject, word: string): JsonObject {
  const schema = error.parentSchema as JsonObject | undefined
  const members = schema === undefined ? undefined : ownValue(schema, word)
  return isJsonObject(members) ? members : {}
}
