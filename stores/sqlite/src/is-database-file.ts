import { closeSync, openSync, readSync } from 'node:fs'

const MAGIC = 'SQLite format 3\0'

/** Whether a file is a SQLite database, told by its first bytes: nothing is written to one that is not. False where it cannot be read. */
export function isDatabaseFile(path: string): boolean {
  const header = Buffer.alloc(MAGIC.length)
  try {
    const fd = openSync(path, 'r')
    try {
      return readSync(fd, header) === MAGIC.length && header.toString('latin1') === MAGIC
    } finally {
      closeSync(fd)
    }
  } catch {
    return false
  }
}
