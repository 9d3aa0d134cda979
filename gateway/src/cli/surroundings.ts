import { homedir, userInfo } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { Place } from '../state/place.ts'

/** A stream that may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** All that a command reads and writes outside itself. */
export type Surroundings = Place & {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  /** Ends the process with `code` in a second, where what nobody reads would keep it. */
  leave?(code: number): void
}

const LEAVE_MS = 1_000

/** The surroundings of this process. */
export function systemSurroundings(): Surroundings {
  const { stdin, stdout, stderr, env } = process
  return {
    env,
    cwd: process.cwd(),
    home: homedir(),
    uid: process.getuid?.(),
    username: username(),
    stdin,
    stdout,
    stderr,
    leave: (code) => void setTimeout(() => process.exit(code), LEAVE_MS).unref(),
  }
}

function username(): string {
  try {
    return userInfo().username
  } catch {
    // A user without an entry in the system's table, as in many containers.
    return `uid-${process.getuid?.() ?? 'unknown'}`
  }
}
