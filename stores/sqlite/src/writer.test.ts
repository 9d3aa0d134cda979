import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createChainVerifier } from '@callgate/core'
import type { EntryDraft, HoldDraft, Store } from '@callgate/core'
import { connect } from './connect.ts'
import { openSqliteStore } from './open-sqlite-store.ts'
import { createWriter } from './writer.ts'

let folder: string
let path: string
let store: Store
let other: InstanceType<typeof Database>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-writer-'))
  path = join(folder, 'store.db')
  store = await openSqliteStore(path, { busyTimeoutMs: 30 })
  other = new Database(path, { timeout: 30 })
})
afterEach(async () => {
  other.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

const entry = (n: number): EntryDraft => ({ kind: 'decision', at: n, principal: 'p', session: 's', call: `c${n}`, data: { n } })
const hold: HoldDraft & { readonly id: string } = {
  id: 'h1', binding: 'b', principal: 'p', session: 's', tool: 't', args: '{}', question: '?', createdAt: 1, expiresAt: 9,
}
const inFile = (): number => (other.prepare('SELECT count(*) AS n FROM entries').get() as { n: number }).n
const numbers = async (): Promise<unknown[]> => (await store.record.read(0, 1_000)).map(({ data }) => data['n'])

test('what arrives together shares one transaction: one that fails keeps nothing of the others', async () => {
  other.exec("CREATE TRIGGER planted BEFORE INSERT ON entries WHEN new.seq = 3 BEGIN SELECT RAISE(ABORT, 'planted'); END")
  const all = await Promise.allSettled([store.holds.open(hold, () => [entry(1)]), store.record.append([entry(2)], 'now'), store.record.append([entry(3)], 'now')])
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(all[0]).toMatchObject({ reason: { code: 'store_unavailable', message: expect.stringContaining('planted') } })
  expect(await numbers()).toEqual([])
  expect(await store.holds.get('h1')).toBeUndefined()
  other.exec('DROP TRIGGER planted')
  await store.record.append([entry(4)], 'now')
  expect(await numbers()).toEqual([4])
})

test('work that is refused by what it reads leaves the rest of its transaction alone', async () => {
  const all = await Promise.allSettled([
    store.record.append([entry(1)], 'now'),
    store.holds.apply('h9', { kind: 'expire', at: 9 }, [entry(9)]),
    store.holds.open(hold, () => [entry(2)]),
  ])
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(all[1]).toMatchObject({ reason: { code: 'unknown_hold' } })
  expect(await numbers()).toEqual([1, 2])
})

test('where SQLite gives up a whole transaction, nobody in it is told that it went well', async () => {
  const driver = await connect(path, 'FULL', { busyTimeoutMs: 30, mustExist: false })
  const writer = createWriter(driver)
  const add = (gate: string) => () => ({ value: gate, write: () => driver.run('INSERT INTO marks (principal, session, gate, key, at) VALUES (?, ?, ?, ?, 1)', 'p', 's', gate, '') })
  const givesUp = (): never => {
    driver.run('ROLLBACK')
    throw new Error('planted')
  }
  const all = await Promise.allSettled([writer.durably(add('before')), writer.durably(givesUp), writer.durably(add('after'))])
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(driver.all('SELECT * FROM marks')).toEqual([])
  expect(await writer.durably(add('later'))).toBe('later')
  writer.close()
  driver.close()
})

test('an entry is in the file once its append resolved', async () => {
  await store.record.append([entry(1)], 'now')
  expect(inFile()).toBe(1)
})

test('an entry that may follow soon follows by itself', async () => {
  await store.record.append([entry(1)], 'soon')
  expect(inFile()).toBe(0)
  await expect.poll(inFile, { interval: 5, timeout: 2_000 }).toBe(1)
})

test('while another process writes, an append is refused within its time, and named', async () => {
  other.exec('BEGIN IMMEDIATE')
  await expect(store.record.append([entry(1)], 'now')).rejects.toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('is locked by another process') })
  await expect(store.marks.add({ principal: 'p', session: 's' }, [{ gate: 'g', at: 1 }], 'soon')).rejects.toMatchObject({ code: 'store_unavailable' })
  await expect(store.holds.open(hold, () => [entry(2)])).rejects.toMatchObject({ code: 'store_unavailable' })
  other.exec('ROLLBACK')
  expect(await numbers()).toEqual([])
  await store.record.append([entry(3)], 'now')
  expect(await numbers()).toEqual([3])
})

test('entries that could not follow are kept, stand first in the next transaction, and a flush says what kept them', async () => {
  other.exec('BEGIN IMMEDIATE')
  await store.record.append([entry(1)], 'soon')
  await expect(store.record.flush()).rejects.toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('locked') })
  await expect(store.record.append([entry(9)], 'now')).rejects.toMatchObject({ code: 'store_unavailable' })
  await store.record.append([entry(2)], 'soon')
  other.exec('ROLLBACK')
  await store.record.append([entry(3)], 'now')
  expect(await numbers()).toEqual([1, 2, 3])
  await store.record.flush()
})

test('entries that could not follow are tried again by themselves', async () => {
  other.exec('BEGIN IMMEDIATE')
  await store.record.append([entry(1)], 'soon')
  await expect(store.record.flush()).rejects.toThrow('locked')
  other.exec('ROLLBACK')
  await expect.poll(inFile, { interval: 20, timeout: 5_000 }).toBe(1)
})

test('a close that leaves entries unwritten says so, and rejects who waits', async () => {
  other.exec('BEGIN IMMEDIATE')
  await store.record.append([entry(1)], 'soon')
  const waiting = store.record.append([entry(2)], 'now')
  const [closed, waited] = await Promise.allSettled([store.close(), waiting])
  expect(closed).toMatchObject({ status: 'rejected', reason: { code: 'store_unavailable', message: expect.stringContaining('unwritten') } })
  expect(waited).toMatchObject({ status: 'rejected', reason: { code: 'store_unavailable' } })
  other.exec('ROLLBACK')
})

test('a close makes durable what was accepted', async () => {
  await store.record.append([entry(1)], 'soon')
  const waiting = store.record.append([entry(2)], 'now')
  await store.close()
  await waiting
  expect(inFile()).toBe(2)
})

test('ten thousand writes may wait: one more writes them, and is refused where that fails', async () => {
  const soon = (): Promise<PromiseSettledResult<void>[]> => Promise.allSettled(Array.from({ length: 10_001 }, (_, n) => store.record.append([entry(n)], 'soon')))
  expect((await soon()).every(({ status }) => status === 'fulfilled')).toBe(true)
  expect(inFile()).toBe(10_000)
  await store.record.flush()
  other.exec('BEGIN IMMEDIATE')
  const outcomes = await soon()
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10_000)
  expect(outcomes.at(-1)).toMatchObject({ reason: { code: 'store_unavailable', message: expect.stringContaining('writes waiting') } })
  other.exec('ROLLBACK')
  await store.record.flush()
  expect((await store.record.head()).seq).toBe(20_001)
})

const bad: EntryDraft = { ...entry(1), data: { n: Number.NaN } }

test('an entry that is no exact JSON is refused at once where it is awaited', async () => {
  await expect(store.record.append([entry(0), bad], 'now')).rejects.toMatchObject({ code: 'store_invalid' })
  await expect(store.holds.open(hold, () => [bad])).rejects.toMatchObject({ code: 'store_invalid' })
  await store.record.flush()
  expect(await numbers()).toEqual([])
})

test('an entry that is no exact JSON and should follow soon is told of by a flush that succeeds, not by one that fails for another reason', async () => {
  other.exec('BEGIN IMMEDIATE')
  await store.record.append([bad], 'soon')
  await store.record.append([entry(2)], 'soon')
  await expect(store.record.flush()).rejects.toMatchObject({ code: 'store_unavailable' })
  other.exec('ROLLBACK')
  await expect(store.record.flush()).rejects.toMatchObject({ code: 'store_invalid' })
  await store.record.flush()
  expect(await numbers()).toEqual([2])
})

test('an entry that should follow soon and is refused within the transaction of others does not reject them', async () => {
  await store.record.append([bad], 'soon')
  const all = await Promise.allSettled([store.record.append([entry(1)], 'now'), store.holds.open(hold, () => [entry(2)])])
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  await expect(store.record.flush()).rejects.toMatchObject({ code: 'store_invalid' })
  expect(await numbers()).toEqual([1, 2])
})

test('the record in the file cannot be changed by a plain statement', async () => {
  await store.record.append([entry(1)], 'now')
  expect(() => other.exec("UPDATE entries SET text = '{}'")).toThrow('append-only')
  expect(() => other.exec('DELETE FROM entries')).toThrow('append-only')
})

const tampering = [
  ['a changed entry', "UPDATE entries SET text = replace(text, '\"n\":2', '\"n\":7') WHERE seq = 2", 2, 'hash'],
  ['a removed entry', 'DELETE FROM entries WHERE seq = 2', 2, 'missing'],
  ['a changed hash', "UPDATE entries SET hash = 'x' WHERE seq = 3", 3, 'head'],
] as const

test.each(tampering)('%s is named by the verification', async (_name, sql, seq, why) => {
  await store.record.append([entry(1), entry(2), entry(3)], 'now')
  other.exec(`DROP TRIGGER entries_never_change; DROP TRIGGER entries_never_go; ${sql}`)
  const verifier = createChainVerifier()
  for (const each of await store.record.read(0, 10)) verifier.add(each)
  expect(verifier.end(await store.record.head())).toMatchObject({ ok: false, firstBad: { seq, why: expect.stringContaining(why) } })
})

test.each([["'no JSON'", 'no JSON object'], [`'{"seq":1}'`, 'under the number 1']])('an entry that cannot be read (%s) is named, after those before it', async (text, why) => {
  await store.record.append([entry(1), entry(2), entry(3)], 'now')
  other.exec(`DROP TRIGGER entries_never_change; UPDATE entries SET text = ${text} WHERE seq = 2`)
  expect(await numbers()).toEqual([1])
  await expect(store.record.read(1, 10)).rejects.toMatchObject({ code: 'store_invalid', message: expect.stringContaining(`entry 2 of the record`) })
  await expect(store.record.read(1, 10)).rejects.toThrow(why)
})
