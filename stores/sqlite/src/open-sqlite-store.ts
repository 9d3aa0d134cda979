import { resolve } from 'node:path'
import { CallgateError } from '@callgate/core'
import type { Store } from '@callgate/core'
import { connect } from './connect.ts'
import type { Driver } from './driver.ts'
import { isDatabaseFile } from './is-database-file.ts'
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
  /** Rejects with `store_invalid` where no store is there yet, instead of making one. Default false. */
  readonly mustExist?: boolean
}

/**
 * Opens the store in the file `path`, which is made where there is none: mode 0600, missing folders 0700 (contract 12).
 * Rejects with `store_invalid` for what is no store of this release, with `store_unavailable` for what cannot be used now.
 */
export async function openSqliteStore(path: string, options: SqliteStoreOptions = {}): Promise<Store> {
  const { busyTimeoutMs = 5_000, mustExist = false } = options
  if (path === '' || path === ':memory:') throw noPath(path)
  const file = resolve(path)
  if (mustExist && !isDatabaseFile(file)) throw noStore(file)
  prepareFile(file)
  const durable = await connect(file, 'FULL', { busyTimeoutMs, mustExist })
  try {
    const quick = await connect(file, 'NORMAL', { busyTimeoutMs, mustExist })
    return assemble(durable, quick, createWriter(durable))
  } catch (error) {
    durable.close()
    throw error
  }
}

function assemble(durable: Driver, quick: Driver, writer: Writer): Store {
  return {
    marks: createSqliteMarks(durable, quick, writer),
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

function noStore(path: string): CallgateError {
  return new CallgateError('store_invalid', `There is no callgate store in ${path}: nothing was recorded there. Name the file that callgate run was told.`)
}

function noPath(path: string): CallgateError {
  return new CallgateError('invalid_option', `A SQLite store needs a file, not ${JSON.stringify(path)}. For memory use memoryStore().`)
}
