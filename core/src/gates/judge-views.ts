import type { CompiledGates } from './compile-gates.ts'
import type { GateRule } from './gate-rule.ts'
import { judgeGates } from './judge-gates.ts'
import type { GateJudgement, MarkView, UnmetGate } from './judge-gates.ts'
import type { PreparedCall } from './prepare-call.ts'

/** What counted for a call when it came in, and where that differs what is so now of the marks that counted. */
export type MarkViews = { readonly before: MarkView; readonly now?: MarkView }

/**
 * Judges a prepared call under both views (decision 16): a rule is met where both meet it, and a person is asked where either
 * asks. What the call needs at the claim is what is so now. What only the present does not meet is told to have changed.
 */
export function judgeViews(gates: CompiledGates, prepared: PreparedCall, { before, now }: MarkViews): GateJudgement {
  const found = judgeGates(gates, prepared, before)
  if (now === undefined) return found
  const current = judgeGates(gates, prepared, now)
  const rules = prepared.rules.map(({ rule }) => rule)
  return { ...current, unmet: eitherOf(rules, found.unmet, current.unmet), holds: eitherOf(rules, found.holds, current.holds) }
}

/** In the order of the rules; of one that both name, what the first says. */
function eitherOf(rules: readonly GateRule[], before: readonly UnmetGate[], now: readonly UnmetGate[]): readonly UnmetGate[] {
  const found = new Map<GateRule, UnmetGate>([...now.map((one) => [one.rule, { ...one, isChanged: true }] as const), ...before.map((one) => [one.rule, one] as const)])
  return rules.flatMap((rule) => found.get(rule) ?? [])
}
