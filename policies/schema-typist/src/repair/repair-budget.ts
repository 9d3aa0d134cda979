import { WireNumber } from '@callgate/core'
import type { JsonValue } from '@callgate/core'

// The most work that one repair may be: values looked at, and texts read, in pieces of 16 characters.
const MOST_REPAIR_STEPS = 100_000

/** Thrown where a repair takes more steps than it may. */
export class RepairTooLong extends Error {}

/** The steps of one repair. */
export type RepairBudget = {
  /** Throws `RepairTooLong` where no steps are left. */
  spend(steps: number): void
}

/** A full budget. */
export function createRepairBudget(): RepairBudget {
  let left = MOST_REPAIR_STEPS
  return {
    spend(steps) {
      left -= steps
      if (left < 0) throw new RepairTooLong('too many readings')
    },
  }
}

/** How many values a value holds, itself included, counted up to the most that a budget could pay for. */
export function countValues(value: JsonValue): number {
  const waiting: JsonValue[] = [value]
  let count = 0
  for (let next = waiting.pop(); next !== undefined && count <= MOST_REPAIR_STEPS; next = waiting.pop()) {
    count += 1
    if (typeof next !== 'object' || next === null || WireNumber.isWireNumber(next)) continue
    for (const child of Object.values(next) as readonly JsonValue[]) waiting.push(child)
  }
  return count
}
