import type { Candidate } from './candidate.ts'
import { plainJson } from './plain-json.ts'
import type { PlainObject } from './plain-json.ts'
import type { Change } from './pointer.ts'
import type { DecisionReason, Reason } from './reason.ts'

/** What the kernel says: run it, refuse it, hold it for a person; or, once it has run, what was observed. */
export type DecisionVerdict = 'run' | 'refuse' | 'hold' | 'observe'

/** A question to a person, and the policy that asks it. */
export type Question = { readonly policy: string; readonly question: string }

/** What one policy proposed, with the change that a repair asked for; `failure` where it proposed nothing that counts. */
export type ProposalSummary =
  | { readonly kind: 'abstain' | 'accept' }
  | { readonly kind: 'deny' | 'observe'; readonly reasons: readonly Reason[] }
  | { readonly kind: 'repair'; readonly reasons: readonly Reason[]; readonly changes: readonly Change[] }
  | { readonly kind: 'hold'; readonly reasons: readonly Reason[]; readonly question: string }
  | { readonly kind: 'failure'; readonly why: string; readonly detail?: string }

/** One proposal of the trace; round 2 is the evaluation of the repaired candidate. */
export type TraceEntry = {
  readonly policy: string
  readonly version: string
  readonly round: 1 | 2
  readonly proposal: ProposalSummary
}

/** What a decision is made of. */
export type DecisionParts = {
  readonly verdict: DecisionVerdict
  /** The candidate to run, the same object where nothing changed; empty where what was handed in was none. */
  readonly candidate: Candidate
  /** What the model reads, for a refusal only; never empty. */
  readonly message?: string
  /** Why, in policy order; those of the kernel itself carry the policy `kernel`. */
  readonly reasons: readonly DecisionReason[]
  /** What a person is asked, for a hold only. */
  readonly questions: readonly Question[]
  /** What the decision changes in the candidate. */
  readonly changes: readonly Change[]
  readonly trace: readonly TraceEntry[]
  /** In the post phase only: nothing is ever retried by us. */
  readonly retry?: 'never'
}

/** What the kernel says of one attempt (contract 5): frozen; the digests are computed when first read. */
export type Decision = DecisionParts & {
  readonly digestBefore: string
  readonly digestAfter: string
  /** Plain JSON: a bigint as a string of its digits, a WireNumber as a string of its text. */
  toJSON(): PlainObject
}

/** Freezes the parts, deep, into a decision; `before` is the candidate that was judged. */
export function createDecision(before: Candidate, parts: DecisionParts): Decision {
  const decision: Decision = {
    verdict: parts.verdict,
    candidate: parts.candidate,
    ...(parts.message === undefined ? {} : { message: parts.message }),
    reasons: freezeDeep(parts.reasons),
    questions: freezeDeep(parts.questions),
    changes: freezeDeep(parts.changes),
    trace: freezeDeep(parts.trace),
    ...(parts.retry === undefined ? {} : { retry: parts.retry }),
    get digestBefore() {
      return before.digest
    },
    get digestAfter() {
      return parts.candidate.digest
    },
    toJSON() {
      const { candidate, ...rest } = decision
      return plainJson({ ...rest, toJSON: undefined, candidate: candidate.fields }) as PlainObject
    },
  }
  return Object.freeze(decision)
}

/** Freezes plain data to where it is frozen already. */
function freezeDeep<T>(data: T): T {
  if (typeof data !== 'object' || data === null || Object.isFrozen(data)) return data
  for (const member of Object.values(data)) freezeDeep(member)
  return Object.freeze(data)
}
