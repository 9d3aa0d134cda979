import type { JsonObject } from '../model/json-value.ts'

/** What an entry of the record is about (contract 11). */
export type EntryKind = 'decision' | 'mark' | 'hold' | 'vote' | 'outcome'

/** An entry before it has its place in the chain. `at` is milliseconds since the epoch; `call` joins the entries of one call. */
export type EntryDraft = {
  readonly kind: EntryKind
  readonly at: number
  readonly principal: string
  readonly session: string
  readonly call: string
  readonly data: JsonObject
}

/** One entry of the append-only log: `seq` counts from 1, `prev` is the hash of the entry before, `hash` of this one without it. */
export type Entry = EntryDraft & { readonly seq: number; readonly prev: string; readonly hash: string }

/** The end of the chain: the last entry's `seq` and `hash`; 0 and 64 zeros for an empty record. */
export type RecordHead = { readonly seq: number; readonly hash: string }
