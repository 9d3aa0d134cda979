import { isObject } from '../model/json-shape.ts'
import type { JsonValue } from '../model/json-value.ts'
import type { RecordHead } from './entry.ts'
import { canonicalJson } from '../model/canonical.ts'
import { sha256Hex } from '../model/digest.ts'
import { GENESIS } from './seal-entry.ts'

/** What a verification found; `anchored` is false since nothing signed says where the chain ends (contract 11). */
export type ChainReport = {
  readonly ok: boolean
  /** How many entries were looked at. */
  readonly entries: number
  readonly anchored: boolean
  /** The first entry that does not fit: the sequence number at its place, and why. */
  readonly firstBad?: ChainFault
}

/** Where a chain breaks, and why. */
export type ChainFault = { readonly seq: number; readonly why: string }

/** Verifies a chain entry by entry, in memory that does not grow; what it is fed may be anything. */
export type ChainVerifier = {
  /** Takes the next entry; after the first that does not fit, the rest is only counted. Never throws. */
  add(entry: unknown): void
  /** The report; with `head`, the chain must end there. */
  end(head?: RecordHead): ChainReport
}

const TEXTS = ['kind', 'principal', 'session', 'call', 'prev', 'hash'] as const

/** Makes a verifier for a record from its first entry on (contract 11): it names the first entry that does not fit. */
export function createChainVerifier(): ChainVerifier {
  let head = GENESIS
  let entries = 0
  let firstBad: ChainFault | undefined
  return {
    add(entry) {
      entries += 1
      if (firstBad !== undefined) return
      const checked = follow(head, entry)
      if ('why' in checked) firstBad = checked
      else head = checked
    },
    end(expected) {
      const fault = firstBad ?? (expected === undefined ? undefined : endFault(head, expected))
      return { ok: fault === undefined, entries, anchored: false, ...(fault === undefined ? {} : { firstBad: fault }) }
    },
  }
}

function follow(head: RecordHead, entry: unknown): RecordHead | ChainFault {
  const seq = head.seq + 1
  const read = readEntry(entry)
  if (typeof read === 'string') return { seq, why: read }
  if (read.seq > seq) return { seq, why: `missing: the next entry there is has the number ${read.seq}` }
  if (read.seq < seq) return { seq, why: `out of order: an entry with the number ${read.seq} stands here` }
  if (read.prev !== head.hash) return { seq, why: 'its `prev` is not the hash of the entry before' }
  if (read.hash !== read.computed) return { seq, why: 'its hash does not fit what it says' }
  return { seq, hash: read.hash }
}

function endFault(head: RecordHead, expected: RecordHead): ChainFault | undefined {
  if (head.seq < expected.seq) return { seq: head.seq + 1, why: `missing: the record ends before its head, entry ${expected.seq}` }
  if (head.seq > expected.seq) return { seq: expected.seq + 1, why: `beyond the record's head, entry ${expected.seq}` }
  return head.hash === expected.hash ? undefined : { seq: head.seq, why: "its hash is not the record's head" }
}

type ReadEntry = { readonly seq: number; readonly prev: string; readonly hash: string; readonly computed: string }

function readEntry(entry: unknown): ReadEntry | string {
  try {
    const members = entry as JsonValue | undefined
    if (!isObject(members)) return 'not an entry'
    for (const name of TEXTS) if (typeof members[name] !== 'string') return `not an entry: \`${name}\` is no text`
    if (!Number.isSafeInteger(members['seq'])) return 'not an entry: `seq` is no whole number'
    if (!Number.isFinite(members['at'])) return 'not an entry: `at` is no number'
    if (!isObject(members['data'])) return 'not an entry: `data` is no object'
    const { hash, ...open } = members
    return { seq: members['seq'] as number, prev: members['prev'] as string, hash: hash as string, computed: sha256Hex(canonicalJson(open)) }
  } catch {
    return 'not an entry: it cannot be read as exact JSON'
  }
}
