import { Attempt } from '../model/attempt.ts'
import { exceededBound } from '../model/budget.ts'
import type { Budget } from '../model/budget.ts'
import { Candidate } from '../model/candidate.ts'
import type { DecisionReason } from '../model/reason.ts'
import { kernelReason } from './kernel-reason.ts'
import { readAdapter } from './read-adapter.ts'
import type { AdapterReading } from './read-adapter.ts'

/** An attempt that may be evaluated, or why not; `candidate` is an empty one where what was handed in was none. */
export type Entry =
  | { readonly kind: 'entered'; readonly attempt: Attempt; readonly adapter: AdapterReading }
  | { readonly kind: 'stopped'; readonly candidate: Candidate; readonly reason: DecisionReason; readonly isPost: boolean }

const EVENTS = ['pre:tool.call', 'post:tool.success', 'post:tool.failure']

/** The checks before any policy (contract 5.1), in their order: event, adapter, exactness, budget. Never throws. */
export function enterAttempt(value: unknown, declaration: unknown, budget: Budget): Entry {
  const lifecycleEvent = lifecycleEventOf(value)
  const adapter = readAdapter(declaration, lifecycleEvent)
  const reason =
    eventReason(lifecycleEvent) ?? adapterReason(adapter) ?? exactnessReason(value) ?? budgetReason((value as Attempt).candidate, budget)
  if (reason === undefined) return { kind: 'entered', attempt: value as Attempt, adapter }
  // What is no attempt proves no phase: it is refused, whatever phase it claims.
  const isAttempt = Attempt.isAttempt(value)
  const candidate = isAttempt && Candidate.isCandidate(value.candidate) ? value.candidate : Candidate.of({})
  return { kind: 'stopped', candidate, reason, isPost: isAttempt && value.phase === 'post' }
}

/** The reason against a candidate that is over the budget (contract 2), measured on what its fields hold, or undefined. */
export function budgetReason(candidate: Candidate, budget: Budget): DecisionReason | undefined {
  const bound = exceededBound(Object.values(candidate.fields), budget)
  if (bound === undefined) return undefined
  const most = bound === 'bytes' ? `${budget.bytes} bytes of canonical JSON` : `${budget.depth} levels of nesting`
  return kernelReason('over_budget', `The arguments are over the budget of ${most}. Send less at a time.`)
}

function lifecycleEventOf(value: unknown): string {
  try {
    const { phase, event } = value as Attempt
    return `${phase}:${event}`
  } catch {
    return ''
  }
}

function eventReason(lifecycleEvent: string): DecisionReason | undefined {
  if (EVENTS.includes(lifecycleEvent)) return undefined
  return kernelReason('unknown_event', `An attempt is one of ${EVENTS.join(', ')}; this one is none of them.`)
}

function adapterReason({ lacks }: AdapterReading): DecisionReason | undefined {
  if (lacks.length === 0) return undefined
  return kernelReason('adapter_unfit', `This adapter cannot be trusted with the call: its declaration lacks ${lacks.join(', ')}.`)
}

function exactnessReason(value: unknown): DecisionReason | undefined {
  if (!Attempt.isAttempt(value)) return kernelReason('inexact_candidate', 'The attempt was not made by Attempt.create.')
  if (Candidate.isCandidate(value.candidate)) return undefined
  return kernelReason('inexact_candidate', 'The candidate was not made by Candidate.of, Candidate.ofArguments or Candidate.ofWire.')
}
