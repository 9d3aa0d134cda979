import type { Attempt } from './attempt.ts'
import type { Candidate } from './candidate.ts'
import type { Reason } from './reason.ts'

/** What one policy says of one attempt (contract 1). */
export type Proposal =
  | { readonly kind: 'abstain' }
  | { readonly kind: 'accept' }
  | { readonly kind: 'deny'; readonly reasons: readonly Reason[] }
  | { readonly kind: 'repair'; readonly candidate: Candidate; readonly reasons: readonly Reason[] }
  | { readonly kind: 'hold'; readonly question: string; readonly reasons?: readonly Reason[] }
  | { readonly kind: 'observe'; readonly reasons: readonly Reason[] }

/** The fields that a policy may change: names, or JSON Pointers that begin at the candidate's fields (contract 5.4). */
export type Ownership = readonly string[] | ((attempt: Attempt) => readonly string[])

/** A pure function from an attempt to one proposal, with the fields it owns. */
export type Policy = {
  readonly id: string
  readonly version: string
  readonly owns: Ownership
  evaluate(attempt: Attempt): Proposal
}

/** Types a policy of one's own; returns it unchanged. */
export function definePolicy<const P extends Policy>(policy: P): P {
  return policy
}
