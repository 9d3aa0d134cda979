import { addDecimals, decimalText, isGreater, parseDecimal, ZERO } from './decimal-sum.ts'
import type { ExactDecimal } from './decimal-sum.ts'
import type { ChargeRow, Claim, LedgerWrites } from './ledger.ts'

/** What a claim's charges write; or the first limit that does not hold. */
export type SettledCharges =
  | (Pick<LedgerWrites, 'charge' | 'forget'> & { readonly kind: 'met' })
  | { readonly kind: 'short'; readonly index: number }

const ONE: ExactDecimal = { digits: 1n, places: 0 }

/**
 * Charges limits, sums exactly as decimals. What lies in the window counts, also what another process charged at a later time
 * than this claim's. A limit over the whole session is kept as one row: its total.
 */
export function settleCharges(rows: readonly ChargeRow[], { charges, at }: Pick<Claim, 'charges' | 'at'>): SettledCharges {
  const kept = new Map<string, ChargeRow[]>()
  for (const row of rows) append(kept, row)
  const charge: ChargeRow[] = []
  const forget: { limit: string; until: number }[] = []
  for (const [index, { limit, calls, sum, perMs }] of charges.entries()) {
    const known = kept.get(limit) ?? []
    const counted = perMs === undefined ? known : known.filter((row) => row.at > at - perMs)
    const before = total(counted)
    const amount = sum === undefined ? ONE : parseDecimal(sum.amount)
    const max = sum === undefined ? { digits: BigInt(calls ?? 0), places: 0 } : parseDecimal(sum.max)
    // What cannot be read cannot be added up: the limit does not hold.
    if (before === undefined || amount === undefined || max === undefined || amount.digits < 0n) return { kind: 'short', index }
    const after = addDecimals(before, amount)
    if (isGreater(after, max)) return { kind: 'short', index }
    if (perMs !== undefined) {
      if (counted.length < known.length) forget.push({ limit, until: at - perMs })
      if (amount.digits > 0n) charge.push({ limit, at, ...(sum !== undefined && { amount: sum.amount }) })
    } else if (amount.digits > 0n) {
      const latest = known.reduce((time, row) => Math.max(time, row.at), at)
      if (known.length > 0) forget.push({ limit, until: latest })
      charge.push({ limit, at: latest, amount: decimalText(after) })
    }
  }
  return { kind: 'met', charge, forget }
}

/** A row without an amount is one call. */
function total(rows: readonly ChargeRow[]): ExactDecimal | undefined {
  let sum = ZERO
  for (const { amount } of rows) {
    const each = amount === undefined ? ONE : parseDecimal(amount)
    if (each === undefined) return undefined
    sum = addDecimals(sum, each)
  }
  return sum
}

function append(kept: Map<string, ChargeRow[]>, row: ChargeRow): void {
  const known = kept.get(row.limit)
  if (known === undefined) kept.set(row.limit, [row])
  else known.push(row)
}
