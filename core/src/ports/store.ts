import type { Hold, HoldDraft, HoldEvent, HoldStatus, HoldTransition, OpenedHold } from '../holds/hold.ts'
import type { Entry, EntryDraft, RecordHead } from '../record/entry.ts'

/** Where marks live: a session counts only together with its principal (contract 1). */
export type SessionScope = { readonly principal: string; readonly session: string }

/** A gate that was marked, and when (milliseconds since the epoch). */
export type Mark = { readonly gate: string; readonly at: number }

/** When an append resolves: `now`, once it is durable; `soon`, at once, the entry following with the next durable one or within 50 ms. */
export type Durability = 'now' | 'soon'

/**
 * Marks by session. What `add` resolved is seen by every later `list` of the same store, in any process. A mark added
 * `soon` may be lost with the machine's power, never with the process; one added `now` survives both.
 */
export type MarkStore = {
  list(scope: SessionScope): Promise<readonly Mark[]>
  add(scope: SessionScope, marks: readonly Mark[], durability: Durability): Promise<void>
  reset(scope: SessionScope): Promise<void>
}

/** Which holds to list, newest first; `after` is the id of the last one of the page before. */
export type HoldQuery = { readonly statuses?: readonly HoldStatus[]; readonly after?: string; readonly limit: number }

/**
 * Holds. `open` and `apply` are atomic across processes, go through the core's `openHold` and `transitionHold`, and
 * append `entries` to the record in the same transaction, durably: where the hold moved, also to its end.
 */
export type HoldStore = {
  open(draft: HoldDraft & { readonly id: string }, entries: (opened: OpenedHold) => readonly EntryDraft[]): Promise<OpenedHold>
  /** Throws `unknown_hold` for an id that was never given out. */
  apply(id: string, event: HoldEvent, entries?: readonly EntryDraft[]): Promise<HoldTransition>
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
