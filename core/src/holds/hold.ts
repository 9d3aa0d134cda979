/** The states of a hold (contract 10): pending, approved and claimed live; the others are terminal and final. */
export type HoldStatus = 'pending' | 'approved' | 'claimed' | 'denied' | 'expired' | 'cancelled' | 'ran' | 'failed' | 'unknown'

/** What a call that waits for a person is, before it has an id. Times are milliseconds since the epoch. */
export type HoldDraft = {
  /** SHA-256 of what a yes is bound to: principal, server, tool, all that is sent, the tool's definition, the rules. */
  readonly binding: string
  readonly principal: string
  readonly session: string
  readonly server?: string
  readonly tool: string
  /** The final, repaired arguments that the person sees, as canonical JSON. */
  readonly args: string
  /** Present where values in `args` are redacted: then only a call that brings them again can run. */
  readonly isRedacted?: true
  /** Digest of all that is sent beside the arguments, where there is such. */
  readonly sent?: string
  /** Digest of the tool's definition, where it is known. */
  readonly definition?: string
  /** Digest that names the schema that the call was judged with, where there was one. */
  readonly schema?: string
  readonly question: string
  /** What is asked, rule by rule, and who may answer each; absent or empty: one yes of anyone who may approve. */
  readonly asks?: readonly HoldAsk[]
  /** Who asks, where a rule excludes them; the principal if absent. */
  readonly requester?: string
  readonly createdAt: number
  /** The deadline; checked when the answer is given and again when it is used. */
  readonly expiresAt: number
}

/** One question of a hold and who may answer it (contract 10: every quorum counts). */
export type HoldAsk = {
  readonly question: string
  /** Roles, one of which an approver must have; anyone who may approve if absent. */
  readonly approvers?: readonly string[]
  /** How many different people must say yes. */
  readonly quorum: number
  readonly notBy?: 'requester'
  readonly channel?: 'console' | 'elicitation'
  /** Roles that see redacted values in the question. */
  readonly showTo?: readonly string[]
}

/** A call that waits for a person, as plain data. */
export type Hold = HoldDraft & {
  /** Random; never reused. */
  readonly id: string
  readonly status: HoldStatus
  /** How many identical calls wait on it now. */
  readonly count: number
  /** The yeses so far, each by another person, where one alone was not enough. */
  readonly votes?: readonly HoldAnswer[]
  /** The answer that decided. */
  readonly answer?: HoldAnswer
  /** Who claimed it and until when the claim stands without a sign of life. */
  readonly claim?: HoldClaim
  /** True once a caller has read the terminal state: an identical call after that asks anew. */
  readonly told: boolean
}

/** A person's answer: who, when, and for a no why. */
export type HoldAnswer = {
  readonly verdict: 'approve' | 'deny'
  readonly approver: string
  readonly roles?: readonly string[]
  readonly at: number
  readonly reason?: string
}

/** The one use of a yes: by which process, and when it counts as lost unless renewed. */
export type HoldClaim = { readonly owner: string; readonly at: number; readonly leaseUntil: number }

/** What can happen to a hold; `at` is the clock's time in milliseconds. */
export type HoldEvent =
  | { readonly kind: 'join'; readonly at: number }
  | { readonly kind: 'leave'; readonly at: number }
  | { readonly kind: 'cancel'; readonly at: number }
  | { readonly kind: 'answer'; readonly answer: HoldAnswer }
  | { readonly kind: 'claim'; readonly at: number; readonly binding: string; readonly owner: string; readonly leaseUntil: number }
  | { readonly kind: 'renew'; readonly at: number; readonly owner: string; readonly leaseUntil: number }
  | { readonly kind: 'finish'; readonly at: number; readonly owner: string; readonly outcome: 'ran' | 'failed' | 'unknown' | 'cancelled' }
  /** The claim is given up for lost: its lease is over, or the sender knows that its owner is `gone`. */
  | { readonly kind: 'lose'; readonly at: number; readonly owner: string; readonly gone?: boolean }
  | { readonly kind: 'expire'; readonly at: number }
  | { readonly kind: 'tell'; readonly at: number }

/**
 * What a transition yields: the next state, or why the event does not apply (the hold is then as it was). An event that
 * repeats what was said before is moved to the very same object: nothing changed, so nothing is to be recorded.
 */
export type HoldTransition =
  | { readonly kind: 'moved'; readonly hold: Hold }
  | { readonly kind: 'refused'; readonly hold: Hold; readonly why: string }

/** What `open` found: a new hold, a live one that the call joined, or one that ended and that no caller has read yet. */
export type OpenedHold = { readonly kind: 'opened' | 'joined' | 'ended'; readonly hold: Hold }
