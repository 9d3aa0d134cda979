import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CallgateError, sha256Hex } from '@callgate/core'
import type { Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'

/** Where state lives: in this process only, or in one SQLite file; `isDefault` for the gates file's own in the state folder. */
export type StoreLocation = { readonly kind: 'memory' } | SqliteLocation

/** A store in one file, by its absolute path. */
export type SqliteLocation = { readonly kind: 'sqlite'; readonly path: string; readonly isDefault: boolean }

/** What the user said: `--store` (else `CALLGATE_STORE`), and the gates file whose own store is the default. */
export type StoreChoice = { readonly store?: string | undefined; readonly gates: string }

/**
 * Finds the store (contract 12): `memory:`, a path, else the gates file's own file in the state folder, named by the
 * SHA-256 of the gates file's real path. Throws `unsupported` for `postgres://` and other schemes, `gates_file_missing`
 * where the default needs a gates file that is not there.
 */
export function locateStore(choice: StoreChoice, place: Place): StoreLocation {
  const said = choice.store ?? place.env['CALLGATE_STORE'] ?? ''
  if (said === '')
    return { kind: 'sqlite', path: defaultStorePath(realGatesPath(choice.gates, place.cwd), place), isDefault: true }
  if (said === 'memory:') return { kind: 'memory' }
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(said)?.[1]?.toLowerCase()
  if (scheme === 'postgres' || scheme === 'postgresql') {
    throw new CallgateError(
      'unsupported',
      'A postgres:// store is not built yet. Use a path to a SQLite file, or leave --store away for the default.',
    )
  }
  if (scheme !== undefined) {
    throw new CallgateError(
      'unsupported',
      `A store is "memory:", or a path to a SQLite file; "${scheme}:" is neither. A path may be written ./${said}`,
    )
  }
  return { kind: 'sqlite', path: resolve(place.cwd, said), isDefault: false }
}

/** The real path of a gates file, symbolic links resolved. Throws `gates_file_missing`. */
export function realGatesPath(gates: string, cwd: string): string {
  const path = resolve(cwd, gates)
  try {
    return realpathSync.native(path)
  } catch (cause) {
    throw new CallgateError(
      'gates_file_missing',
      `No gates file at ${path} (${(cause as NodeJS.ErrnoException).code}). Say where it is with --gates FILE.`,
      { cause },
    )
  }
}

function defaultStorePath(realGates: string, place: Place): string {
  return join(openStateFolder(place), `${sha256Hex(realGates).slice(0, 32)}.sqlite`)
}
