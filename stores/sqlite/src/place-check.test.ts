import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ApproverToken, EntryDraft, HoldDraft, Store } from '@callgate/core'
import { openSqliteStore } from './open-sqlite-store.ts'
import { createPlaceCheck } from './place-check.ts'

let folder: string
let path: string
let store: Store

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-place-'))
  path = join(folder, 'state', 'store.db')
  store = await openSqliteStore(path)
  await store.holds.open(hold, () => [])
  await store.approvers.add(ada)
  await store.marks.add(scope, [{ gate: 'g', at: 1 }], 'now')
})
afterEach(async () => {
  await store.close().catch(() => undefined)
  rmSync(folder, { recursive: true })
})

const scope = { principal: 'p', session: 's' }
const ada: ApproverToken = { id: 'k1', name: 'Ada', roles: [], tokenHash: 'a'.repeat(64), createdAt: 5 }
const entry: EntryDraft = { kind: 'decision', at: 1, principal: 'p', session: 's', call: 'c', data: {} }
const hold: HoldDraft & { readonly id: string } = {
  id: 'h1', binding: 'b', principal: 'p', session: 's', tool: 't', args: '{}', question: '?', createdAt: 1, expiresAt: 9,
}

const calls: Readonly<Record<string, () => Promise<unknown>>> = {
  'a decision of the record': () => store.record.append([entry], 'now'),
  'a mark that must survive a power cut': () => store.marks.add(scope, [{ gate: 'g', at: 2 }], 'now'),
  'a mark': () => store.marks.add(scope, [{ gate: 'g', at: 2 }], 'soon'),
  'a reset of marks': () => store.marks.reset(scope),
  'a list of marks': () => store.marks.list(scope),
  'a new hold': () => store.holds.open({ ...hold, id: 'h2', binding: 'b2' }, () => [entry]),
  'a step of a hold': () => store.holds.apply('h1', { kind: 'expire', at: 10 }, [entry]),
  'a look at a hold': () => store.holds.get('h1'),
  'a list of holds': () => store.holds.list({ limit: 5 }),
  'a new token': () => store.approvers.add({ ...ada, id: 'k2', tokenHash: 'b'.repeat(64) }),
  'a look at a token': () => store.approvers.findByHash(ada.tokenHash),
  'the head of the record': () => store.record.head(),
  'a reading of the record': () => store.record.read(0, 5),
}

function remove(): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
}

const displacements: readonly (readonly [string, string, () => void | Promise<void>])[] = [
  ['removed', 'was removed', remove],
  ['removed with its folder', 'was removed', () => rmSync(join(folder, 'state'), { recursive: true })],
  ['moved away', 'was removed', () => renameSync(path, `${path}.old`)],
  ['covered by a copy of itself', 'was replaced', () => {
    copyFileSync(path, `${path}.copy`)
    renameSync(`${path}.copy`, path)
  }],
  ['replaced by an empty file', 'was replaced', () => {
    remove()
    writeFileSync(path, '')
  }],
  ['replaced by a new store', 'was replaced', async () => {
    remove()
    await (await openSqliteStore(path)).close()
  }],
]

test.each(displacements)('once the file was %s, every call is refused, and says so', async (_how, says, displace) => {
  await displace()
  for (const [name, call] of Object.entries(calls)) {
    const error: unknown = await call().then(() => `${name} went well`, (refusal: unknown) => refusal)
    expect(error).toMatchObject({ code: 'store_unavailable' })
    for (const text of [path, says, 'Put the file back']) expect((error as Error).message).toContain(text)
  }
})

test('every call works while the file stands where it was opened', async () => {
  for (const [name, call] of Object.entries(calls)) await expect(call(), name).resolves.not.toThrow()
})

test('what was taken and could not follow before the file went is told by a flush and a close', async () => {
  await store.record.append([entry], 'soon')
  remove()
  await expect(store.record.flush()).rejects.toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('was removed') })
  await expect(store.close()).rejects.toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('unwritten') })
})

test('a file that is put back is the store again', async () => {
  renameSync(path, `${path}.old`)
  await expect(store.marks.list(scope)).rejects.toMatchObject({ code: 'store_unavailable' })
  renameSync(`${path}.old`, path)
  expect(await store.marks.list(scope)).toEqual([{ gate: 'g', at: 1 }])
  await store.record.append([entry], 'now')
})

test('a link is followed: the file behind it counts', async () => {
  const link = join(folder, 'link.db')
  symlinkSync(path, link)
  const linked = await openSqliteStore(link)
  expect(await linked.marks.list(scope)).toEqual([{ gate: 'g', at: 1 }])
  rmSync(link)
  writeFileSync(join(folder, 'other.db'), '')
  symlinkSync(join(folder, 'other.db'), link)
  await expect(linked.marks.list(scope)).rejects.toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('was replaced') })
  await linked.close()
})

test('a folder in the place of the file is another', () => {
  const file = join(folder, 'plain')
  writeFileSync(file, '')
  const check = createPlaceCheck(file)
  expect(check).not.toThrow()
  renameSync(file, `${file}.old`)
  mkdirSync(file)
  expect(check).toThrow(/^The store .*plain was replaced/)
})
