import type { Claim, ClaimResult, Mark, MarkQuery } from '../gates/ledger.ts'
import type { Hold, HoldDraft, HoldEvent, HoldStatus, HoldTransition, OpenedHold } from '../holds/hold.ts'
import type { Entry, EntryDraft, RecordHead } from '../record/entry.ts'

/** Where marks live: a session counts only together with its principal (contract 1). */
export type SessionScope = { readonly principal: string; readonly session: string }

/** When an append resolves: `now`, once it is durable; `soon`, at once, the entry following with the next durable one or within 50 ms. */
export type Durability = 'now' | 'soon'

/** What a call takes when it is claimed to run, and in which session. */
export type ScopedClaim = { readonly scope: SessionScope; readonly claim: Claim }

/**
 * Marks and charges by session. What `add` resolved is seen by every later `list` of the same store, in any process. A mark
 * added `soon` may be lost with the machine's power, never with the process; one added `now` survives both.
 */
export type MarkStore = {
  /** The marks that `queries` name, or all of the session; stale ones may be among them. */
  list(scope: SessionScope, queries?: readonly MarkQuery[]): Promise<readonly Mark[]>
  /**
   * Adds marks, each in place of the one of the same gate and key, and resolves with those that were replaced. Where one is
   * new or keeps another fact than before, the session's streak of identical calls starts anew.
   */
  add(scope: SessionScope, marks: readonly Mark[], durability: Durability): Promise<readonly Mark[]>
  /** Takes a claim in one atomic step, through the core's `settleClaim`, and appends `entries` durably in the same step where it was claimed. */
  claim(scope: SessionScope, claim: Claim, entries: readonly EntryDraft[]): Promise<ClaimResult>
  /** What the core's `settleClaim` says of a claim as things stand; nothing is taken, cleared or charged. */
  peek(scope: SessionScope, claim: Claim): Promise<ClaimResult>
  /** Forgets the session's marks, charges and streak. */
  reset(scope: SessionScope): Promise<void>
}

/** Which holds to list, newest first; `after` is the id of the last one of the page before. */
export type HoldQuery = { readonly statuses?: readonly HoldStatus[]; readonly after?: string; readonly limit: number }

/** What became of a hold's event; `short` where the claim that came with it was not met. */
export type AppliedHold = HoldTransition & { readonly short?: Extract<ClaimResult, { readonly kind: 'short' }> }

/**
 * Holds. `open` and `apply` are atomic across processes, go through the core's `openHold` and `transitionHold`, and
 * append `entries` to the record in the same transaction, durably: where the hold moved, also to its end.
 */
export type HoldStore = {
  open(draft: HoldDraft & { readonly id: string }, entries: (opened: OpenedHold) => readonly EntryDraft[]): Promise<OpenedHold>
  /**
   * Throws `unknown_hold` for an id that was never given out. With `take`, the hold moves only where that claim was met, in
   * the same step; the refused transition then carries what was `short`.
   */
  apply(id: string, event: HoldEvent, entries?: readonly EntryDraft[], take?: ScopedClaim): Promise<AppliedHold>
  get(id: string): Promise<Hold | undefined>
  list(query: HoldQuery): Promise<readonly Hold[]>
}

/** The record: one chain a store, one writer at a time whatever the number of processes (contract 11). */
export type RecordStore = {
  /**
   * Appends all of the drafts, in order, or none. Drafts appended `now` are read at once, and rejected with `store_invalid`
   * where one is no exact JSON. Drafts appended `soon` are taken as they are and read later, so the caller must not change
   * them any more; where one turns out to be no exact JSON, what was appended with it is left out, everything else is not,
   * and the next `flush` or `close` rejects with that `store_invalid`.
   */
  append(drafts: readonly EntryDraft[], durability: Durability): Promise<void>
  /** Resolves when every entry accepted so far is durable; rejects with what kept the first from it, telling each loss once. */
  flush(): Promise<void>
  /** Entries after `after` (a sequence number, 0 for the start), in order, at most `limit`. */
  read(after: number, limit: number): Promise<readonly Entry[]>
  head(): Promise<RecordHead>
}

/** A known person: the name stands in votes, the token's SHA-256 is all that is kept of it. */
export type ApproverToken = {
  readonly id: string
  readonly name: string
  readonly roles: readonly string[]
  readonly tokenHash: string
  readonly createdAt: number
  readonly revokedAt?: number
}

/** Approvers' tokens, hashed. */
export type ApproverStore = {
  add(token: ApproverToken): Promise<void>
  /** Never finds a revoked token: an unknown approver is no approver. */
  findByHash(tokenHash: string): Promise<ApproverToken | undefined>
  list(): Promise<readonly ApproverToken[]>
  /** False where there is no such token, or it was revoked before. */
  revoke(id: string, at: number): Promise<boolean>
}

/** All state of callgate. Every method rejects with `store_unavailable` or `store_invalid`, never with a driver's own error. */
export type Store = {
  readonly marks: MarkStore
  readonly holds: HoldStore
  readonly record: RecordStore
  readonly approvers: ApproverStore
  /**
   * Makes what was accepted durable and lets go of every resource; later calls reject. Rejects, closed all the same, where an
   * entry was lost and nobody told.
   */
  close(): Promise<void>
}
