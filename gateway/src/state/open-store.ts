import { existsSync } from 'node:fs'
import { CallgateError } from '@callgate/core'
import type { Store } from '@callgate/core'
import type { SqliteLocation, StoreLocation } from './store-location.ts'

/** Opens the store that `callgate run` decides with; makes the file where it is missing, unless it must exist. Rejects as the store does. */
export async function openStore(location: StoreLocation, { mustExist = false }: { readonly mustExist?: boolean } = {}): Promise<Store> {
  if (location.kind === 'memory') return (await import('@callgate/core/local')).local().store
  const { openSqliteStore } = await import('@callgate/sqlite')
  return await openSqliteStore(location.path, { mustExist })
}

/**
 * Opens a store that `callgate run` wrote, for a second process. Undefined where it is the gates file's default one and
 * nothing has made it yet; throws `store_invalid` where a path was given and nothing is there, `invalid_option` for `memory:`.
 */
export async function openExistingStore(location: StoreLocation): Promise<Store | undefined> {
  refuseMemory(location)
  if (existsSync(location.path)) return await openStore(location, { mustExist: true })
  if (location.isDefault) return undefined
  throw new CallgateError(
    'store_invalid',
    `There is no store at ${location.path}. Say --store as callgate run was told, or --gates FILE for the default one.`,
  )
}

/** Throws `invalid_option` for `memory:`, which no second process can reach. */
export function refuseMemory(location: StoreLocation): asserts location is SqliteLocation {
  if (location.kind === 'memory') {
    throw new CallgateError(
      'invalid_option',
      'A memory: store lives in the process of callgate run alone; no second process can reach it. Give run a path with --store.',
    )
  }
}
