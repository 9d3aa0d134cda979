import type { Claim, ClaimPlan, LedgerRows, LedgerWrites, Mark, RepeatCharge, Streak } from './ledger.ts'
import { settleCharges } from './settle-charges.ts'
import { settleNeeds } from './settle-needs.ts'

/**
 * Settles a claim against what the store read for it (contract 9): what to write where every need is met and every limit
 * holds, else what was short first, of needs, charges and repeats in this order. Pure; every store runs it within its step.
 */
export function settleClaim(found: LedgerRows, claim: Claim): ClaimPlan {
  const needs = settleNeeds(found.marks, claim)
  if (needs.kind === 'short') return { kind: 'short', of: 'needs', index: needs.index }
  const charges = settleCharges(found.charges, claim)
  if (charges.kind === 'short') return { kind: 'short', of: 'charges', index: charges.index }
  const streak = claim.repeat === undefined ? undefined : nextStreak(found.streak, claim.repeat)
  if (streak === 'short') return { kind: 'short', of: 'repeat', index: 0 }
  const writes: LedgerWrites = {
    ...writesOf(found.marks, claim, needs.spent),
    charge: charges.charge,
    forget: charges.forget,
    ...(streak !== undefined && { streak }),
  }
  return { kind: 'claimed', writes }
}

/** What was used is one use fewer; then what the claim clears is gone, used or not. */
function writesOf(marks: readonly Mark[], { clears }: Claim, spent: ReadonlySet<Mark>): Pick<LedgerWrites, 'put' | 'remove'> {
  const cleared = new Map<string, Set<string | undefined> | 'all'>()
  for (const { gate, keys } of clears) {
    const known = cleared.get(gate)
    if (known !== 'all') cleared.set(gate, keys === undefined ? 'all' : new Set([...(known ?? []), ...keys]))
  }
  const put: Mark[] = []
  const remove: { gate: string; key?: string }[] = []
  for (const mark of marks) {
    const { gate, key } = mark
    const keys = cleared.get(gate)
    const usesLeft = mark.uses === undefined || !spent.has(mark) ? undefined : mark.uses - 1
    if (keys === 'all' || keys?.has(key) === true || usesLeft === 0) remove.push({ gate, ...(key !== undefined && { key }) })
    else if (usesLeft !== undefined) put.push({ ...mark, uses: usesLeft })
  }
  return { put, remove }
}

function nextStreak(streak: Streak | undefined, { digest, max }: RepeatCharge): Streak | 'short' {
  const count = streak?.digest === digest ? streak.count + 1 : 1
  return count <= max ? { digest, count } : 'short'
}
