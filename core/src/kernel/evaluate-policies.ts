import type { Attempt } from '../model/attempt.ts'
import type { ProposalSummary, TraceEntry } from '../model/decision.ts'
import { compareValues } from '../model/diff-values.ts'
import type { Comparison } from '../model/diff-values.ts'
import type { Proposal } from '../model/policy.ts'
import type { DecisionReason, Reason } from '../model/reason.ts'
import { kernelReason } from './kernel-reason.ts'
import type { PreparedPolicy } from './prepare-policies.ts'
import { failure, readProposal } from './read-proposal.ts'
import type { Failure } from './read-proposal.ts'

/** What one policy said of one attempt, read and frozen; `changes` is what a repair would change, `isWhole` whether that is all of it. */
export type Evaluation = Comparison & { readonly policy: PreparedPolicy; readonly proposal: Proposal | Failure }

const UNCHANGED: Comparison = Object.freeze({ changes: Object.freeze([]), isWhole: true })

/** Evaluates every policy on the same attempt, in order (contract 5.2); what a policy throws is a failure of that policy. */
export function evaluatePolicies(policies: readonly PreparedPolicy[], attempt: Attempt): readonly Evaluation[] {
  return policies.map((policy) => {
    const proposal = propose(policy, attempt)
    const { changes, isWhole } = proposal.kind === 'repair' ? compareValues(attempt.candidate.fields, proposal.candidate.fields) : UNCHANGED
    return { policy, proposal, changes, isWhole }
  })
}

/** The evaluations as entries of a decision's trace. */
export function traceOf(evaluations: readonly Evaluation[], round: 1 | 2): readonly TraceEntry[] {
  return evaluations.map((evaluation) => {
    const { id, version } = evaluation.policy
    return Object.freeze({ policy: id, version, round, proposal: summaryOf(evaluation) })
  })
}

/** The reasons that a proposal gives, with the id of its policy; a failure's is the kernel's. */
export function reasonsOf({ policy, proposal }: Evaluation): readonly DecisionReason[] {
  switch (proposal.kind) {
    case 'abstain':
    case 'accept':
      return []
    case 'failure':
      return [kernelReason('evaluator_failure', `The policy "${policy.id}" failed: it ${proposal.why}.`)]
    case 'hold':
      return named(policy.id, proposal.reasons ?? [])
    default:
      return named(policy.id, proposal.reasons)
  }
}

function propose(policy: PreparedPolicy, attempt: Attempt): Proposal | Failure {
  let value: unknown
  try {
    value = policy.evaluate(attempt)
  } catch (error) {
    return failure('threw', describeError(error))
  }
  return readProposal(value)
}

function named(policy: string, reasons: readonly Reason[]): readonly DecisionReason[] {
  return reasons.map(({ code, message, pointer }) => {
    if (message === undefined) return Object.freeze(pointer === undefined ? { policy, code } : { policy, code, pointer })
    return Object.freeze(pointer === undefined ? { policy, code, message } : { policy, code, message, pointer })
  })
}

function summaryOf({ proposal, changes }: Evaluation): ProposalSummary {
  switch (proposal.kind) {
    case 'repair':
      return Object.freeze({ kind: 'repair', reasons: proposal.reasons, changes })
    case 'hold':
      return Object.freeze({ kind: 'hold', reasons: proposal.reasons ?? [], question: proposal.question })
    default:
      return proposal
  }
}

const SHOWN_CHARACTERS = 200

/** What was thrown, for the trace only: its text may hold what the model must not read. */
function describeError(error: unknown): string | undefined {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, SHOWN_CHARACTERS) : undefined
  } catch {
    return undefined
  }
}
