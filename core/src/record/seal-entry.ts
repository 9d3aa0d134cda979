import { CallgateError } from '../model/callgate-error.ts'
import { canonicalJson } from '../model/canonical.ts'
import { sha256Hex } from '../model/digest.ts'
import type { JsonObject } from '../model/json-value.ts'
import type { Entry, EntryDraft, RecordHead } from './entry.ts'
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
 * Reads a draft, once, into the text that it will be (contract 11). The hash is SHA-256 of the canonical JSON of the entry
 * without `hash`. Throws `store_invalid` for a draft that is no exact JSON.
 */
export function prepareEntry(draft: EntryDraft): PreparedEntry {
  const { kind, at, principal, session, call, data } = draft
  const exact = readBack({ kind, at, principal, session, call, data })
  const member = (name: string): string => `"${name}":${canonicalJson(exact[name] ?? null)}`
  // The members in the order of canonical JSON, so that the parts that depend on the place are all that is left to write.
  const front = `{${member('at')},${member('call')},${member('data')},`
  const [kindText, principalText, sessionText] = [member('kind'), member('principal'), member('session')]
  return (head) => {
    const seq = head.seq + 1
    const back = `${kindText},"prev":"${head.hash}",${principalText},"seq":${seq},${sessionText}}`
    const hash = sha256Hex(front + back)
    return { seq, hash, text: `${front}"hash":"${hash}",${back}` }
  }
}

/** Gives a draft its place after `head`; the entry is a frozen copy. Throws as `prepareEntry` does. */
export function sealEntry(head: RecordHead, draft: EntryDraft): Entry {
  return parseEntry(prepareEntry(draft)(head).text)
}

/** What a reader of the text will see: a number such as 1e21 comes back as an integer with all its digits. */
function readBack(draft: JsonObject): JsonObject {
  try {
    return parseEntry(canonicalJson(draft))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CallgateError('store_invalid', `The entry cannot be recorded, since it is no exact JSON: ${why} Leave out what is no JSON value.`, { cause })
  }
}
