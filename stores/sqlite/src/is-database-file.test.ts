import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isDatabaseFile } from './is-database-file.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'callgate-store-file-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

test('a store may be required to be there', async () => {
  const path = join(folder(), 'store.db')
  expect(isDatabaseFile(path)).toBe(false)
  await expect(openSqliteStore(path, { mustExist: true })).rejects.toMatchObject({ code: 'store_invalid' })
  await (await openSqliteStore(path)).close()
  expect(isDatabaseFile(path)).toBe(true)
  await (await openSqliteStore(path, { mustExist: true })).close()
})

test.each([['an empty file', ''], ['text', 'notes\n'.repeat(50)]])('%s is no store, and is left as it was', async (_what, text) => {
  const path = join(folder(), 'notes.txt')
  writeFileSync(path, text)
  chmodSync(path, 0o644)
  await expect(openSqliteStore(path, { mustExist: true })).rejects.toMatchObject({ code: 'store_invalid' })
  expect(readFileSync(path, 'utf8')).toBe(text)
  expect(statSync(path).mode & 0o777).toBe(0o644)
})

test('what is no database keeps its mode when a store is opened there', async () => {
  const path = join(folder(), 'notes.txt')
  writeFileSync(path, 'notes\n'.repeat(500))
  chmodSync(path, 0o644)
  await expect(openSqliteStore(path)).rejects.toMatchObject({ code: 'store_invalid' })
  expect(statSync(path).mode & 0o777).toBe(0o644)
})
