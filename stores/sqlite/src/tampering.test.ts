import Database from 'libsql'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from './open-sqlite-store.ts'

async function tampered(change: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-tampering-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'store.db')
  const store = await openSqliteStore(path)
  const draft = { kind: 'decision', at: 1, principal: 'p', session: 's', call: 'c', data: { n: 1 } } as const
  for (let n = 0; n < 3; n += 1) await store.record.append([draft], 'now')
  await store.close()
  const db = new Database(path)
  const triggers = db.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all() as readonly { readonly name: string }[]
  for (const { name } of triggers) db.exec(`DROP TRIGGER "${name}"`)
  db.exec(change)
  db.close()
  return path
}

test.each([
  ['a byte that is no UTF-8', "UPDATE entries SET text = CAST(x'ff7b7d' AS TEXT) WHERE seq = 3", /entry 3 /],
  ['another hash beside the entry', `UPDATE entries SET hash = '${'0'.repeat(64)}' WHERE seq = 3`, /entry 3 .*another hash/],
  ['white space around it', "UPDATE entries SET text = ' ' || text WHERE seq = 3", /entry 3 .*another spelling/],
  ['another spelling of a number', "UPDATE entries SET text = replace(text, '\"seq\":3', '\"seq\":3.0') WHERE seq = 3", /entry 3 /],
  ['what follows a zero character', "UPDATE entries SET text = text || char(0) || 'junk' WHERE seq = 3", /entry 3 /],
])('an entry that was kept with %s is named', async (_what, change, message) => {
  const store = await openSqliteStore(await tampered(change))
  onTestFinished(() => store.close())
  expect(await store.record.read(0, 10)).toHaveLength(2)
  await expect(store.record.read(2, 10)).rejects.toThrow(message)
  await expect(store.record.read(2, 10)).rejects.toMatchObject({ code: 'store_invalid' })
})

test('an entry before the first is named', async () => {
  const store = await openSqliteStore(await tampered("INSERT INTO entries (seq, hash, text) VALUES (-5, '', '{}')"))
  onTestFinished(() => store.close())
  await expect(store.record.read(0, 10)).rejects.toThrow(/under the number -5/)
})
