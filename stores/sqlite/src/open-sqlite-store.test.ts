import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import type { Store } from '@callgate/core'
import { storeContract } from '@callgate/core/testing'
import type { StoreUnderTest } from '@callgate/core/testing'
import { openSqliteStore } from './open-sqlite-store.ts'

async function fresh(): Promise<StoreUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-sqlite-'))
  const path = join(folder, 'store.db')
  let store: Store = await openSqliteStore(path)
  const first = store
  return {
    store: first,
    async reopen() {
      await store.close()
      store = await openSqliteStore(path)
      return store
    },
    async dispose() {
      await store.close()
      rmSync(folder, { recursive: true })
    },
  }
}

for (const claim of storeContract(fresh)) test(`the SQLite store keeps: ${claim.name}`, () => claim.run())
