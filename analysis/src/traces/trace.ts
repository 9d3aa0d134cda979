import type { JsonValue } from '@callgate/core'

/** What a recorded tool returned, as far as it is known. */
export type RecordedResult = { readonly text?: string; readonly structured?: JsonValue; readonly isError: boolean }

/** One recorded call: its arguments as JSON text, or as a value; without a result it is not known how it ended. */
export type RecordedCall = {
  readonly tool: string
  readonly args: { readonly text: string } | { readonly value: unknown }
  readonly result?: RecordedResult
}

/**
 * What happens in a trace, in order: what the user wrote, the calls of one model turn, its end. `at` is when, in milliseconds
 * since the epoch, where the recording says so.
 */
export type TraceEvent =
  | { readonly kind: 'user'; readonly trace: string; readonly text: string; readonly at?: number }
  | { readonly kind: 'calls'; readonly trace: string; readonly calls: readonly RecordedCall[]; readonly at?: number }
  | { readonly kind: 'end'; readonly trace: string }

/** A line that could not be read: where, and why. */
export type UnreadLine = { readonly file: string; readonly line: number; readonly why: string }

/** A file that could not be read on from `line`; `isPartlyRead` where something of a trace was read before. */
export type BrokenFile = UnreadLine & { readonly isPartlyRead: boolean }

/**
 * One step of a recording before its turns are put together. `turn` joins the calls of one model turn; where turns are not
 * recorded it is absent, and `phase` says whether the call was sent, and so is in flight until its result.
 */
export type TraceItem =
  | { readonly kind: 'user'; readonly text: string; readonly at?: number }
  | CallItem
  | { readonly kind: 'result'; readonly id: string; readonly result: RecordedResult; readonly at?: number }

/** The step at which a call was made. */
export type CallItem = {
  readonly kind: 'call'
  readonly id: string
  readonly turn?: string
  readonly phase?: 'sent' | 'held' | 'refused'
  readonly call: RecordedCall
  readonly at?: number
}
