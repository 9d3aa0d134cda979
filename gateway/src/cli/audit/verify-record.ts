import { createChainVerifier, isCallgateError } from '@callgate/core'
import type { ChainReport, RecordHead, Store } from '@callgate/core'

const PAGE = 1_000

/**
 * Verifies a record from its first entry on, a page of 1,000 at a time; what is appended meanwhile is verified too. An
 * entry that the store cannot read is the first bad one; rejects where the store itself fails.
 */
export async function verifyRecord(record: Pick<Store['record'], 'read' | 'head'>): Promise<ChainReport> {
  const verifier = createChainVerifier()
  let after = 0
  for (;;) {
    try {
      const page = await record.read(after, PAGE)
      for (const entry of page) verifier.add(entry)
      const last = page.at(-1)
      // A page that leads nowhere further ends the walk, whatever numbers a broken record carries.
      if (last === undefined || !(last.seq > after)) return verifier.end(await headAt(record, after))
      after = last.seq
    } catch (error) {
      if (!isCallgateError(error) || error.code !== 'store_invalid') throw error
      return { firstBad: { seq: after + 1, why: error.message }, ...verifier.end(), ok: false }
    }
  }
}

/** The store's own head, where nothing was appended since the last page. */
async function headAt(record: Pick<Store['record'], 'head'>, seq: number): Promise<RecordHead | undefined> {
  const head = await record.head()
  return head.seq > seq ? undefined : head
}
