import type { Store } from '@callgate/core'
import type { Command } from 'commander'
import { openExistingStore } from '../state/open-store.ts'
import { locateStore } from '../state/store-location.ts'
import type { StoreLocation } from '../state/store-location.ts'
import type { Surroundings } from './surroundings.ts'

/** The flags by which every command finds its store. */
export type StoreOptions = { readonly gates: string; readonly store?: string; readonly json?: boolean }

/** Adds `--gates`, `--store` and `--json` to a command. */
export function addStoreOptions(command: Command): Command {
  return command
    .option('--gates <file>', 'the gates file whose store is meant', './gates.yml')
    .option('--store <where>', 'the store itself: a path to a SQLite file (else CALLGATE_STORE, else the one of the gates file)')
    .option('--json', 'print JSON')
}

/**
 * Opens the store that the flags mean, hands it to `work`, and closes it whatever happens. `work` gets undefined where
 * the gates file has no store yet; rejects as `locateStore` and the store do.
 */
export async function withStore<T>(
  options: StoreOptions,
  surroundings: Surroundings,
  work: (store: Store | undefined, location: StoreLocation) => Promise<T>,
): Promise<T> {
  const location = locateStore(options, surroundings)
  const store = await openExistingStore(location)
  try {
    return await work(store, location)
  } finally {
    await store?.close()
  }
}

/** Says on stderr that the gates file has no store yet. */
export function noteNoStore(surroundings: Surroundings, location: StoreLocation): void {
  const where = location.kind === 'sqlite' ? ` at ${location.path}` : ''
  surroundings.stderr.write(`callgate: there is no store${where} yet; callgate run makes it.\n`)
}
