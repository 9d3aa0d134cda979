import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openSqliteStore } from './open-sqlite-store.ts'
import { bundleChild } from './run-child.fixture.ts'
import type { StartChild } from './run-child.fixture.ts'

const NOBODY = 65_534
let bundle: string
let folder: string
let path: string
let startChild: StartChild

beforeAll(async () => {
  bundle = mkdtempSync(join(tmpdir(), 'callgate-child-'))
  startChild = await bundleChild(bundle)
  chmodSync(bundle, 0o755)
})
afterAll(() => rmSync(bundle, { recursive: true }))
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-files-'))
  path = join(folder, 'store.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

async function expectRefused(file: string, code: string, ...says: readonly string[]): Promise<void> {
  const error: unknown = await openSqliteStore(file, { busyTimeoutMs: 50 }).catch((refusal: unknown) => refusal)
  expect(error).toMatchObject({ name: 'CallgateError', code })
  for (const text of [file, ...says]) expect((error as Error).message).toContain(text)
}

/** Makes a whole store in a process of its own, so that nothing here holds it. */
async function makeStore(): Promise<void> {
  expect(await startChild('open', path).ended).toBe(0)
}

function change(sql: string): void {
  const db = new Database(path)
  db.exec(sql)
  db.close()
}

test('a new store has mode 0600, in folders of mode 0700', async () => {
  const file = join(folder, 'state', 'callgate', 'store.db')
  const store = await openSqliteStore(file)
  await store.marks.add({ principal: 'p', session: 's' }, [{ gate: 'g', at: 1 }], 'soon')
  for (const each of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(each).mode & 0o777).toBe(0o600)
  for (const each of [join(folder, 'state'), join(folder, 'state', 'callgate')]) expect(statSync(each).mode & 0o777).toBe(0o700)
  await store.close()
})

test('a store that others may read is closed to them when it is opened', async () => {
  writeFileSync(path, '', { mode: 0o644 })
  chmodSync(path, 0o664)
  await (await openSqliteStore(path)).close()
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test.each(['no database at all', 'SQLite format 3\0 or so', 'x'.repeat(100_000)])('a file that is no database is refused and left as it was', async (content) => {
  writeFileSync(path, content)
  await expectRefused(path, 'store_invalid', 'is not a database', 'Name another file')
  expect(readFileSync(path, 'utf8')).toBe(content)
})

test('a folder in its place is refused', async () => {
  mkdirSync(path)
  await expectRefused(path, 'store_invalid', 'is a folder', 'Name a file')
})

test('a device is refused', () => expectRefused('/dev/full', 'store_invalid', 'is no file'))

test('a file in the place of its folder is refused', async () => {
  writeFileSync(join(folder, 'file'), '')
  await expectRefused(join(folder, 'file', 'store.db'), 'store_invalid', 'below something that is no folder')
  await expectRefused(join(folder, 'file', 'sub', 'store.db'), 'store_invalid', 'below something that is no folder')
})

test('a link to nothing is refused', async () => {
  symlinkSync(join(folder, 'nowhere'), path)
  await expectRefused(path, 'store_unavailable')
})

test('a folder that cannot be made is refused', () => expectRefused('/proc/callgate/store.db', 'store_unavailable'))

test('a name that is no file is refused', async () => {
  for (const name of ['', ':memory:']) await expect(openSqliteStore(name)).rejects.toMatchObject({ code: 'invalid_option' })
  await expect(openSqliteStore(`${path}\0`)).rejects.toMatchObject({ code: 'store_unavailable' })
})

test('a database of another program is refused and left as it was', async () => {
  change('CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)')
  const before = readFileSync(path)
  await expectRefused(path, 'store_invalid', 'of another program', 'Name another file')
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(existsSync(`${path}-wal`)).toBe(false)
})

test('a store of a newer release is refused', async () => {
  await makeStore()
  change('UPDATE meta SET version = 99')
  await expectRefused(path, 'store_invalid', 'the layout 99 of a newer callgate', 'Update callgate')
})

test.each([0, -1])('a store with the layout %i, which nobody wrote, is refused', async (version) => {
  await makeStore()
  change(`UPDATE meta SET version = ${version}`)
  await expectRefused(path, 'store_invalid', `the layout ${version}, which no callgate has written`, 'restore it')
})

test('a store that was cut short is refused', async () => {
  await makeStore()
  truncateSync(path, 5_000)
  await expectRefused(path, 'store_invalid', 'damaged or cut short', 'Restore it')
})

test('a store whose tables are gone is refused', async () => {
  await makeStore()
  change('DELETE FROM meta')
  await expectRefused(path, 'store_invalid')
})

test('a store that was damaged within refuses what it cannot read', async () => {
  await makeStore()
  change(`INSERT INTO holds (id, binding, status, data) VALUES ('"h1"', '"b"', 'approved', '{"id":'), ('"h2"', '"b"', 'approved', 'null')`)
  const store = await openSqliteStore(path)
  for (const id of ['h1', 'h2']) await expect(store.holds.get(id)).rejects.toMatchObject({ code: 'store_invalid', message: expect.stringContaining(path) })
  await store.close()
})

test.each([
  ['a key that is no JSON string', `INSERT INTO marks (principal, session, gate, key, at) VALUES ('"p"', '"s"', '"g"', '7', 1)`],
  ['a gate that is no JSON', `INSERT INTO marks (principal, session, gate, key, at) VALUES ('"p"', '"s"', 'g', '', 1)`],
  ['a time that is text', `INSERT INTO marks (principal, session, gate, key, at) VALUES ('"p"', '"s"', '"g"', '', 'now')`],
  ['an expiry that is text', `INSERT INTO marks (principal, session, gate, key, at, expires_at) VALUES ('"p"', '"s"', '"g"', '', 1, 'never')`],
  ['uses that are text', `INSERT INTO marks (principal, session, gate, key, at, uses) VALUES ('"p"', '"s"', '"g"', '', 1, 'many')`],
])('a mark in the file with %s is refused wherever it is read', async (_what, sql) => {
  await makeStore()
  change(sql)
  const store = await openSqliteStore(path)
  const scope = { principal: 'p', session: 's' }
  const refusal = { code: 'store_invalid', message: expect.stringContaining(path) }
  await expect(store.marks.list(scope)).rejects.toMatchObject(refusal)
  await store.close()
})

test.each([
  ['a charge at a time that is text', `INSERT INTO charges VALUES ('"p"', '"s"', '"l"', 'now', '1')`],
  ['a streak that is no JSON', `INSERT INTO streaks VALUES ('"p"', '"s"', 'a', 1)`],
])('with %s in the file no claim is met', async (_what, sql) => {
  await makeStore()
  change(sql)
  const store = await openSqliteStore(path)
  const claim = { at: 1, needs: [], clears: [], charges: [{ limit: 'l', sum: { amount: '1', max: '9' } }], repeat: { digest: 'a', max: 9 } }
  await expect(store.marks.claim({ principal: 'p', session: 's' }, claim, [])).rejects.toMatchObject({ code: 'store_invalid', message: expect.stringContaining(path) })
  expect((await store.record.head()).seq).toBe(0)
  await store.close()
})

const token = { id: 'k1', name: 'Ada', roles: ['ops'], tokenHash: 'a', createdAt: 5 }

test.each<readonly [string, unknown]>([
  ['null', null], ['a text', 'Ada'], ['a list', [token]], ['without a name', { ...token, name: undefined }], ['with an id that is no text', { ...token, id: 1 }],
  ['without roles', { ...token, roles: undefined }], ['with roles as one text', { ...token, roles: 'ops' }], ['with a role that is no text', { ...token, roles: ['ops', 7] }],
  ['without a hash', { ...token, tokenHash: undefined }], ['with a time as text', { ...token, createdAt: '5' }], ['with a revocation that is no time', { ...token, revokedAt: null }],
])("an approver's token in the file that is %s is refused wherever it is read", async (_what, data) => {
  await makeStore()
  change(`INSERT INTO approvers (id, token_hash, is_revoked, data) VALUES ('"k1"', '"a"', 0, '${JSON.stringify(data)}')`)
  const store = await openSqliteStore(path)
  const refusal = { code: 'store_invalid', message: expect.stringContaining(path) }
  for (const call of [store.approvers.findByHash('a'), store.approvers.list(), store.approvers.revoke('k1', 9)]) await expect(call).rejects.toMatchObject(refusal)
  await store.close()
})

test("a whole approver's token in the file is read", async () => {
  await makeStore()
  change(`INSERT INTO approvers (id, token_hash, is_revoked, data) VALUES ('"k1"', '"a"', 0, '${JSON.stringify(token)}')`)
  const store = await openSqliteStore(path)
  expect(await store.approvers.findByHash('a')).toEqual(token)
  expect(await store.approvers.revoke('k1', 9)).toBe(true)
  expect(await store.approvers.list()).toEqual([{ ...token, revokedAt: 9 }])
  await store.close()
})

/** Opens the store in a process that is not root. */
async function openAsNobody(file: string): Promise<string> {
  const child = startChild('open', file, { argument: 'as nobody' })
  await child.ended
  return child.lines.join('\n')
}

function giveToNobody(...files: readonly string[]): void {
  if (process.getuid?.() === 0) for (const each of files) chownSync(each, NOBODY, NOBODY)
}

test('a file that is read-only is refused', async () => {
  await makeStore()
  giveToNobody(folder, path)
  expect(await openAsNobody(path)).toBe('opened')
  chmodSync(path, 0o400)
  expect(await openAsNobody(path)).toMatch(/^store_unavailable: .*store\.db may not be read and written by this user/)
})

test('a folder that is read-only is refused, with and without the file in it', async () => {
  giveToNobody(folder)
  chmodSync(folder, 0o500)
  expect(await openAsNobody(path)).toMatch(/^store_unavailable: .*store\.db may not be read and written by this user/)
  chmodSync(folder, 0o700)
  expect(await openAsNobody(path)).toBe('opened')
  chmodSync(folder, 0o500)
  expect(await openAsNobody(path)).toMatch(/^store_unavailable: .*store\.db may not be read and written by this user/)
  chmodSync(folder, 0o700)
})
