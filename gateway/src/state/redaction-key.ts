import { chmodSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { CallgateError } from '@callgate/core'
import type { Random } from '@callgate/core'
import type { StoreLocation } from './store-location.ts'

const OTHERS = 0o077
const KEY = /^[0-9a-f]{64}$/

/** Where the key of a store's redacted digests lies; it is made with the first gateway that redacts. */
function redactionKeyPath(storePath: string): string {
  return `${storePath}.key`
}

/**
 * The key under which redacted values are digested (contract 11): beside the store, mode 0600, or for a store in memory one
 * that ends with the process. Throws `store_unavailable` where it cannot be made or read, `store_invalid` where it is no key.
 */
export function openRedactionKey(location: StoreLocation, random: Random): string {
  if (location.kind === 'memory') return newKey(random)
  const path = redactionKeyPath(location.path)
  let key: string
  try {
    key = readKey(path) ?? makeKey(path, random)
  } catch (cause) {
    throw new CallgateError('store_unavailable', `The key of redacted digests ${path} cannot be used (${(cause as Error).message}). Nothing runs without it; see that its folder can be written.`, { cause })
  }
  if (!KEY.test(key)) throw new CallgateError('store_invalid', `${path} is no key of redacted digests. Put the one from before back; without it, remove the file: what is digested from then on cannot be compared with what was.`)
  return key
}

function readKey(path: string): string | undefined {
  try {
    const key = readFileSync(path, 'utf8').trim()
    if ((statSync(path).mode & OTHERS) !== 0) chmodSync(path, 0o600)
    return key
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Written whole beside its place and linked there: of several gateways that begin at once, one makes the key for all. */
function makeKey(path: string, random: Random): string {
  const key = newKey(random)
  const draft = `${path}.${process.pid}.${random.id().slice(0, 8)}.part`
  writeFileSync(draft, `${key}\n`, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(draft, path)
    return key
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return readKey(path) ?? key
  } finally {
    rmSync(draft, { force: true })
  }
}

function newKey(random: Random): string {
  const digits = `${random.id()}${random.id()}${random.id()}`.replaceAll(/[^0-9a-f]/g, '')
  return digits.slice(0, 64)
}
