import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Names this process in claims, and tells whether another process of this machine that did so is gone. */
export type ProcessOwner = { readonly owner: string; isOwnerGone(owner: string): boolean }

/** An owner `HOST PID NONCE`; the host carries the PID namespace where there is one, since a PID says nothing outside its own. */
export function createProcessOwner(nonce: string, pid: number = process.pid, host: string = thisHost()): ProcessOwner {
  const owner = `${host} ${pid} ${nonce}`
  return {
    owner,
    isOwnerGone: (other) => {
      const [, otherHost, otherPid] = /^(.*) (\d+) \S+$/.exec(other) ?? []
      if (otherPid === undefined || otherHost !== host || other === owner) return false
      // A PID of our own with another nonce is a process that ended and whose number we were given.
      return Number(otherPid) === pid || !isAlive(Number(otherPid))
    },
  }
}

function thisHost(): string {
  try {
    return `${hostname()}/${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
