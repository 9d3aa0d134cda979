import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Makes a folder and those above it, each with mode 0700; not by Node's `recursive`, which tries for ever where a folder takes no children (/proc). */
export function makeFolder(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false })
  if (there?.isDirectory() === true) return
  if (there !== undefined) throw new Error(`${path} is there and is no folder`)
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path, 0o700)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
}
