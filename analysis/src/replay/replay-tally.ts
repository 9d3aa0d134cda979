import type { ReplayedCall, ReplayEvent, ReplayVerdict } from './replay.ts'

/** What one rule would have stopped. `line` is absent where the rule has none in the file, as `deny`. */
export type RuleTally = { readonly rule: string; readonly line?: number; readonly refused: number; readonly held: number }

/** What rules would have done to recorded runs; `ran` counts calls that ran as they were sent, `repaired` those that ran repaired. */
export type ReplaySummary = {
  readonly traces: number
  readonly calls: number
  readonly ran: number
  readonly refused: number
  readonly held: number
  readonly repaired: number
  readonly byRule: readonly RuleTally[]
}

/** Counts a replay as it goes. */
export type ReplayTally = { add(event: ReplayEvent): void; summary(): ReplaySummary }

/** Makes an empty tally. */
export function createReplayTally(): ReplayTally {
  const counts = { traces: 0, calls: 0, ran: 0, refused: 0, held: 0, repaired: 0 }
  const rules = new Map<string, { rule: string; line?: number; refused: number; held: number }>()
  return {
    add(event) {
      if (event.kind === 'end') {
        counts.traces += 1
        return
      }
      const { verdict, rule = 'unknown', line } = event.call
      counts.calls += 1
      counts[verdict] += 1
      if (verdict !== 'refused' && verdict !== 'held') return
      const key = `${line ?? ''} ${rule}`
      const tally = rules.get(key) ?? { rule, ...(line !== undefined && { line }), refused: 0, held: 0 }
      tally[verdict] += 1
      rules.set(key, tally)
    },
    summary: () => ({ ...counts, byRule: [...rules.values()].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.rule < b.rule ? -1 : 1)) }),
  }
}

/** The verdict alone, as `--each` lists it. */
export function verdictOf({ trace, call, tool, verdict, rule }: ReplayedCall): Omit<ReplayVerdict, 'line'> {
  return { trace, call, tool, verdict, ...(rule !== undefined && { rule }) }
}
