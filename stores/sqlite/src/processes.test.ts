import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createChainVerifier } from '@callgate/core'
import type { ChainReport, HoldDraft, Store } from '@callgate/core'
import { openSqliteStore } from './open-sqlite-store.ts'
import { bundleChild } from './run-child.fixture.ts'
import type { StartChild, StoreChild } from './run-child.fixture.ts'

let bundle: string
let folder: string
let path: string
let startChild: StartChild
const children: StoreChild[] = []

beforeAll(async () => {
  bundle = mkdtempSync(join(tmpdir(), 'callgate-child-'))
  startChild = await bundleChild(bundle)
})
afterAll(() => rmSync(bundle, { recursive: true }))
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-processes-'))
  path = join(folder, 'store.db')
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.process.kill('SIGKILL')
    await child.ended
  }
  rmSync(folder, { recursive: true })
})

const start: StartChild = (command, file, options) => {
  const child = startChild(command, file, options)
  children.push(child)
  return child
}

const hold: HoldDraft & { readonly id: string } = {
  id: 'h1', binding: 'b', principal: 'ada', session: 's', tool: 'move', args: '{}', question: 'Move it?', createdAt: 1_000, expiresAt: 2_000,
}

async function verify(store: Store): Promise<ChainReport> {
  const verifier = createChainVerifier()
  for (const entry of await store.record.read(0, 100_000)) verifier.add(entry)
  return verifier.end(await store.record.head())
}

test('two processes that append 500 entries each make one chain of 1,000', async () => {
  const both = ['a', 'b'].map((argument) => start('append', path, { argument }))
  await Promise.all(both.map((child) => child.line('ready')))
  for (const child of both) child.go()
  expect(await Promise.all(both.map((child) => child.ended))).toEqual([0, 0])

  const store = await openSqliteStore(path)
  expect(await verify(store)).toEqual({ ok: true, entries: 1_000, anchored: false })
  const entries = await store.record.read(0, 1_000)
  for (const name of ['a', 'b']) {
    const numbers = entries.filter(({ session }) => session === name).map(({ data }) => data['n'])
    expect(numbers).toEqual(Array.from({ length: 500 }, (_, n) => n))
  }
  await store.close()
}, 60_000)

test('of eight processes that claim one approval one is granted', async () => {
  const store = await openSqliteStore(path)
  await store.holds.open(hold, () => [])
  await store.holds.apply('h1', { kind: 'answer', answer: { verdict: 'approve', approver: 'ada', at: 1_100 } })
  const eight = Array.from({ length: 8 }, (_, n) => start('claim', path, { argument: `p${n}` }))
  await Promise.all(eight.map((child) => child.line('ready')))
  for (const child of eight) child.go()
  expect(await Promise.all(eight.map((child) => child.ended))).toEqual(Array.from({ length: 8 }, () => 0))

  const granted = eight.flatMap((child, n) => (child.lines.includes('moved') ? [`p${n}`] : []))
  expect(granted).toHaveLength(1)
  expect((await store.holds.get('h1'))?.claim?.owner).toBe(granted[0])
  expect((await store.record.read(0, 10)).map(({ session }) => session)).toEqual(granted)
  await store.close()
}, 60_000)

test.each([[1, 1], [50, 50], [80, 60]])('two processes that race for a mark with %i uses and a limit of 60 calls are served %i times', async (uses, served) => {
  const store = await openSqliteStore(path)
  await store.marks.add({ principal: 'ada', session: 's' }, [{ gate: 'g', at: 1, uses }], 'soon')
  const both = ['p0', 'p1'].map((argument) => start('take', path, { argument }))
  await Promise.all(both.map((child) => child.line('ready')))
  for (const child of both) child.go()
  expect(await Promise.all(both.map((child) => child.ended))).toEqual([0, 0])

  expect(both.flatMap(({ lines }) => lines.filter((line) => line === 'claimed'))).toHaveLength(served)
  expect(await verify(store)).toMatchObject({ ok: true, entries: served })
  expect(await store.marks.list({ principal: 'ada', session: 's' })).toEqual(uses === served ? [] : [{ gate: 'g', at: 1, uses: uses - served }])
  await store.close()
}, 60_000)

test('eight processes may make the same new store at once', async () => {
  const eight = Array.from({ length: 8 }, (_, n) => start('append', path, { argument: `p${n}` }))
  await Promise.all(eight.map((child) => child.line('ready')))
  const store = await openSqliteStore(path)
  expect((await store.record.head()).seq).toBe(0)
  await store.close()
}, 60_000)

test('a mark that one process added is seen by another', async () => {
  const [one, other] = [await openSqliteStore(path), await openSqliteStore(path)]
  const scope = { principal: 'ada', session: 's' }
  await one.marks.add(scope, [{ gate: 'g', at: 1 }], 'soon')
  expect(await other.marks.list(scope)).toEqual([{ gate: 'g', at: 1 }])
  await other.marks.reset(scope)
  expect(await one.marks.list(scope)).toEqual([])
  await one.close()
  await other.close()
})

test('a process that is killed while it appends leaves an unbroken chain with every entry that it had awaited', async () => {
  for (const _round of [1, 2, 3]) {
    const child = start('appendForever', path, { argument: 'a' })
    await child.line('ready')
    child.go()
    await child.line('durable 40')
    child.process.kill('SIGKILL')
    await child.ended

    const store = await openSqliteStore(path)
    const report = await verify(store)
    expect(report).toMatchObject({ ok: true, anchored: false })
    const last = Number(child.lines.findLast((line) => /^durable \d+$/.test(line))?.split(' ')[1])
    const numbers = (await store.record.read(0, 100_000)).map(({ data }) => data['n'])
    expect(numbers).toContain(last)
    await store.close()
  }
}, 60_000)

test('a store that another process holds is named as locked, and opens once it is free', async () => {
  expect(await start('open', path).ended).toBe(0)
  const child = start('lock', path)
  await child.line('ready')
  const begun = performance.now()
  await expect(openSqliteStore(path, { busyTimeoutMs: 100 })).rejects.toMatchObject({
    code: 'store_unavailable', message: expect.stringContaining(`${path} is locked by another process`),
  })
  expect(performance.now() - begun).toBeLessThan(5_000)
  child.go()
  await child.ended
  const store = await openSqliteStore(path, { busyTimeoutMs: 100 })
  await store.record.append([{ kind: 'mark', at: 1, principal: 'p', session: 's', call: 'c', data: {} }], 'now')
  await store.close()
}, 60_000)

test('a full disk refuses the entry, keeps those before it, and is named', async () => {
  const child = start('fill', path, { maxFileKiB: 300 })
  expect(await child.ended).toBe(1)
  const last = child.lines.at(-1) ?? ''
  expect(last).toContain('store_unavailable')
  expect(last).toContain(path)
  const durable = child.lines.filter((line) => line.startsWith('durable')).length
  expect(durable).toBeGreaterThan(5)

  const store = await openSqliteStore(path)
  expect(await verify(store)).toMatchObject({ ok: true, entries: durable })
  await store.close()
}, 60_000)
