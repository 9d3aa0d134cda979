import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect } from './connect.ts'
import { LAYOUT_VERSION } from './migrate.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-connect-'))
  path = join(folder, 'store.db')
  writeFileSync(path, '')
})
afterEach(() => rmSync(folder, { recursive: true }))

test.each([['FULL', 2], ['NORMAL', 1]] as const)('a connection keeps a write-ahead log and syncs %s', async (synchronous, level) => {
  const driver = await connect(path, synchronous, { busyTimeoutMs: 70, mustExist: false })
  expect(driver.get('PRAGMA journal_mode')).toMatchObject({ journal_mode: 'wal' })
  expect(driver.get('PRAGMA synchronous')).toMatchObject({ synchronous: level })
  expect(driver.get('PRAGMA busy_timeout')).toMatchObject({ timeout: 70 })
  expect(driver.get('SELECT version FROM meta')).toMatchObject({ version: LAYOUT_VERSION })
  driver.close()
})

test('connecting again changes nothing', async () => {
  const first = await connect(path, 'FULL', { busyTimeoutMs: 50, mustExist: false })
  first.run("INSERT INTO marks (principal, session, gate, key, at) VALUES ('a', 'b', 'c', '', 1)")
  const second = await connect(path, 'FULL', { busyTimeoutMs: 50, mustExist: false })
  expect(second.all('SELECT gate FROM marks')).toMatchObject([{ gate: 'c' }])
  first.close()
  second.close()
})

test('a transaction that throws leaves nothing, and the next one works', async () => {
  const driver = await connect(path, 'FULL', { busyTimeoutMs: 50, mustExist: false })
  const planted = new Error('planted')
  expect(() =>
    driver.transact(() => {
      driver.run("INSERT INTO marks (principal, session, gate, key, at) VALUES ('a', 'b', 'c', '', 1)")
      throw planted
    }),
  ).toThrow(planted)
  expect(driver.isInTransaction).toBe(false)
  expect(driver.transact(() => driver.all('SELECT * FROM marks'))).toEqual([])
  driver.close()
})

test('a closed connection says so', async () => {
  const driver = await connect(path, 'FULL', { busyTimeoutMs: 50, mustExist: false })
  driver.close()
  driver.close()
  expect(() => driver.get('SELECT 1')).toThrow(`The store ${path} is closed`)
})

test('a disk without room is named, and what stood there stays', async () => {
  const driver = await connect(path, 'FULL', { busyTimeoutMs: 50, mustExist: false })
  driver.get('PRAGMA max_page_count = 30')
  const fill = (): void => {
    for (let n = 0; n < 1_000; n += 1) driver.run('INSERT INTO entries VALUES (?, ?, ?)', n, 'h', 'x'.repeat(1_000))
  }
  expect(fill).toThrow(/the disk is full/)
  const { n } = driver.get('SELECT count(*) AS n FROM entries') as { n: number }
  expect(n).toBeGreaterThan(0)
  expect(driver.isInTransaction).toBe(false)
  driver.close()
})
