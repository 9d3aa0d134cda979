import { CallgateError } from '../model/callgate-error.ts'
import { canonicalJson } from '../model/canonical.ts'
import { sha256Hex } from '../model/digest.ts'
import { exactCopy } from '../model/exact-copy.ts'
import type { JsonObject } from '../model/json-value.ts'
import type { Entry, EntryDraft, RecordHead } from './entry.ts'
import { beginPrinting, everydayText } from './everyday-text.ts'
import { parseEntry } from './parse-entry.ts'

/** What the first entry's `prev` is: 64 zeros. */
export const GENESIS_HASH: string = '0'.repeat(64)

/** The head of an empty record. */
export const GENESIS: RecordHead = Object.freeze({ seq: 0, hash: GENESIS_HASH })

/** An entry in its place, as the one text that stores and exports keep: its canonical JSON. */
export type SealedEntry = RecordHead & { readonly text: string }

/** A draft that is read and checked and only lacks its place: what happens to the draft later does not reach it. */
export type PreparedEntry = (head: RecordHead) => SealedEntry

/**
 * Reads a draft into the text that it will be (contract 11). The hash is SHA-256 of the canonical JSON of the entry without
 * `hash`. Throws `store_invalid` for a draft that is no exact JSON.
 */
export function prepareEntry(draft: EntryDraft): PreparedEntry {
  const { at, call, data, kind, principal, session } = printMembers(draft)
  // The members in the order of canonical JSON, so that the parts that depend on the place are all that is left to write.
  const front = `{"at":${at},"call":${call},"data":${data},`
  return (head) => {
    const seq = head.seq + 1
    const back = `"kind":${kind},"prev":"${head.hash}","principal":${principal},"seq":${seq},"session":${session}}`
    const hash = sha256Hex(front + back)
    // Joined, the text is one piece of memory; concatenated, it would keep alive every piece that it was printed in.
    return { seq, hash, text: [front, '"hash":"', hash, '",', back].join('') }
  }
}

/** Gives a draft its place after `head`; the entry is a frozen copy. Throws as `prepareEntry` does. */
export function sealEntry(head: RecordHead, draft: EntryDraft): Entry {
  return parseEntry(prepareEntry(draft)(head).text)
}

type Members<T> = { readonly [name in keyof EntryDraft]: T }

/** The canonical texts of a draft's members, each of which is taken from the draft once. */
function printMembers({ at, call, data, kind, principal, session }: Members<unknown>): Members<string> {
  const values = { at, call, data, kind, principal, session }
  try {
    const printing = beginPrinting()
    const texts = mapMembers(values, (value) => everydayText(value, printing))
    return printing.fault === undefined ? texts : readBack(values, printing.fault)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CallgateError('store_invalid', `The entry cannot be recorded, since it is no exact JSON: ${why} Leave out what is no JSON value.`, { cause })
  }
}

/**
 * What a reader of the text will see: a number such as 1e21 comes back as an integer with all its digits. What is vast is
 * copied first, which has bounds, since it may have no end.
 */
function readBack(values: Members<unknown>, fault: 'unusual' | 'vast'): Members<string> {
  const finite = fault === 'vast' ? exactCopy(values) : (values as JsonObject)
  return mapMembers(parseEntry(canonicalJson(finite)), canonicalJson)
}

function mapMembers<From, To>({ at, call, data, kind, principal, session }: Members<From>, map: (value: From) => To): Members<To> {
  return { at: map(at), call: map(call), data: map(data), kind: map(kind), principal: map(principal), session: map(session) }
}
