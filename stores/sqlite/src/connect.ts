import { setTimeout as sleep } from 'node:timers/promises'
import { CallgateError } from '@callgate/core'
import { openDriver } from './driver.ts'
import type { Driver } from './driver.ts'
import { assertOurs, migrate } from './migrate.ts'
import { closeToOthers } from './prepare-file.ts'
import { isLocked } from './store-error.ts'

const BETWEEN_TRIES_MS = 20

/** How long to wait for a lock, in milliseconds, and whether a file without a store is refused. */
export type ConnectTerms = { readonly busyTimeoutMs: number; readonly mustExist: boolean }

/** Connects to a file that is there and brings it to today's layout: write-ahead log, the durability asked for, one bounded wait. */
export async function connect(file: string, synchronous: 'FULL' | 'NORMAL', terms: ConnectTerms): Promise<Driver> {
  const deadline = performance.now() + terms.busyTimeoutMs
  for (;;) {
    try {
      return connectOnce(file, synchronous, terms)
    } catch (error) {
      if (!isLocked(error) || performance.now() >= deadline) throw error
    }
    // SQLite does not wait by itself while it turns a file to WAL, and several processes may make a new one at once.
    await sleep(BETWEEN_TRIES_MS)
  }
}

function connectOnce(file: string, synchronous: 'FULL' | 'NORMAL', { busyTimeoutMs, mustExist }: ConnectTerms): Driver {
  const driver = openDriver(file, busyTimeoutMs)
  try {
    assertOurs(driver, mustExist)
    closeToOthers(file)
    const mode = driver.get('PRAGMA journal_mode = WAL')?.['journal_mode']
    if (mode !== 'wal') throw noWal(file)
    driver.get(`PRAGMA synchronous = ${synchronous}`)
    migrate(driver)
    return driver
  } catch (error) {
    driver.close()
    throw error
  }
}

function noWal(file: string): CallgateError {
  const message = `The store ${file} cannot keep a write-ahead log, as on some network disks. Use a store on a local disk.`
  return new CallgateError('store_unavailable', message)
}
