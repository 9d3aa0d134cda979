import { WireNumber } from '@callgate/core'
import type { JsonValue } from '@callgate/core'
import { KEPT_COST } from './meter.ts'
import type { Meter } from './meter.ts'

/** How much of a value there is: members and items at every depth, and characters of text. */
export type Weight = { values: number; characters: number }

// The most that one evaluation may look at.
const MAX_VALUES = 200_000
const MAX_CHARACTERS = 4_194_304

/**
 * The value as CEL reads it: whole numbers are ints (a bigint), others doubles, objects maps without a prototype. Adds to
 * `weight`, and throws once there is more than CEL may look at. Recurses: candidates and results are of bounded depth.
 */
export function toCel(value: JsonValue, weight: Weight): unknown {
  weight.values += 1
  if (weight.values > MAX_VALUES) throw new Error(`more than ${MAX_VALUES} values to look at`)
  if (typeof value === 'string') return text(value, weight)
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value !== 'object' || value === null) return value
  if (WireNumber.isWireNumber(value)) return value.value
  if (Array.isArray(value)) return value.map((item: JsonValue) => toCel(item, weight))
  const map = new Map<string, unknown>()
  for (const [key, member] of Object.entries(value)) map.set(text(key, weight), toCel(member, weight))
  return map
}

function text(value: string, weight: Weight): string {
  weight.characters += value.length
  if (weight.characters > MAX_CHARACTERS) throw new Error(`more than ${MAX_CHARACTERS} characters to look at`)
  return value
}

/**
 * What CEL answered as plain JSON, counted by the meter: what an expression names often stands there often. Throws for what is
 * none: a duration, a timestamp, a type, bytes.
 */
export function fromCel(value: unknown, meter: Meter): unknown {
  meter.spend(KEPT_COST)
  if (typeof value === 'string') meter.spend(value.length)
  if (typeof value === 'bigint') return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => fromCel(item, meter))
  const members = value instanceof Map ? [...(value as ReadonlyMap<unknown, unknown>)] : isPlain(value) ? Object.entries(value) : undefined
  if (members === undefined) throw new Error(`the expression yields a ${value.constructor.name}, which is no JSON value`)
  return Object.fromEntries(members.map(([key, member]): readonly [string, unknown] => [String(key), fromCel(member, meter)]))
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
