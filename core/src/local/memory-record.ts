import type { RecordStore } from '../ports/store.ts'
import type { EntryDraft } from '../record/entry.ts'
import { parseEntry } from '../record/parse-entry.ts'
import { GENESIS, prepareEntry } from '../record/seal-entry.ts'
import { createWaitingDrafts } from './waiting-drafts.ts'

/** The record in memory. */
export type MemoryRecord = RecordStore & {
  /** Reads drafts and hands back what puts them in place, so that a failure leaves no trace. */
  prepare(drafts: readonly EntryDraft[]): () => void
  /** Puts in place what still waits; throws what a `flush` would reject with. */
  settle(): void
}

/** Keeps the newest `maxEntries` entries, as text: once it was read, what a caller does to its draft does not reach them. */
export function createMemoryRecord(assertOpen: () => void, maxEntries: number): MemoryRecord {
  const texts: string[] = []
  let head = GENESIS

  const read = (drafts: readonly EntryDraft[]): (() => void) => {
    const prepared = drafts.map(prepareEntry)
    return () => {
      for (const seal of prepared) {
        const { seq, hash, text } = seal(head)
        texts.push(text)
        head = { seq, hash }
      }
      // A tenth at a time, so that dropping costs nothing per entry.
      if (texts.length > maxEntries * 1.1) texts.splice(0, texts.length - maxEntries)
    }
  }
  const waiting = createWaitingDrafts((drafts) => read(drafts)())
  const prepare = (drafts: readonly EntryDraft[]): (() => void) => {
    waiting.catchUp()
    return read(drafts)
  }

  return {
    prepare,
    settle: waiting.settle,
    async append(drafts, durability) {
      assertOpen()
      if (durability === 'soon') waiting.add(drafts)
      else prepare(drafts)()
    },
    async flush() {
      assertOpen()
      waiting.settle()
    },
    async read(after, limit) {
      assertOpen()
      waiting.catchUp()
      const firstSeq = head.seq - texts.length + 1
      const from = Math.max(0, after + 1 - firstSeq)
      return texts.slice(from, from + Math.max(0, limit)).map(parseEntry)
    },
    async head() {
      assertOpen()
      waiting.catchUp()
      return head
    },
  }
}
