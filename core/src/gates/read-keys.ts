import { exceededBound } from '../model/budget.ts'
import type { Budget } from '../model/budget.ts'
import { canonicalJson } from '../model/canonical.ts'
import { exactCopy } from '../model/exact-copy.ts'

/** How many keys one mark may carry. */
export const MOST_KEYS = 10_000

/** How large one key or fact may be, in bytes of canonical JSON, and how deep. */
const LARGEST_FACT: Budget = { bytes: 65_536, depth: 64 }

/** What an expression says are keys, as canonical JSON, undefined where a value is missing; or why they are none. */
export type KeyReading =
  | { readonly kind: 'keys'; readonly keys: readonly (string | undefined)[] }
  | { readonly kind: 'problem'; readonly why: string }

/** A value's canonical JSON, or why it has none. */
export type TextReading = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'problem'; readonly why: string }

/** In bytes a character takes at most six, as \u0001 does. */
const SHORT = 10_000

/** Reads keys (contract 9): a list is its items, anything else one key; null and undefined are a missing value. Never throws. */
export function readKeys(value: unknown): KeyReading {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (items.length > MOST_KEYS) return { kind: 'problem', why: `there are ${items.length} keys, and a mark carries at most ${MOST_KEYS}` }
  const keys: (string | undefined)[] = []
  for (const item of items) {
    const read = readText(item ?? null, 'a key')
    if (read.kind === 'problem') return read
    keys.push(read.text === 'null' ? undefined : read.text)
  }
  return { kind: 'keys', keys }
}

/** A value as canonical JSON of at most 64 KiB, or why it is not; `what` names it. Never throws. */
export function readText(value: unknown, what: string): TextReading {
  if (typeof value === 'string' && value.length <= SHORT && value.isWellFormed()) return { kind: 'text', text: JSON.stringify(value) }
  try {
    const exact = exactCopy(settled(value, LARGEST_FACT.depth))
    const over = exceededBound([exact], LARGEST_FACT)
    if (over === undefined) return { kind: 'text', text: canonicalJson(exact) }
    return { kind: 'problem', why: `${what} is larger than ${LARGEST_FACT.bytes} bytes or deeper than ${LARGEST_FACT.depth} levels` }
  } catch {
    return { kind: 'problem', why: `${what} is no exact JSON value` }
  }
}

/** An expression's integers may be bigints and its zero negative; the same number must be the same key. What is shared is read once. */
function settled(value: unknown, levels: number, seen: Map<object, unknown> = new Map()): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (value === 0) return 0
  if (levels === 0 || typeof value !== 'object' || value === null) return value
  if (seen.has(value)) return seen.get(value)
  // Within itself it stays as it is: a cycle is refused later.
  seen.set(value, value)
  const within = (member: unknown): unknown => settled(member, levels - 1, seen)
  const copy = Array.isArray(value) ? value.map(within) : Object.getPrototypeOf(value) === Object.prototype
    ? Object.fromEntries(Object.entries(value).map(([key, member]: [string, unknown]) => [key, within(member)]))
    : value
  seen.set(value, copy)
  return copy
}
