import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { quantile } from './figures.ts'

const WRITES = 200
const ENTRY = 'e'.repeat(600)

/** The p50 in milliseconds of what a durable entry costs at the least on this disk. */
export type BareWrites = { readonly fileFsyncMs: number; readonly libsqlRowMs: number }

/** Appends 600 bytes to a file and fsyncs it, and commits a row of 600 bytes with `synchronous=FULL`, each 200 times, in `folder`. */
export function measureBareWrites(folder: string): BareWrites {
  const file = openSync(join(folder, 'bare.log'), 'a')
  const database = new Database(join(folder, 'bare.sqlite'), {})
  try {
    database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE IF NOT EXISTS entry (seq INTEGER PRIMARY KEY, body TEXT NOT NULL)')
    const insert = database.prepare('INSERT INTO entry (body) VALUES (?)') as { run(body: string): unknown }
    const fileFsyncMs = timeWrites(() => {
      writeSync(file, ENTRY)
      fsyncSync(file)
    })
    return { fileFsyncMs, libsqlRowMs: timeWrites(() => insert.run(ENTRY)) }
  } finally {
    database.close()
    closeSync(file)
  }
}

function timeWrites(write: () => unknown): number {
  const times = new Float64Array(WRITES)
  for (let i = 0; i < WRITES; i += 1) {
    const start = performance.now()
    write()
    times[i] = performance.now() - start
  }
  return quantile(times.toSorted(), 0.5)
}
