import type { ErrorObject } from 'ajv'
import { formatPointer, parsePointer } from '@callgate/core'
import type { JsonObject, JsonValue, Reason } from '@callgate/core'
import type { CompiledSchema } from './compile-schema.ts'
import { faultCode, UNION_KEYWORDS } from './fault-code.ts'
import { missingMessage, unknownMessage, valueMessage } from './fault-message.ts'
import { isJsonObject, ownValue } from './json-shape.ts'
import type { Primitives } from './read-text.ts'
import { schemaChain } from './resolve-schema.ts'

// The most faults that one answer names.
const MOST_FAULTS = 5

/** What the words about a fault are taken from: the schema, the arguments as they were sent, the primitives of the policy. */
export type FaultContext = { readonly compiled: CompiledSchema; readonly sent: JsonObject; readonly primitives: Primitives }

type PointedReason = Reason & { readonly pointer: string }

/** The validator's faults as reasons, one a pointer, in the validator's order; their messages teach (contract 8). */
export function faultReasons(errors: readonly ErrorObject[], context: FaultContext): readonly Reason[] {
  const reasons = new Map<string, Reason>()
  for (const error of withoutBranches(errors, context.compiled.annotations)) {
    const reason = reasonOf(error, errors, context)
    if (!reasons.has(reason.pointer)) reasons.set(reason.pointer, reason)
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
  const value = sentAt(context.sent, tokens)
  const code = faultCode({ error, all, value, castType: annotation?.castType }, context.primitives)
  const schema = annotation?.schema ?? (error.parentSchema as JsonObject | undefined)
  const omittable = isTop && !isRequired(root, name) ? name : undefined
  const complaint = error.message ?? 'does not fit'
  return { code, pointer: at, message: valueMessage(root, { pointer: at, code, value, schema, complaint, omittable }) }
}

function unknownProperty(at: string, name: string, error: ErrorObject): PointedReason {
  const pointer = `${at}${formatPointer([name])}`
  return { code: 'unknown_property', pointer, message: unknownMessage(pointer, name, Object.keys(describedBeside(error))) }
}

function missingProperty(at: string, name: string, error: ErrorObject, context: FaultContext): PointedReason {
  const pointer = `${at}${formatPointer([name])}`
  const described = describedBeside(error)
  const holder = sentAt(context.sent, tokensOf(error))
  const undescribed = isJsonObject(holder) ? Object.keys(holder).filter((key) => !Object.hasOwn(described, key)) : []
  const message = missingMessage(context.compiled.root, { pointer, name, schema: ownValue(described, name), undescribed })
  return { code: 'missing_required', pointer, message }
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

function sentAt(sent: JsonObject, tokens: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = sent
  for (const token of tokens) {
    if (Array.isArray(value)) value = (value as readonly JsonValue[])[Number(token)]
    else value = isJsonObject(value) ? ownValue(value, token) : undefined
  }
  return value
}

function tokensOf(error: ErrorObject): readonly string[] {
  return parsePointer(error.instancePath) ?? []
}
