import type { AdapterDeclaration } from '../model/adapter.ts'
import { Attempt } from '../model/attempt.ts'
import type { Budget } from '../model/budget.ts'
import { CallgateError } from '../model/callgate-error.ts'
import { createDecision } from '../model/decision.ts'
import type { Decision, Question, TraceEntry } from '../model/decision.ts'
import type { Policy } from '../model/policy.ts'
import type { DecisionReason } from '../model/reason.ts'
import { budgetReason, enterAttempt } from './enter-attempt.ts'
import { evaluatePolicies, reasonsOf, traceOf } from './evaluate-policies.ts'
import type { Evaluation } from './evaluate-policies.ts'
import { degradations } from './degradations.ts'
import { denialsOf, instabilitiesOf } from './objections.ts'
import { mergeRepairs } from './merge-repairs.ts'
import { preparePolicies } from './prepare-policies.ts'
import type { PreparedPolicy } from './prepare-policies.ts'
import type { AdapterReading } from './read-adapter.ts'
import { refusalMessage } from './refusal-message.ts'

/** Options of the kernel; each bound of the budget has its default of contract 2. */
export type KernelOptions = { readonly budget?: Partial<Budget> | undefined }

const DEFAULT_BUDGET: Budget = Object.freeze({ bytes: 65_536, depth: 64 })

/** Decides whether the arguments of a tool call are admissible (contract 5): pure, synchronous, without a clock or I/O. */
export class AdmissionKernel {
  readonly #policies: readonly PreparedPolicy[]
  readonly #budget: Budget

  /** Activates nothing. Throws `invalid_policy` for policies that cannot stand together, `invalid_option` for a bad budget. */
  constructor(policies: readonly Policy[], options: KernelOptions = {}) {
    this.#policies = preparePolicies(policies)
    this.#budget = readBudget(options.budget ?? {})
  }

  /** The decision on one attempt: deterministic, and total; whatever is wrong with the input is a refusal, never an error. */
  admit(attempt: Attempt, adapter: AdapterDeclaration): Decision {
    const entry = enterAttempt(attempt, adapter, this.#budget)
    if (entry.kind === 'entered') {
      return entry.attempt.phase === 'post' ? this.#observe(entry.attempt) : this.#decide(entry.attempt, entry.adapter)
    }
    const { candidate, reason, isPost } = entry
    return isPost ? observation(candidate, [reason], []) : refusal(candidate, [reason], [])
  }

  #observe(attempt: Attempt): Decision {
    const evaluations = evaluatePolicies(this.#policies, attempt)
    return observation(attempt.candidate, evaluations.flatMap(reasonsOf), traceOf(evaluations, 1))
  }

  #decide(attempt: Attempt, adapter: AdapterReading): Decision {
    const { candidate } = attempt
    const first = evaluatePolicies(this.#policies, attempt)
    const trace = [...traceOf(first, 1)]
    const denials = denialsOf(first)
    if (denials.length > 0) return refusal(candidate, denials, trace)
    const merge = mergeRepairs(attempt, first)
    if (merge.kind === 'refused') return refusal(candidate, merge.reasons, trace)
    const isRepaired = merge.changes.length > 0
    const last = isRepaired ? this.#settle(attempt, merge.candidate) : { evaluations: first, objections: [] }
    if (isRepaired) trace.push(...traceOf(last.evaluations, 2))
    if (last.objections.length > 0) return refusal(candidate, last.objections, trace)
    const questions = questionsOf(last.evaluations)
    const degraded = degradations(merge.changes, questions, adapter)
    if (degraded.length > 0) return refusal(candidate, degraded, trace)
    return createDecision(candidate, {
      verdict: questions.length > 0 ? 'hold' : 'run',
      candidate: merge.candidate,
      reasons: reasonsFor(first, last.evaluations),
      questions,
      changes: merge.changes,
      trace,
    })
  }

  /** Evaluates the successor again (contract 5.5): what any policy has against it, or still wants to change. */
  #settle(attempt: Attempt, successor: Attempt['candidate']): Settled {
    const { phase, event, target, schema } = attempt
    const overBudget = budgetReason(successor, this.#budget)
    if (overBudget !== undefined) return { evaluations: [], objections: [overBudget] }
    const evaluations = evaluatePolicies(this.#policies, Attempt.create({ phase, event, target, schema, candidate: successor }))
    return { evaluations, objections: instabilitiesOf(evaluations) }
  }
}

type Settled = { readonly evaluations: readonly Evaluation[]; readonly objections: readonly DecisionReason[] }

function refusal(candidate: Attempt['candidate'], reasons: readonly DecisionReason[], trace: readonly TraceEntry[]): Decision {
  const message = refusalMessage(reasons)
  return createDecision(candidate, { verdict: 'refuse', candidate, message, reasons, questions: [], changes: [], trace })
}

function observation(candidate: Attempt['candidate'], reasons: readonly DecisionReason[], trace: readonly TraceEntry[]): Decision {
  return createDecision(candidate, { verdict: 'observe', candidate, reasons, questions: [], changes: [], trace, retry: 'never' })
}

/** Policy by policy: why it repaired, from the first evaluation; what it observed or holds for, from the last. */
function reasonsFor(first: readonly Evaluation[], last: readonly Evaluation[]): readonly DecisionReason[] {
  const reasons: DecisionReason[] = []
  for (const [at, evaluation] of first.entries()) {
    const final = last[at] as Evaluation
    if (evaluation.proposal.kind === 'repair') reasons.push(...reasonsOf(evaluation))
    if (final.proposal.kind !== 'repair') reasons.push(...reasonsOf(final))
  }
  return reasons
}

function questionsOf(evaluations: readonly Evaluation[]): readonly Question[] {
  return evaluations.flatMap(({ policy, proposal }) => (proposal.kind === 'hold' ? [{ policy: policy.id, question: proposal.question }] : []))
}

function readBudget(budget: Partial<Budget>): Budget {
  const { bytes = DEFAULT_BUDGET.bytes, depth = DEFAULT_BUDGET.depth } = budget
  if (!isBound(bytes) || !isBound(depth)) throw new CallgateError('invalid_option', 'budget.bytes and budget.depth are positive integers.')
  return Object.freeze({ bytes, depth })
}

function isBound(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0
}
