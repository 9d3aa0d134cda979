import { settleClaim } from '@callgate/core'
import type { ChargeRow, Claim, ClaimResult, LedgerWrites, ScopedClaim, Streak } from '@callgate/core'
import { numberOf, textOf } from './driver.ts'
import type { Driver, Row } from './driver.ts'
import { fromKey, toKey } from './key-text.ts'
import { putMarks, readMarks, removeMark, scopeKey } from './mark-rows.ts'
import type { ScopeKey } from './mark-rows.ts'

/** A claim that was met: what is left to do, in the same transaction, is to write it. */
export type PreparedClaim = { readonly kind: 'claimed'; write(): void } | Extract<ClaimResult, { readonly kind: 'short' }>

const CHARGES = 'SELECT name, at, amount FROM charges WHERE principal = ? AND session = ? AND name IN (SELECT value FROM json_each(?))'
const CHARGE = 'INSERT INTO charges (principal, session, name, at, amount) VALUES (?, ?, ?, ?, ?)'
const FORGET = 'DELETE FROM charges WHERE principal = ? AND session = ? AND name = ? AND at <= ?'
const STREAK = 'SELECT digest, count FROM streaks WHERE principal = ? AND session = ?'
const PUT_STREAK = `INSERT INTO streaks (principal, session, digest, count) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET digest = excluded.digest, count = excluded.count`

/** Reads what a claim is about and settles it, within the transaction that writes it. */
export function takeClaim(driver: Driver, { scope, claim }: ScopedClaim): PreparedClaim {
  const at = scopeKey(scope)
  const needed = claim.needs.map(({ gate, key }) => (key === undefined ? { gate } : { gate, keys: [key] }))
  const streak = readStreak(driver, at)
  const marks = readMarks(driver, at, [...needed, ...claim.clears])
  const plan = settleClaim({ marks, charges: readCharges(driver, at, claim), ...(streak !== undefined && { streak }) }, claim)
  return plan.kind === 'short' ? plan : { kind: 'claimed', write: () => writeClaim(driver, at, plan.writes) }
}

function writeClaim(driver: Driver, scope: ScopeKey, { put, remove, forget, charge, streak }: LedgerWrites): void {
  putMarks(driver, scope, put)
  for (const mark of remove) removeMark(driver, scope, mark)
  for (const { limit, until } of forget) driver.run(FORGET, ...scope, toKey(limit), until)
  for (const { limit, at, amount } of charge) driver.run(CHARGE, ...scope, toKey(limit), at, amount ?? null)
  if (streak !== undefined) driver.run(PUT_STREAK, ...scope, toKey(streak.digest), streak.count)
}

function readCharges(driver: Driver, scope: ScopeKey, { charges }: Claim): readonly ChargeRow[] {
  if (charges.length === 0) return []
  const names = [...new Set(charges.map(({ limit }) => toKey(limit)))]
  return driver.all(CHARGES, ...scope, JSON.stringify(names)).map((row) => chargeOf(driver, row))
}

function chargeOf(driver: Driver, row: Row): ChargeRow {
  const limit = fromKey(driver.path, textOf(driver, row, 'name'))
  return { limit, at: numberOf(driver, row, 'at'), ...(row['amount'] !== null && { amount: textOf(driver, row, 'amount') }) }
}

function readStreak(driver: Driver, scope: ScopeKey): Streak | undefined {
  const row = driver.get(STREAK, ...scope)
  return row === undefined ? undefined : { digest: fromKey(driver.path, textOf(driver, row, 'digest')), count: numberOf(driver, row, 'count') }
}
