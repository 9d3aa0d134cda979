import { chmodSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { CallgateError } from '@callgate/core'
import { makeFolder } from './make-folder.ts'
import type { Place } from './place.ts'

const OTHERS_WRITE = 0o022
const OTHERS = 0o077

/** The state folder (contract 12): `$XDG_STATE_HOME/callgate`, else `~/.local/state/callgate`; as XDG says, a relative variable is ignored. Throws `store_unavailable` where neither is absolute. */
export function stateFolderPath({ env, home }: Pick<Place, 'env' | 'home'>): string {
  const base = env['XDG_STATE_HOME']
  if (base !== undefined && isAbsolute(base)) return join(base, 'callgate')
  if (isAbsolute(home)) return join(home, '.local', 'state', 'callgate')
  throw new CallgateError(
    'store_unavailable',
    `There is no state folder: the home folder is ${JSON.stringify(home)}, no absolute path. Set HOME or XDG_STATE_HOME to one, or say --store PATH.`,
  )
}

/**
 * Makes the state folder with mode 0700 where it is missing, and takes from others what they can read in it. Throws
 * `state_exposed` where it belongs to somebody else, others may write to it, or it is no folder; `store_unavailable`
 * where it cannot be made.
 */
export function openStateFolder(place: Place): string {
  const folder = stateFolderPath(place)
  try {
    makeFolder(folder)
    checkStateFolder(folder, place.uid)
  } catch (cause) {
    if (cause instanceof CallgateError) throw cause
    throw new CallgateError(
      'store_unavailable',
      `The state folder ${folder} cannot be used (${(cause as Error).message}). Set XDG_STATE_HOME, or say --store PATH.`,
      { cause },
    )
  }
  return folder
}

function checkStateFolder(folder: string, uid: number | undefined): void {
  const stat = statSync(folder)
  if (uid === undefined) return
  if (stat.uid !== uid) {
    throw new CallgateError(
      'state_exposed',
      `The state folder ${folder} belongs to user ${stat.uid}, not to you (${uid}), who could answer holds. Set XDG_STATE_HOME to your own.`,
    )
  }
  if ((stat.mode & OTHERS_WRITE) !== 0) {
    const mode = (stat.mode & 0o777).toString(8)
    throw new CallgateError(
      'state_exposed',
      `The state folder ${folder} can be written by others (mode ${mode}). Look at what is in it, then run: chmod 700 ${folder}`,
    )
  }
  if ((stat.mode & OTHERS) !== 0) chmodSync(folder, 0o700)
}
