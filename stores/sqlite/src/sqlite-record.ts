import { canonicalJson, parseEntry, prepareEntry } from '@callgate/core'
import type { Entry, RecordStore } from '@callgate/core'
import { numberOf } from './driver.ts'
import type { Driver, Row } from './driver.ts'
import { invalidContent } from './store-error.ts'
import { readHead } from './writer.ts'
import type { Writer } from './writer.ts'

// Bytes, since the driver cuts text at NUL and dies of text that is no UTF-8.
const READ = 'SELECT seq, CAST(hash AS BLOB) AS hash, CAST(text AS BLOB) AS text FROM entries WHERE seq > ? ORDER BY seq LIMIT ?'
const FIRST = 'SELECT MIN(seq) AS seq FROM entries'

/** The record: entries as their canonical text, so that what is read is what was hashed. */
export function createSqliteRecord(driver: Driver, writer: Writer): RecordStore {
  return {
    async append(drafts, durability) {
      if (durability === 'soon') return writer.soon(drafts)
      const entries = drafts.map(prepareEntry)
      return writer.durably(() => ({ value: undefined, write: (append) => append(entries) }))
    },
    flush: writer.settled,
    async read(after, limit) {
      const stray = after === 0 ? strayBefore(driver) : undefined
      if (stray !== undefined) throw stray
      const rows = driver.all(READ, after, Math.max(0, limit))
      const entries: Entry[] = []
      for (const row of rows) {
        const read = readRow(driver, row)
        // What can be read before an unreadable entry is handed out first, so that a reader knows which one it is.
        if (read instanceof Error) return entries.length > 0 ? entries : Promise.reject(read)
        entries.push(read)
      }
      return entries
    },
    async head() {
      return readHead(driver)
    },
  }
}

function readRow(driver: Driver, row: Row): Entry | Error {
  const seq = numberOf(driver, row, 'seq')
  try {
    const text = decode(row['text'])
    const entry = parseEntry(text)
    if (entry.seq !== seq) return invalidContent(driver.path, `entry ${seq} of the record under the number ${String(entry.seq)}`)
    if (entry.hash !== decode(row['hash'])) return invalidContent(driver.path, `entry ${seq} of the record under another hash than its own`)
    // What is kept must be what was hashed, to the byte: parsers forgive white space and spellings.
    if (canonicalJson(entry) === text) return entry
    return invalidContent(driver.path, `entry ${seq} of the record in another spelling than was written`)
  } catch (cause) {
    return invalidContent(driver.path, `entry ${seq} of the record as text that is no JSON object`, cause)
  }
}

function decode(bytes: unknown): string {
  if (!(bytes instanceof ArrayBuffer)) throw new TypeError('no bytes')
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

/** Sequence numbers begin at 1: what stands before was never written by a store. */
function strayBefore(driver: Driver): Error | undefined {
  const first = driver.get(FIRST)?.['seq']
  if (first === null || first === undefined || (typeof first === 'number' && first >= 1)) return undefined
  return invalidContent(driver.path, `an entry of the record under the number ${JSON.stringify(first)}`)
}
