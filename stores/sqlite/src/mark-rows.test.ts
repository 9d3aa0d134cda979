import Database from 'libsql'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Mark, Store } from '@callgate/core'
import { openSqliteStore } from './open-sqlite-store.ts'

const scope = { principal: 'ada', session: 's' }

async function fresh(): Promise<{ readonly store: Store; readonly path: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-marks-'))
  const path = join(folder, 'store.db')
  const store = await openSqliteStore(path)
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  return { store, path }
}

function rowsIn(path: string, table: string): number {
  const db = new Database(path)
  const { n } = db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { readonly n: number }
  db.close()
  return n
}

test('marks that expired do not pile up: the next that may expire takes them along, of its gate and session alone', async () => {
  const { store, path } = await fresh()
  const mark = (key: string, at: number, more: Partial<Mark> = {}): Mark => ({ gate: 'g', at, key, expiresAt: at + 10, ...more })
  const other = { principal: 'bob', session: 's' }
  await store.marks.add(scope, [mark('a', 0), mark('b', 5), mark('c', 0, { gate: 'h' }), { gate: 'g', at: 0, key: 'd' }], 'soon')
  await store.marks.add(other, [mark('a', 0)], 'soon')
  await store.marks.add(scope, [{ gate: 'g', at: 10 }], 'soon')
  expect(rowsIn(path, 'marks')).toBe(6)
  await store.marks.add(scope, [mark('e', 10), mark('f', 10)], 'soon')
  expect((await store.marks.list(scope)).map(({ key = '' }) => key).toSorted((a, b) => a.localeCompare(b))).toEqual(['', 'b', 'c', 'd', 'e', 'f'])
  expect(await store.marks.list(other)).toHaveLength(1)
})

test('charges that left their window do not pile up', async () => {
  const { store, path } = await fresh()
  for (let at = 0; at < 100; at += 1) {
    const charges = [{ limit: 'window', calls: 5, perMs: 3 }, { limit: 'session', sum: { amount: '0.1', max: '99' } }]
    expect(await store.marks.claim(scope, { at, needs: [], clears: [], charges }, [])).toEqual({ kind: 'claimed' })
  }
  expect(rowsIn(path, 'charges')).toBeLessThanOrEqual(4)
})

test('finding one key does not grow with the keys of the session', async () => {
  const { store } = await fresh()
  const large = { principal: 'ada', session: 'large' }
  await store.marks.add(large, Array.from({ length: 20_000 }, (_, n) => ({ gate: 'g', at: 1, key: `${n}` })), 'soon')
  await store.marks.add(scope, [{ gate: 'g', at: 1, key: '777' }], 'soon')
  const medianOf = async (session: typeof scope): Promise<number> => {
    const times: number[] = []
    for (let n = 0; n < 51; n += 1) {
      const begun = performance.now()
      expect(await store.marks.list(session, [{ gate: 'g', keys: ['777'] }])).toEqual([{ gate: 'g', at: 1, key: '777' }])
      times.push(performance.now() - begun)
    }
    return times.toSorted((a, b) => a - b)[25] ?? 0
  }
  const [small, big] = [await medianOf(scope), await medianOf(large)]
  expect(big).toBeLessThan(10 * small + 0.5)
})
