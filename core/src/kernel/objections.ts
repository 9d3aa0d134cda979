import type { DecisionReason } from '../model/reason.ts'
import { reasonsOf } from './evaluate-policies.ts'
import type { Evaluation } from './evaluate-policies.ts'
import { kernelReason } from './kernel-reason.ts'

/** All reasons of all denials and failures, in policy order (contract 5.2, 5.3). */
export function denialsOf(evaluations: readonly Evaluation[]): readonly DecisionReason[] {
  const reasons: DecisionReason[] = []
  for (const evaluation of evaluations) {
    const { kind } = evaluation.proposal
    if (kind === 'deny' || kind === 'failure') reasons.push(...reasonsOf(evaluation))
  }
  return reasons
}

/**
 * What stands against a repaired candidate (contract 5.5): `not_a_fixed_point` for each policy that denies it, followed by
 * that policy's own reasons, or that proposes a further change; a failure keeps its own code.
 */
export function instabilitiesOf(evaluations: readonly Evaluation[]): readonly DecisionReason[] {
  return evaluations.flatMap((evaluation) => {
    const { policy, proposal, changes } = evaluation
    if (proposal.kind === 'failure') return reasonsOf(evaluation)
    if (proposal.kind === 'deny') {
      return [kernelReason('not_a_fixed_point', `The policy "${policy.id}" denies the repaired arguments.`), ...reasonsOf(evaluation)]
    }
    const [change] = changes
    if (change === undefined) return []
    const text = `The policy "${policy.id}" would change ${change.pointer} of the repaired arguments again.`
    return [kernelReason('not_a_fixed_point', text, change.pointer)]
  })
}
