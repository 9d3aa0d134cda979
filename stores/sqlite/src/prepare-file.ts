import { accessSync, chmodSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { dirname } from 'node:path'
import { CallgateError } from '@callgate/core'
import { causeCode, storeError } from './store-error.ts'

const OWNER_ONLY_FILE = 0o600
const OWNER_ONLY_FOLDER = 0o700

/**
 * Sees to it that `path` is a file that can be read and written, in a folder that can be written; missing folders are made
 * with mode 0700, a missing file with 0600 (contract 12). Throws `store_invalid` or `store_unavailable`.
 */
export function prepareFile(path: string): void {
  try {
    makeFolder(dirname(path))
    const stats = statOf(path) ?? create(path)
    if (stats.isDirectory()) throw Object.assign(new Error('a folder stands there'), { code: 'EISDIR' })
    if (!stats.isFile()) throw noFile(path)
    accessSync(path, constants.R_OK | constants.W_OK)
    accessSync(dirname(path), constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw storeError(path, cause)
  }
}

/** Takes a store's file from others; only once it is known to be a store. Throws `store_unavailable`. */
export function closeToOthers(path: string): void {
  try {
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, OWNER_ONLY_FILE)
  } catch (cause) {
    throw storeError(path, cause)
  }
}

// Not `recursive`: where a folder takes no children (/proc), Node's own would try for ever.
function makeFolder(path: string): void {
  if (statOf(path) !== undefined) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path, OWNER_ONLY_FOLDER)
  } catch (cause) {
    if (causeCode(cause) !== 'EEXIST' || statOf(path) === undefined) throw cause
  }
}

// Never opens a file that is there: closing it again would drop the locks that this process holds on it.
function create(path: string): Stats {
  try {
    closeSync(openSync(path, 'wx', OWNER_ONLY_FILE))
  } catch (cause) {
    if (causeCode(cause) !== 'EEXIST') throw cause
  }
  return statSync(path)
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

function noFile(path: string): CallgateError {
  return new CallgateError('store_invalid', `The store ${path} is no file. Name a file, in a folder of its own.`)
}
