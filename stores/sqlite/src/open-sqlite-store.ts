import { resolve } from 'node:path'
import { CallgateError } from '@callgate/core'
import type { Store } from '@callgate/core'
import { connect } from './connect.ts'
import type { Driver } from './driver.ts'
import { prepareFile } from './prepare-file.ts'
import { createSqliteApprovers } from './sqlite-approvers.ts'
import { createSqliteHolds } from './sqlite-holds.ts'
import { createSqliteMarks } from './sqlite-marks.ts'
import { createSqliteRecord } from './sqlite-record.ts'
import { createWriter } from './writer.ts'
import type { Writer } from './writer.ts'

/** How a SQLite store waits. */
export type SqliteStoreOptions = {
  /** How long, in milliseconds, a call waits for another process's lock before it rejects with `store_unavailable`. Default 5,000. */
  readonly busyTimeoutMs?: number
}

/**
 * Opens the store in the file `path`, which is made where there is none: mode 0600, missing folders 0700 (contract 12).
 * Rejects with `store_invalid` for what is no store of this release, with `store_unavailable` for what cannot be used now.
 */
export async function openSqliteStore(path: string, options: SqliteStoreOptions = {}): Promise<Store> {
  const { busyTimeoutMs = 5_000 } = options
  if (path === '' || path === ':memory:') throw noPath(path)
  const file = resolve(path)
  prepareFile(file)
  const durable = await connect(file, 'FULL', busyTimeoutMs)
  try {
    const quick = await connect(file, 'NORMAL', busyTimeoutMs)
    return assemble(durable, quick, createWriter(durable))
  } catch (error) {
    durable.close()
    throw error
  }
}

function assemble(durable: Driver, quick: Driver, writer: Writer): Store {
  return {
    marks: createSqliteMarks(durable, quick),
    holds: createSqliteHolds(durable, writer),
    record: createSqliteRecord(durable, writer),
    approvers: createSqliteApprovers(durable, writer),
    async close() {
      try {
        writer.close()
      } finally {
        quick.close()
        durable.close()
      }
    },
  }
}

function noPath(path: string): CallgateError {
  return new CallgateError('invalid_option', `A SQLite store needs a file, not ${JSON.stringify(path)}. For memory use memoryStore().`)
}
