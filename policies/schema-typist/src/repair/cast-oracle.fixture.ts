import type { JsonValue } from '@callgate/core'
import type { TypingTier } from './typing-tier.ts'

const DECIMAL = /^([+-]?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/

/** Whether a change is a cast that the tier may make (contract 8), told from its two ends alone: the table, read by another way. */
export function isCastOf(before: JsonValue | undefined, after: JsonValue | undefined, tier: TypingTier): boolean {
  if (after === undefined) return tier === 'flexible' && (before === '' || before === null)
  if (typeof before !== 'string') return false
  switch (typeof after) {
    case 'number':
      return Number.isSafeInteger(Math.trunc(after)) && isNumeral(before, tier) && isSameDecimal(before.trim(), String(after))
    case 'boolean':
      return (tier === 'flexible' ? before.toLowerCase() : before) === String(after) && tier !== 'strict'
    case 'string':
      return tier === 'flexible' && before !== after && before.toLowerCase() === after.toLowerCase()
    case 'object':
      if (after === null) return tier !== 'strict' && before === 'null'
      return tier !== 'strict' && (isItem(before, after, tier) || isSpelled(before, after, tier))
    default:
      return false
  }
}

function isNumeral(text: string, tier: TypingTier): boolean {
  if (tier === 'flexible') return DECIMAL.test(text.trim())
  return tier === 'basic' ? /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text) : /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?$/.test(text)
}

/** Compares two decimals as whole numbers of the same power of ten; negative zero is none. */
function isSameDecimal(one: string, other: string): boolean {
  const [left, right] = [scaled(one), scaled(other)]
  return left !== undefined && left === right
}

function scaled(text: string): bigint | undefined {
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const shift = 400 + Number(exponent) - fraction.length
  if (shift < 0 || shift > 800) return undefined
  const magnitude = BigInt(whole + fraction) * 10n ** BigInt(shift)
  if (magnitude === 0n && sign === '-') return undefined
  return sign === '-' ? -magnitude : magnitude
}

function isItem(text: string, after: JsonValue, tier: TypingTier): boolean {
  return tier === 'flexible' && Array.isArray(after) && after.length === 1 && after[0] === text && !/^\s*[[{]/.test(text)
}

/** The text spells the value as JSON, casts inside it aside. */
function isSpelled(text: string, after: JsonValue, tier: TypingTier): boolean {
  try {
    return isAlike(JSON.parse(text) as JsonValue, after, tier)
  } catch {
    return false
  }
}

function isAlike(spelled: JsonValue | undefined, after: JsonValue | undefined, tier: TypingTier): boolean {
  if (typeof after === 'bigint') return Number(after) === spelled
  if (Array.isArray(spelled) && Array.isArray(after)) {
    return spelled.length === after.length && spelled.every((item: JsonValue, at) => isAlike(item, after[at] as JsonValue, tier))
  }
  if (isPlainObject(spelled) && isPlainObject(after)) {
    const names = new Set([...Object.keys(spelled), ...Object.keys(after)])
    return [...names].every((name) => isAlike(spelled[name], after[name], tier))
  }
  return Object.is(spelled, after) || isCastOf(spelled, after, tier)
}

function isPlainObject(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
