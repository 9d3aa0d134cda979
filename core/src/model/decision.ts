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
  return new FrozenDecision(before, parts)
}

class FrozenDecision implements Decision {
  readonly verdict: DecisionVerdict
  readonly candidate: Candidate
  declare readonly message?: string
  readonly reasons: readonly DecisionReason[]
  readonly questions: readonly Question[]
  readonly changes: readonly Change[]
  readonly trace: readonly TraceEntry[]
  declare readonly retry?: 'never'
  readonly #before: Candidate

  constructor(before: Candidate, parts: DecisionParts) {
    this.verdict = parts.verdict
    this.candidate = parts.candidate
    if (parts.message !== undefined) this.message = parts.message
    this.reasons = freezeList(parts.reasons)
    this.questions = freezeList(parts.questions)
    this.changes = freezeList(parts.changes)
    this.trace = freezeList(parts.trace)
    if (parts.retry !== undefined) this.retry = parts.retry
    this.#before = before
    Object.freeze(this)
  }

  get digestBefore(): string {
    return this.#before.digest
  }

  get digestAfter(): string {
    return this.candidate.digest
  }

  toJSON(): PlainObject {
    const { verdict, candidate, message, reasons, questions, changes, trace, retry, digestBefore, digestAfter } = this
    const parts = { verdict, candidate: candidate.fields, message, reasons, questions, changes, trace, retry }
    return plainJson({ ...parts, digestBefore, digestAfter }) as PlainObject
  }
}

const NONE: readonly never[] = Object.freeze([])

/** The list, frozen deep; all empty ones are one. */
function freezeList<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? NONE : freezeDeep(list)
}

/** Freezes plain data to where it is frozen already. */
function freezeDeep<T>(data: T): T {
  if (typeof data !== 'object' || data === null || Object.isFrozen(data)) return data
  for (const member of Array.isArray(data) ? (data as readonly unknown[]) : Object.values(data)) freezeDeep(member)
  return Object.freeze(data)
}
