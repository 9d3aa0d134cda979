import { Candidate } from '../model/candidate.ts'
import type { Proposal } from '../model/policy.ts'
import type { Reason } from '../model/reason.ts'
import { quieten } from './quieten.ts'

/** What a policy said where it was no proposal: an evaluator failure (contract 5.2); `detail` is for the trace, not the model. */
export type Failure = { readonly kind: 'failure'; readonly why: string; readonly detail?: string }

/** The most reasons one proposal may give. */
export const MOST_REASONS = 10_000

/** A frozen copy of what a policy returned, each property read once; a failure for whatever is no proposal. Never throws. */
export function readProposal(value: unknown): Proposal | Failure {
  try {
    return Object.freeze(read(value))
  } catch {
    return failure('returned something that throws when it is read')
  }
}

/** An evaluator failure, with what the policy did. */
export function failure(why: string, detail?: string): Failure {
  return Object.freeze({ kind: 'failure', why, ...(detail === undefined ? {} : { detail }) })
}

function read(value: unknown): Proposal | Failure {
  if (typeof value !== 'object' || value === null) return failure('returned no proposal')
  const proposal = value as Record<string, unknown>
  quieten(value)
  if (typeof proposal['then'] === 'function') return failure('returned a promise; policies are synchronous')
  const kind = proposal['kind']
  switch (kind) {
    case 'abstain':
    case 'accept':
      return { kind }
    case 'deny': {
      const reasons = readReasons(proposal['reasons'])
      return reasons === undefined || reasons.length === 0 ? failure('denied without a reason that can be read') : { kind, reasons }
    }
    case 'observe': {
      const reasons = readReasons(proposal['reasons'])
      return reasons === undefined ? failure('observed without reasons that can be read') : { kind, reasons }
    }
    case 'repair':
      return readRepair(proposal)
    case 'hold':
      return readHold(proposal)
    default:
      return failure('returned a proposal of no known kind')
  }
}

function readRepair(proposal: Record<string, unknown>): Proposal | Failure {
  const candidate = proposal['candidate']
  if (!Candidate.isCandidate(candidate)) return failure('repaired to something that is no candidate')
  const reasons = readReasons(proposal['reasons'])
  return reasons === undefined ? failure('repaired without reasons that can be read') : { kind: 'repair', candidate, reasons }
}

function readHold(proposal: Record<string, unknown>): Proposal | Failure {
  const question = proposal['question']
  if (typeof question !== 'string' || question.trim() === '') return failure('held without a question')
  const given = proposal['reasons']
  const reasons = given === undefined ? Object.freeze([]) : readReasons(given)
  return reasons === undefined ? failure('held with reasons that cannot be read') : { kind: 'hold', question, reasons }
}

function readReasons(value: unknown): readonly Reason[] | undefined {
  if (!Array.isArray(value)) return undefined
  const { length } = value
  if (length > MOST_REASONS) return undefined
  const reasons: Reason[] = []
  for (let at = 0; at < length; at += 1) {
    const reason = readReason(value[at])
    if (reason === undefined) return undefined
    reasons.push(reason)
  }
  return Object.freeze(reasons)
}

function readReason(value: unknown): Reason | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { code, message, pointer } = value as Record<string, unknown>
  if (typeof code !== 'string' || code === '' || !isOptionalText(message) || !isOptionalText(pointer)) return undefined
  if (message === undefined) return Object.freeze(pointer === undefined ? { code } : { code, pointer })
  return Object.freeze(pointer === undefined ? { code, message } : { code, message, pointer })
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}
