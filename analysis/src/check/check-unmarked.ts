import { CONFIRM_GATE } from '@callgate/core'
import type { GateRules } from '@callgate/core'
import type { Finding } from './finding.ts'
import { createNearestName } from './nearest-name.ts'
import { showName } from './show-name.ts'

/** Finds, once a gate, those that a rule needs or has as its condition and that no tool, no user and no host's code marks. */
export function checkUnmarked({ rules, marks = [], external = [] }: GateRules): readonly Finding[] {
  const marked = new Set([...marks.filter(({ clear }) => clear !== true).map(({ gate }) => gate), ...external])
  const nearest = createNearestName(marked)
  const nearestNeeded = createNearestName([...marked, CONFIRM_GATE])
  const told = new Set([...marked, CONFIRM_GATE])
  const isNew = (gate: string): boolean => {
    const before = told.size
    return told.add(gate).size > before
  }
  const hintOf = (near: string | undefined): string =>
    near === undefined ? 'add it to `gates.marks`, or to `gates.external` where code marks it' : `did you mean ${showName(near)}?`
  return rules.flatMap(({ gate, condition }, at): readonly Finding[] => [
    ...(isNew(gate)
      ? [unmarked('gate_never_marked', `/gates/rules/${at}/gate`, gate, 'can never be met', hintOf(nearestNeeded(gate)))]
      : []),
    ...(condition !== undefined && isNew(condition)
      ? [unmarked('condition_never_marked', `/gates/rules/${at}/condition`, condition, 'is never enforced', hintOf(nearest(condition)))]
      : []),
  ])
}

function unmarked(code: 'gate_never_marked' | 'condition_never_marked', pointer: string, gate: string, what: string, hint: string): Finding {
  return { code, severity: 'error', pointer, message: `nothing marks ${showName(gate)}: this rule ${what}`, hint }
}
