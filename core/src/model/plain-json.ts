import { WireNumber } from './wire-number.ts'

/** What `JSON.stringify` writes without loss. */
export type PlainValue = string | number | boolean | null | readonly PlainValue[] | PlainObject

/** A plain object of such values. */
export type PlainObject = { readonly [key: string]: PlainValue }

const DEEPEST = 1000

/**
 * Data as `JSON.stringify` can write it: a bigint as a string of its digits, a WireNumber as a string of its text, undefined
 * left out. What is nested deeper than 1,000 levels (a call refused for its depth) is written as null, to spare the stack.
 */
export function plainJson(value: unknown, depth = 0): PlainValue {
  if (typeof value === 'bigint') return String(value)
  if (WireNumber.isWireNumber(value)) return value.text
  if (typeof value !== 'object' || value === null) return value as PlainValue
  if (depth > DEEPEST) return null
  if (Array.isArray(value)) return value.map((item: unknown) => plainJson(item, depth + 1))
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([key, member]) => [key, plainJson(member, depth + 1)]))
}
