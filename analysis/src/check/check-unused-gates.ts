import type { GateRules } from '@callgate/core'
import type { Finding } from './finding.ts'
import { createNearestName } from './nearest-name.ts'
import type { NearestName } from './nearest-name.ts'
import { showName } from './show-name.ts'

/**
 * Finds marks, clearings and external gates that no rule needs or has as its condition: most often another spelling of one that
 * a rule has. A clearing that clears nothing leaves open what it should close.
 */
export function checkUnusedGates({ rules, marks = [], external = [] }: GateRules): readonly Finding[] {
  const asked = new Set(rules.flatMap(({ gate, condition }) => (condition === undefined ? [gate] : [gate, condition])))
  const nearest = createNearestName(asked)
  return [
    ...marks.flatMap(({ gate, clear }, at) => (asked.has(gate) ? [] : [unused(gate, `/gates/marks/${at}/gate`, clear === true ? 'clears' : 'marks', nearest)])),
    ...external.flatMap((gate, at) => (asked.has(gate) ? [] : [unused(gate, `/gates/external/${at}`, 'names', nearest)])),
  ]
}

function unused(gate: string, pointer: string, verb: 'clears' | 'marks' | 'names', nearest: NearestName): Finding {
  const near = nearest(gate)
  const what = verb === 'clears' ? 'what it is to close stays open' : 'it opens nothing'
  return {
    code: 'unused_gate',
    severity: verb === 'clears' ? 'error' : 'warning',
    pointer,
    message: `this ${verb} ${showName(gate)}, which no rule needs or has as its condition: ${what}`,
    hint: near === undefined ? 'correct the name, or remove it' : `did you mean ${showName(near)}?`,
  }
}
