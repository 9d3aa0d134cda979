import { parseEntry, prepareEntry } from '@callgate/core'
import type { Entry, RecordStore } from '@callgate/core'
import { numberOf, textOf } from './driver.ts'
import type { Driver, Row } from './driver.ts'
import { invalidContent } from './store-error.ts'
import { readHead } from './writer.ts'
import type { Writer } from './writer.ts'

const READ = 'SELECT seq, text FROM entries WHERE seq > ? ORDER BY seq LIMIT ?'

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
    const entry = parseEntry(textOf(driver, row, 'text'))
    if (entry.seq === seq) return entry
    return invalidContent(driver.path, `entry ${seq} of the record under the number ${String(entry.seq)}`)
  } catch (cause) {
    return invalidContent(driver.path, `entry ${seq} of the record as text that is no JSON object`, cause)
  }
}
