import type { JsonValue } from '@callgate/core'

/** What a recorded tool returned, as far as it is known. */
export type RecordedResult = { readonly text?: string; readonly structured?: JsonValue; readonly isError: boolean }

/** One recorded call: its arguments as JSON text, or as a value; without a result it is not known how it ended. */
export type RecordedCall = {
  readonly tool: string
  readonly args: { readonly text: string } | { readonly value: unknown }
  readonly result?: RecordedResult
}

/** What happens in a trace, in order: what the user wrote, the calls of one model turn, its end. */
export type TraceEvent =
  | { readonly kind: 'user'; readonly trace: string; readonly text: string }
  | { readonly kind: 'calls'; readonly trace: string; readonly calls: readonly RecordedCall[] }
  | { readonly kind: 'end'; readonly trace: string }

/** A line that could not be read: where, and why. */
export type UnreadLine = { readonly file: string; readonly line: number; readonly why: string }

/** One step of a recording before its turns are put together; `turn` joins the calls of one model turn. */
export type TraceItem =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly turn: string; readonly call: RecordedCall }
  | { readonly kind: 'result'; readonly id: string; readonly result: RecordedResult }
