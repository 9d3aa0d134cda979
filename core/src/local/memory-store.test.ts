import { expect, test } from 'vitest'
import type { EntryDraft } from '../record/entry.ts'
import { numbersIn, someEntry, someHold } from '../testing/store-claims.ts'
import { memoryStore } from './memory-store.ts'

test('the record in memory keeps the newest entries, and its chain goes on', async () => {
  const store = memoryStore({ maxEntries: 10 })
  for (let n = 0; n < 12; n += 1) await store.record.append([someEntry(n)], 'now')
  const kept = await store.record.read(0, 100)
  expect(kept.map(({ seq }) => seq)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  expect((await store.record.read(10, 1)).map(({ seq }) => seq)).toEqual([11])
  expect((await store.record.head()).seq).toBe(12)
})

test('of the holds that ended the oldest are dropped; one that waits never is', async () => {
  const store = memoryStore({ maxEndedHolds: 10 })
  await store.holds.open(someHold('waiting'), () => [])
  for (let n = 0; n < 12; n += 1) {
    await store.holds.open(someHold(`h${n}`), () => [])
    await store.holds.apply(`h${n}`, { kind: 'cancel', at: 1_001 })
  }
  const ids = (await store.holds.list({ limit: 100 })).map(({ id }) => id)
  expect(ids).toEqual(['h11', 'h10', 'h9', 'h8', 'h7', 'h6', 'h5', 'h4', 'h3', 'h2', 'waiting'])
  expect(await store.holds.get('h0')).toBeUndefined()
})

test('marks are never dropped: one session too many is refused', async () => {
  const store = memoryStore({ maxSessions: 2 })
  const mark = (session: string): Promise<unknown> => store.marks.add({ principal: 'p', session }, [{ gate: 'g', at: 1 }], 'soon')
  await mark('s1')
  await mark('s2')
  await expect(mark('s3')).rejects.toMatchObject({ code: 'store_unavailable' })
  await mark('s1')
  await store.marks.reset({ principal: 'p', session: 's1' })
  await mark('s3')
  expect(await store.marks.list({ principal: 'p', session: 's2' })).toEqual([{ gate: 'g', at: 1 }])
})

const scope = { principal: 'p', session: 's' }
const claim = { at: 1, needs: [], clears: [], charges: [] }

test('charges and the streak count as a session too, and what a claim clears makes room', async () => {
  const store = memoryStore({ maxSessions: 1 })
  await store.marks.claim(scope, { ...claim, repeat: { digest: 'a', max: 1 } }, [])
  const other = { principal: 'p', session: 'other' }
  await expect(store.marks.claim(other, { ...claim, charges: [{ limit: 'l', calls: 1 }] }, [])).rejects.toMatchObject({ code: 'store_unavailable' })
  await expect(store.marks.add(other, [{ gate: 'g', at: 1 }], 'soon')).rejects.toMatchObject({ code: 'store_unavailable' })
  await store.marks.reset(scope)
  await store.marks.add(other, [{ gate: 'g', at: 1 }], 'soon')
  await store.marks.claim(other, { ...claim, clears: [{ gate: 'g' }] }, [])
  await store.marks.add(scope, [{ gate: 'g', at: 1 }], 'soon')
  expect(await store.marks.list(scope)).toHaveLength(1)
})

test('of one session so many marks are kept: more are refused, all that came with them, until some expire or are cleared', async () => {
  const store = memoryStore({ maxMarks: 3 })
  const marks = ['a', 'b', 'c', 'd', 'e'].map((key) => ({ gate: 'g', at: 1, key, expiresAt: 10 }))
  await store.marks.add(scope, marks.slice(0, 2), 'soon')
  const refusal = { code: 'store_unavailable', message: expect.stringContaining('3 marks of one session') }
  await expect(store.marks.add(scope, marks.slice(2, 4), 'soon')).rejects.toMatchObject(refusal)
  expect(await store.marks.list(scope)).toEqual(marks.slice(0, 2))
  await store.marks.add(scope, [...marks.slice(0, 3), ...marks.slice(0, 3)], 'soon')
  await expect(store.marks.add(scope, marks.slice(3, 4), 'soon')).rejects.toMatchObject(refusal)
  await store.marks.claim(scope, { ...claim, clears: [{ gate: 'g', keys: ['a'] }] }, [])
  await store.marks.add(scope, marks.slice(3, 4), 'soon')
  await store.marks.add(scope, [{ gate: 'g', at: 10, key: 'e' }], 'soon')
  expect(await store.marks.list(scope)).toEqual([{ gate: 'g', at: 10, key: 'e' }])
})

test('of one session so many charges are kept: more are refused until some leave their window', async () => {
  const store = memoryStore({ maxMarks: 2 })
  const pay = (at: number): Promise<unknown> => store.marks.claim(scope, { ...claim, at, charges: [{ limit: 'l', sum: { amount: '0.1', max: '9' }, perMs: 10 }] }, [])
  await pay(1)
  await pay(2)
  await expect(pay(3)).rejects.toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('2 charges of one session') })
  await pay(11)
})

/** A draft that tells how often it was read. */
function watched(n: number): { readonly draft: EntryDraft; readonly reads: number } {
  let reads = 0
  const draft = someEntry(n)
  Object.defineProperty(draft, 'data', { get: () => ({ n, read: (reads += 1) }) })
  return { draft, get reads() { return reads } }
}

test('what was appended soon is read after the answer, once, and by itself', async () => {
  const store = memoryStore()
  const [one, two] = [watched(1), watched(2)]
  for (const each of [one, two]) {
    await store.record.append([each.draft], 'soon')
    expect(each.reads).toBe(0)
    await expect.poll(() => each.reads).toBe(1)
  }
  await store.record.append([someEntry(3)], 'now')
  await store.record.flush()
  expect(await numbersIn(store)).toEqual([1, 2, 3])
  expect([one.reads, two.reads]).toEqual([1, 1])
})

test('what was appended soon stands in the record before the entries of a hold, for who reads and for the head', async () => {
  const store = memoryStore()
  await store.record.append([someEntry(1)], 'soon')
  expect((await store.record.head()).seq).toBe(1)
  await store.record.append([someEntry(2)], 'soon')
  await store.holds.open(someHold('h1'), () => [someEntry(3)])
  await store.record.append([someEntry(4)], 'soon')
  expect(await numbersIn(store)).toEqual([1, 2, 3, 4])
})

test('a thousand appends may wait to be read: one more reads them', async () => {
  const store = memoryStore()
  const one = watched(0)
  const appended = [store.record.append([one.draft], 'soon')]
  for (let n = 1; n < 1_000; n += 1) appended.push(store.record.append([someEntry(n)], 'soon'))
  expect(one.reads).toBe(0)
  appended.push(store.record.append([someEntry(1_000)], 'soon'))
  expect(one.reads).toBe(1)
  await Promise.all(appended)
  expect((await store.record.head()).seq).toBe(1_001)
})

test('an entry that cannot be recorded leaves its hold as it was', async () => {
  const store = memoryStore()
  const bad = someEntry(1, { at: Number.NaN })
  await expect(store.holds.open(someHold('h1'), () => [bad])).rejects.toMatchObject({ code: 'store_invalid' })
  expect(await store.holds.get('h1')).toBeUndefined()
  await store.holds.open(someHold('h2'), () => [])
  await expect(store.holds.apply('h2', { kind: 'cancel', at: 1_001 }, [bad])).rejects.toMatchObject({ code: 'store_invalid' })
  expect((await store.holds.get('h2'))?.status).toBe('pending')
  await expect(store.record.append([someEntry(2), bad], 'now')).rejects.toMatchObject({ code: 'store_invalid' })
  expect((await store.record.head()).seq).toBe(0)
})
