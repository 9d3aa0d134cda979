import type { CompiledGates } from './compile-gates.ts'
import { CONFIRM_GATE } from './gate-rule.ts'
import type { GateRule } from './gate-rule.ts'

/** What is marked, as one call sees it: a condition may be live where a gate is not yet (contract 9: doubt closes). */
export type MarkView = { isMarked(gate: string): boolean; isConditionLive(gate: string): boolean }

/** The rules that apply to a call and are not met, in file order; `confirms` ask a person once nothing is unmet. */
export type GateJudgement = { readonly unmet: readonly GateRule[]; readonly confirms: readonly GateRule[] }

/** Judges one tool against its rules (contract 9). */
export function judgeGates(gates: CompiledGates, tool: string, marks: MarkView): GateJudgement {
  const unmet: GateRule[] = []
  const confirms: GateRule[] = []
  for (const rule of gates.rulesFor(tool)) {
    if (rule.condition !== undefined && !marks.isConditionLive(rule.condition)) continue
    if (rule.gate === CONFIRM_GATE) confirms.push(rule)
    else if (!marks.isMarked(rule.gate)) unmet.push(rule)
  }
  return { unmet, confirms }
}
