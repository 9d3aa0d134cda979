import type { Tier } from './tiers.ts'

// What contract 8's table makes of one text, written from the contract alone: with decimals of its own, and no code of the policy's.

/** The kinds of parameter that the oracle knows. */
export type ParameterKind = 'integer' | 'number' | 'boolean'

/** A reading of a text, and the lowest tier that has it; undefined where no tier has one. */
export type OracleReading = { readonly value: unknown; readonly tier: Tier } | undefined

type Decimal = { readonly isNegative: boolean; readonly digits: bigint; readonly scale: number }

const NUMERAL = /^(?<before>\s*)(?<sign>[+-]?)(?<whole>0|[1-9][0-9]*)(?:\.(?<fraction>[0-9]+))?(?:e(?<exponent>[+-]?[0-9]{1,4}))?(?<after>\s*)$/

/** Reads a text for a parameter that admits no text; `isNullable` where null is admitted. */
export function oracleReading(text: string, kind: ParameterKind, isNullable: boolean, optsInBooleans: boolean): OracleReading {
  if (isNullable && text === 'null') return { value: null, tier: 'basic' }
  return kind === 'boolean' ? readBoolean(text, optsInBooleans) : readNumber(text, kind)
}

/** True where a tier contains another. */
export function contains(tier: Tier, lower: Tier): boolean {
  const order: readonly Tier[] = ['strict', 'basic', 'flexible']
  return order.indexOf(lower) <= order.indexOf(tier)
}

function readBoolean(text: string, optsIn: boolean): OracleReading {
  if (text === 'true' || text === 'false') return { value: text === 'true', tier: optsIn ? 'strict' : 'basic' }
  const lower = text.toLowerCase()
  return lower === 'true' || lower === 'false' ? { value: lower === 'true', tier: 'flexible' } : undefined
}

function readNumber(text: string, kind: 'integer' | 'number'): OracleReading {
  const parts = NUMERAL.exec(text)?.groups
  const decimal = decimalOf(text.trim())
  if (parts === undefined || decimal === undefined || (decimal.isNegative && decimal.digits === 0n)) return undefined
  const isWhole = decimal.scale <= 0
  if (kind === 'integer' && !isWhole) return undefined
  const value = Number(text)
  const most = BigInt(Number.MAX_SAFE_INTEGER)
  // The value itself, by its digits: what a double makes of it must be the same decimal.
  const size = isWhole ? decimal.digits * 10n ** BigInt(-decimal.scale) : decimal.digits / 10n ** BigInt(decimal.scale)
  if (size > most || !isSame(decimal, decimalOf(String(value)))) return undefined
  return { value, tier: tierOf(parts) }
}

function tierOf({ before, sign, fraction, exponent, after }: Readonly<Record<string, string | undefined>>): Tier {
  if (before !== '' || after !== '' || sign === '+' || exponent !== undefined) return 'flexible'
  return fraction?.endsWith('0') === true ? 'basic' : 'strict'
}

function decimalOf(text: string): Decimal | undefined {
  const parts = NUMERAL.exec(text)?.groups
  if (parts === undefined) return undefined
  const { sign, whole = '', fraction = '', exponent = '0' } = parts
  let digits = BigInt(whole + fraction)
  let scale = fraction.length - Number(exponent)
  if (Math.abs(scale) > 1_000) return undefined
  while (digits !== 0n && digits % 10n === 0n) [digits, scale] = [digits / 10n, scale - 1]
  return { isNegative: sign === '-', digits, scale: digits === 0n ? 0 : scale }
}

function isSame(one: Decimal, other: Decimal | undefined): boolean {
  return other !== undefined && one.digits === other.digits && one.scale === other.scale && (one.digits === 0n || one.isNegative === other.isNegative)
}
