import { statSync } from 'node:fs'
import { CallgateError } from '@callgate/core'

type Identity = { readonly dev: bigint; readonly ino: bigint }

/**
 * Remembers which file stands at `path` now; the check that it hands back throws `store_unavailable` once another one, or
 * none, stands there. Where the file system gives no numbers (inode 0), only that a file is there is checked.
 */
export function createPlaceCheck(path: string): () => void {
  const { dev, ino } = identityOf(path)
  return () => {
    const now = identityOf(path)
    if (now.ino === 0n || ino === 0n || (now.ino === ino && now.dev === dev)) return
    throw displaced(path, 'replaced')
  }
}

function identityOf(path: string): Identity {
  try {
    return statSync(path, { bigint: true })
  } catch (cause) {
    throw displaced(path, 'removed', cause)
  }
}

function displaced(path: string, what: 'removed' | 'replaced', cause?: unknown): CallgateError {
  const message = `The store ${path} was ${what} while it was open: what is written now would be lost. Put the file back and open it again, or start anew without it.`
  return new CallgateError('store_unavailable', message, { cause })
}
