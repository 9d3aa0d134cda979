import type { EntryDraft } from '../record/entry.ts'
import { parseEntry } from '../record/parse-entry.ts'
import { GENESIS, prepareEntry } from '../record/seal-entry.ts'
import type { RecordStore } from '../ports/store.ts'

/** The record in memory; `prepare` reads drafts and hands back what puts them in place, so that a failure leaves no trace. */
export type MemoryRecord = RecordStore & { prepare(drafts: readonly EntryDraft[]): () => void }

/** Keeps the newest `maxEntries` entries, as text: what a caller does to its draft later does not reach them. */
export function createMemoryRecord(assertOpen: () => void, maxEntries: number): MemoryRecord {
  const texts: string[] = []
  let head = GENESIS

  const prepare = (drafts: readonly EntryDraft[]): (() => void) => {
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

  return {
    prepare,
    async append(drafts) {
      assertOpen()
      prepare(drafts)()
    },
    async flush() {
      assertOpen()
    },
    async read(after, limit) {
      assertOpen()
      const firstSeq = head.seq - texts.length + 1
      const from = Math.max(0, after + 1 - firstSeq)
      return texts.slice(from, from + Math.max(0, limit)).map(parseEntry)
    },
    async head() {
      assertOpen()
      return head
    },
  }
}
