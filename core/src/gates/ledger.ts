/**
 * A gate that was marked, as plain data. Marks of a gate add up: one a key. `key` and `fact` are canonical JSON;
 * times are milliseconds since the epoch.
 */
export type Mark = {
  readonly gate: string
  readonly at: number
  /** Absent: a mark that carries no key. */
  readonly key?: string
  readonly fact?: string
  /** From then on it counts no more. */
  readonly expiresAt?: number
  /** How many calls it serves yet; absent: any number. */
  readonly uses?: number
}

/** Which marks are looked for: those of a gate with one of `keys`, or all of the gate. */
export type MarkQuery = { readonly gate: string; readonly keys?: readonly string[] }

/** A mark that a call needs when it is claimed to run: alive, with that fact where one was judged, and with a use left. */
export type MarkNeed = {
  readonly gate: string
  /** Absent: any mark of the gate; the one that was made first serves. */
  readonly key?: string
  /** The fact that was judged; another one means that the call is judged again. */
  readonly fact?: string
}

/** What a call clears when it starts: all marks of a gate, or those with these keys. */
export type MarkClear = MarkQuery

/** What a call charges to a limit. `limit` names it, the same for equal limits; amounts and `max` are JSON numbers as text. */
export type LimitCharge = {
  readonly limit: string
  readonly calls?: number
  readonly sum?: { readonly amount: string; readonly max: string }
  readonly perMs?: number
}

/** Identical calls in a row: `digest` names the call, `max` how many may run; it starts anew when a mark changes. */
export type RepeatCharge = { readonly digest: string; readonly max: number }

/**
 * What a call takes when it is claimed to run (contract 9): one atomic step of the store. Either all needs are met and all
 * limits hold, and then all is used, cleared and charged, or nothing changes.
 */
export type Claim = {
  readonly at: number
  readonly needs: readonly MarkNeed[]
  readonly clears: readonly MarkClear[]
  readonly charges: readonly LimitCharge[]
  readonly repeat?: RepeatCharge
}

/** What became of a claim; `short` names the first need or charge that was not met, by its place in the claim. */
export type ClaimResult =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'short'; readonly of: 'needs' | 'charges' | 'repeat'; readonly index: number }

/**
 * What was charged, as the store keeps it: `at` when, `amount` as the text of a JSON number. Without it one call; with it what a
 * sum adds, or the number of calls where a limit over the whole session is kept as one row.
 */
export type ChargeRow = { readonly limit: string; readonly at: number; readonly amount?: string }

/** The last call of the session and how often it ran in a row. */
export type Streak = { readonly digest: string; readonly count: number }

/** What a store reads for a claim, within the step: the marks that it names, the charges of its limits, the streak. */
export type LedgerRows = {
  readonly marks: readonly Mark[]
  readonly charges: readonly ChargeRow[]
  readonly streak?: Streak
}

/** What a store writes for a claim, within the step. Marks are named by gate and key. */
export type LedgerWrites = {
  /** Marks with one use fewer; one that has none left is removed. */
  readonly put: readonly Mark[]
  readonly remove: readonly { readonly gate: string; readonly key?: string }[]
  /** Charges to add, and of which limits those at or before a time are forgotten. */
  readonly charge: readonly ChargeRow[]
  readonly forget: readonly { readonly limit: string; readonly until: number }[]
  readonly streak?: Streak
}

/** What `settleClaim` says: what to write, or what was short. */
export type ClaimPlan = { readonly kind: 'claimed'; readonly writes: LedgerWrites } | (ClaimResult & { readonly kind: 'short' })
