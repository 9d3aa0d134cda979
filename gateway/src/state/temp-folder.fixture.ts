import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Place } from './place.ts'

/** An empty folder, by its real path, that is gone when the test has ended. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'callgate-test-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** A place in `folder`, with nothing of this process's environment. */
export function placeIn(folder: string, env: Place['env'] = {}): Place {
  return { env, cwd: folder, home: folder, uid: process.getuid?.(), username: 'somebody' }
}
