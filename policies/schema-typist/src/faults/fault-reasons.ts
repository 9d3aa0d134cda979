import type { ErrorObject } from 'ajv'
import { parsePointer, reveal } from '@callgate/core'
import type { JsonObject, JsonValue, Reason } from '@callgate/core'
import { faultCode, UNION_KEYWORDS } from './fault-code.ts'
import { ambiguousMessage, valueMessage } from './fault-message.ts'
import type { FaultContext, SpokenFault } from './fault-context.ts'
import { findExample, isAdmittedAt } from './find-example.ts'
import { ownValue, valueAt } from '../json-shape.ts'
import { missingProperty, unknownProperty } from './name-faults.ts'
import { nearestName } from './nearest-name.ts'
import { schemaChain } from '../schema/resolve-schema.ts'
import { castTypeOf, placesAt, shapesAt } from '../schema/shapes-at.ts'
import { cutPointer, cutText } from './show-value.ts'

// The most faults that one answer names.
const MOST_FAULTS = 5
const LONGEST_MESSAGE = 2_000

/** The validator's faults as reasons, one a pointer, in the validator's order; the messages of the first five teach (contract 8). */
export function faultReasons(errors: readonly ErrorObject[], context: FaultContext): readonly Reason[] {
  const faults = new Map<string, SpokenFault>(context.ambiguous.map((pointer) => [pointer, ambiguousFault(pointer, context)]))
  for (const error of withoutBranches(errors, context.compiled.annotations)) {
    const fault = faultOf(error, errors, context)
    if (!context.ambiguous.some((pointer) => isWithin(fault.pointer, pointer)) && !faults.has(fault.pointer)) faults.set(fault.pointer, fault)
  }
  return Array.from(faults.values(), ({ code, pointer, say }, at) => (at < MOST_FAULTS ? { code, pointer, message: say() } : { code, pointer }))
}

/** At most five reasons, short and with nothing hidden in what they say; the last one says how many were left off. */
export function boundReasons(reasons: readonly Reason[]): readonly Reason[] {
  const shown = reasons.slice(0, MOST_FAULTS).map(boundReason)
  const last = shown.at(-1)
  const left = reasons.length - shown.length
  return left === 0 || last === undefined ? shown : [...shown.slice(0, -1), { ...last, message: `${last.message ?? ''} And ${left} more.` }]
}

function boundReason(reason: Reason): Reason {
  const { pointer, message = '' } = reason
  if (pointer === undefined) return reason
  const short = cutPointer(pointer)
  const note = short === pointer ? '' : ' Its pointer is shortened.'
  return { ...reason, pointer: short, message: `${cutText(reveal(message), LONGEST_MESSAGE)}${note}` }
}

/**
 * A union speaks for its branches, a name for what is wrong with it, and `if` for nothing where its part speaks. Below a union
 * of the whole arguments, the properties that the schema describes outside of it speak for themselves.
 */
function withoutBranches(errors: readonly ErrorObject[], described: ReadonlyMap<string, unknown>): readonly ErrorObject[] {
  const unions = errors.filter(isUnion).map(({ instancePath }) => instancePath)
  return errors.filter((error) => {
    if (error.propertyName !== undefined || (error.keyword === 'if' && errors.length > 1)) return false
    if (unions.some((path) => path !== '' && error.instancePath.startsWith(`${path}/`))) return false
    const [top] = tokensOf(error)
    if (unions.includes('') && top !== undefined && !described.has(top)) return false
    return isUnion(error) || !unions.includes(error.instancePath)
  })
}

function isUnion({ keyword }: ErrorObject): boolean {
  return UNION_KEYWORDS.has(keyword)
}

function faultOf(error: ErrorObject, all: readonly ErrorObject[], context: FaultContext): SpokenFault {
  const at = `/arguments${error.instancePath}`
  const tokens = tokensOf(error)
  const value = sentAt(context, tokens)
  const params = error.params as Readonly<Record<string, unknown>>
  const unknown = params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['propertyName']
  if (typeof unknown === 'string') return unknownProperty(error, unknown, all, { at, tokens, holder: value }, context)
  const missing = params['missingProperty']
  if (typeof missing === 'string') return missingProperty(error, missing, { at, tokens, holder: value }, context)
  const { compiled } = context
  const [name] = tokens
  const isTop = tokens.length === 1 && name !== undefined
  const annotation = isTop ? compiled.annotations.get(name) : undefined
  const shapes = shapesAt(compiled.place.shapes, tokens)
  const castType = context.tier === 'strict' ? annotation?.castType : castTypeOf(shapes)
  const code = faultCode({ error, all, value, castType }, context)
  const schema = annotation?.schema ?? (error.parentSchema as JsonObject | undefined)
  const omittable = isTop && !isRequired(compiled.root, name) ? name : undefined
  const complaint = error.message ?? 'does not fit'
  const say = (): string => {
    const places = placesAt(compiled.place, tokens)
    const shown = context.showAt(at, value, shapes)
    const nearest = nearestMember(shown.isHidden ? undefined : value, schema, (member) => places.some((place) => isAdmittedAt(compiled, place, member)))
    const example = nearest === undefined ? findExample(compiled, places) : ''
    return valueMessage(compiled.root, { pointer: at, code, value, shown, schema, example, nearest, complaint, omittable })
  }
  return { code, pointer: at, say }
}

function nearestMember(value: JsonValue | undefined, schema: JsonObject | undefined, isAdmitted: (member: string) => boolean): string | undefined {
  const choices = schema === undefined ? undefined : ownValue(schema, 'enum')
  if (typeof value !== 'string' || !Array.isArray(choices)) return undefined
  const nearest = nearestName(value, (choices as readonly JsonValue[]).filter((member) => typeof member === 'string'))
  return nearest !== undefined && isAdmitted(nearest) ? nearest : undefined
}

function isRequired(root: JsonObject, name: string): boolean {
  return schemaChain(root, root).some((part) => {
    const required = ownValue(part, 'required')
    return Array.isArray(required) && required.includes(name)
  })
}

function ambiguousFault(pointer: string, context: FaultContext): SpokenFault {
  const tokens = (parsePointer(pointer) ?? []).slice(1)
  const say = (): string => ambiguousMessage(pointer, context.showAt(pointer, sentAt(context, tokens), shapesAt(context.compiled.place.shapes, tokens)).text)
  return { code: 'ambiguous', pointer, say }
}

/** The value that was sent; inside what came as JSON text, the one that it spells. */
function sentAt({ sent, attempted }: FaultContext, tokens: readonly string[]): JsonValue | undefined {
  return valueAt(sent, tokens) ?? valueAt(attempted, tokens)
}

function isWithin(pointer: string, above: string): boolean {
  return pointer === above || pointer.startsWith(`${above}/`)
}

function tokensOf(error: ErrorObject): readonly string[] {
  return parsePointer(error.instancePath) ?? []
}
