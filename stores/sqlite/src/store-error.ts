import { CallgateError, isCallgateError } from '@callgate/core'
import type { ErrorCode } from '@callgate/core'

type Explanation = { readonly code: ErrorCode; readonly what: string; readonly next: string }

// By the driver's or the system's code, longest first where one begins with another.
const EXPLANATIONS: readonly (readonly [string, Explanation])[] = [
  ['SQLITE_NOTADB', { code: 'store_invalid', what: 'is not a database', next: 'Name another file, or move this one away and a new store is made.' }],
  ['SQLITE_CORRUPT', { code: 'store_invalid', what: 'is damaged or cut short', next: 'Restore it from a copy, or move it away and a new store is made.' }],
  ['EISDIR', { code: 'store_invalid', what: 'is a folder', next: 'Name a file in it.' }],
  ['ENOTDIR', { code: 'store_invalid', what: 'lies below something that is no folder', next: 'Name a file in a folder.' }],
  ['SQLITE_BUSY', { code: 'store_unavailable', what: 'is locked by another process', next: 'End what holds it, or use another store.' }],
  ['SQLITE_LOCKED', { code: 'store_unavailable', what: 'is locked by another process', next: 'End what holds it, or use another store.' }],
  ['SQLITE_FULL', { code: 'store_unavailable', what: 'cannot grow, the disk is full', next: 'Make room and try again.' }],
  ['ENOSPC', { code: 'store_unavailable', what: 'cannot be made, the disk is full', next: 'Make room and try again.' }],
  ['SQLITE_READONLY', { code: 'store_unavailable', what: 'is read-only', next: 'Make the file and its folder writable for this user.' }],
  ['EROFS', { code: 'store_unavailable', what: 'is on a read-only disk', next: 'Use a store in a folder that can be written.' }],
  ['EACCES', { code: 'store_unavailable', what: 'may not be read and written by this user', next: 'Make the file and its folder writable for this user.' }],
  ['EPERM', { code: 'store_unavailable', what: 'may not be read and written by this user', next: 'Make the file and its folder writable for this user.' }],
  ['SQLITE_PERM', { code: 'store_unavailable', what: 'may not be read and written by this user', next: 'Make the file and its folder writable for this user.' }],
  ['SQLITE_CANTOPEN', { code: 'store_unavailable', what: 'cannot be opened', next: 'Make the file and its folder writable for this user.' }],
  ['ENOENT', { code: 'store_unavailable', what: 'cannot be made there', next: 'Use a store in a folder that can be written.' }],
  ['SQLITE_IOERR', { code: 'store_unavailable', what: 'cannot be read or written', next: 'Look at the disk.' }],
]

/** The code of a system or driver error, or an empty text; libsql gives a failed open none, only SQLite's number 14 in its text. */
export function causeCode(cause: unknown): string {
  const { code, message } = (cause ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  if (typeof code === 'string' && code !== '') return code
  return typeof message === 'string' && /Unable to open connection.*: 14"?\)?$/.test(message) ? 'SQLITE_CANTOPEN' : ''
}

/** True where another process held the file for longer than the wait that was allowed. */
export function isLocked(error: unknown): boolean {
  return isCallgateError(error) && /^SQLITE_(?:BUSY|LOCKED)/.test(causeCode(error.cause))
}

/** Any failure of the driver or the file system as `store_invalid` or `store_unavailable`: what, which file, what next. */
export function storeError(path: string, cause: unknown): CallgateError {
  if (isCallgateError(cause)) return cause
  const code = causeCode(cause)
  const detail = cause instanceof Error ? cause.message : String(cause)
  const found = EXPLANATIONS.find(([prefix]) => code.startsWith(prefix))?.[1]
  if (found === undefined) return new CallgateError('store_unavailable', `The store ${path} failed: ${detail}. Look at the file and its disk.`, { cause })
  return new CallgateError(found.code, `The store ${path} ${found.what} (${detail}). ${found.next}`, { cause })
}

/** What stands in the file is not what was written there. */
export function invalidContent(path: string, what: string, cause?: unknown): CallgateError {
  const message = `The store ${path} holds ${what}. Something else wrote to it: restore it from a copy, or use another store.`
  return new CallgateError('store_invalid', message, { cause })
}
