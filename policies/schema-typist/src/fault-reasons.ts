import type { ErrorObject } from 'ajv'
import { formatPointer, parsePointer } from '@callgate/core'
import type { JsonObject, JsonValue, Reason } from '@callgate/core'
import type { CompiledSchema } from './compile-schema.ts'
import { faultCode, UNION_KEYWORDS } from './fault-code.ts'
import { ambiguousMessage, missingMessage, unknownMessage, valueMessage } from './fault-message.ts'
import { findExample } from './find-example.ts'
import { isJsonObject, ownValue, valueAt } from './json-shape.ts'
import type { Primitives } from './read-text.ts'
import type { ShowAt } from './redaction.ts'
import { schemaChain } from './resolve-schema.ts'
import { castTypeOf, placesAt, shapesAt } from './shapes-at.ts'
import type { TypingTier } from './typing-tier.ts'

// The most faults that one answer names.
const MOST_FAULTS = 5

/** What the words about a fault are taken from. */
export type FaultContext = {
  readonly compiled: CompiledSchema
  /** The arguments as they were sent. */
  readonly sent: JsonObject
  /** The arguments that the faults are about: after what could be repaired. */
  readonly attempted: JsonObject
  /** Pointers of texts that can be read in more than one way. */
  readonly ambiguous: readonly string[]
  readonly tier: TypingTier
  readonly primitives: Primitives
  readonly showAt: ShowAt
}

type PointedReason = Reason & { readonly pointer: string }

/** The validator's faults as reasons, one a pointer, in the validator's order; their messages teach (contract 8). */
export function faultReasons(errors: readonly ErrorObject[], context: FaultContext): readonly Reason[] {
  const reasons = new Map<string, Reason>(context.ambiguous.map((pointer) => [pointer, ambiguousReason(pointer, context)]))
  for (const error of withoutBranches(errors, context.compiled.annotations)) {
    const reason = reasonOf(error, errors, context)
    if (!context.ambiguous.some((pointer) => isWithin(reason.pointer, pointer)) && !reasons.has(reason.pointer)) reasons.set(reason.pointer, reason)
  }
  return [...reasons.values()]
}

/** At most five reasons; the last one says how many were left off. */
export function boundReasons(reasons: readonly Reason[]): readonly Reason[] {
  const shown = reasons.slice(0, MOST_FAULTS)
  const last = shown.at(-1)
  const left = reasons.length - shown.length
  return left === 0 || last === undefined ? shown : [...shown.slice(0, -1), { ...last, message: `${last.message ?? ''} And ${left} more.` }]
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

function reasonOf(error: ErrorObject, all: readonly ErrorObject[], context: FaultContext): PointedReason {
  const at = `/arguments${error.instancePath}`
  const params = error.params as Readonly<Record<string, unknown>>
  const unknown = params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['propertyName']
  if (typeof unknown === 'string') return unknownProperty(at, unknown, error)
  const missing = params['missingProperty']
  if (typeof missing === 'string') return missingProperty(at, missing, error, context)
  const { root, annotations } = context.compiled
  const tokens = tokensOf(error)
  const [name] = tokens
  const isTop = tokens.length === 1 && name !== undefined
  const annotation = isTop ? annotations.get(name) : undefined
  const value = sentAt(context, tokens)
  const shapes = shapesAt(context.compiled.place.shapes, tokens)
  const castType = context.tier === 'strict' ? annotation?.castType : castTypeOf(shapes)
  const code = faultCode({ error, all, value, castType }, context)
  const schema = annotation?.schema ?? (error.parentSchema as JsonObject | undefined)
  const example = exampleAt(context, tokens)
  const omittable = isTop && !isRequired(root, name) ? name : undefined
  const complaint = error.message ?? 'does not fit'
  return { code, pointer: at, message: valueMessage(root, { pointer: at, code, value, shown: context.showAt(at, value, shapes), schema, example, complaint, omittable }) }
}

function unknownProperty(at: string, name: string, error: ErrorObject): PointedReason {
  const pointer = `${at}${formatPointer([name])}`
  return { code: 'unknown_property', pointer, message: unknownMessage(pointer, name, Object.keys(describedBeside(error))) }
}

function missingProperty(at: string, name: string, error: ErrorObject, context: FaultContext): PointedReason {
  const pointer = `${at}${formatPointer([name])}`
  const described = describedBeside(error)
  const example = exampleAt(context, [...tokensOf(error), name])
  const holder = sentAt(context, tokensOf(error))
  const undescribed = isJsonObject(holder) ? Object.keys(holder).filter((key) => !Object.hasOwn(described, key)) : []
  const message = missingMessage(context.compiled.root, { pointer, name, schema: ownValue(described, name), example, undescribed })
  return { code: 'missing_required', pointer, message }
}

function exampleAt({ compiled }: FaultContext, tokens: readonly string[]): string {
  return findExample(compiled, placesAt(compiled.place, tokens))
}

function describedBeside(error: ErrorObject): JsonObject {
  const schema = error.parentSchema as JsonObject | undefined
  const properties = schema === undefined ? undefined : ownValue(schema, 'properties')
  return isJsonObject(properties) ? properties : {}
}

function isRequired(root: JsonObject, name: string): boolean {
  return schemaChain(root, root).some((part) => {
    const required = ownValue(part, 'required')
    return Array.isArray(required) && required.includes(name)
  })
}

function ambiguousReason(pointer: string, context: FaultContext): Reason {
  const tokens = (parsePointer(pointer) ?? []).slice(1)
  const value = sentAt(context, tokens)
  const shown = context.showAt(pointer, value, shapesAt(context.compiled.place.shapes, tokens))
  return { code: 'ambiguous', pointer, message: ambiguousMessage(pointer, shown.text) }
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
