import { Candidate } from '../model/candidate.ts'
import { canonicalJson } from '../model/canonical.ts'
import type { JsonObject } from '../model/json-value.ts'
import { createChainVerifier } from '../record/chain-verifier.ts'
import { GENESIS } from '../record/seal-entry.ts'
import type { Store } from '../ports/store.ts'
import { assertRejects, assertSame, numbersIn, someEntry } from './store-claims.ts'
import type { StoreCheck } from './store-claims.ts'

/** What every store promises of the record (contract 11). */
export const recordContract: readonly StoreCheck[] = [
  {
    name: 'record: it begins empty',
    async check({ store }) {
      assertSame(await store.record.head(), GENESIS, 'the head')
      assertSame(await store.record.read(0, 10), [], 'the entries')
      await store.record.append([], 'now')
      await store.record.append([], 'soon')
      await store.record.flush()
      assertSame(await store.record.head(), GENESIS, 'the head after nothing was appended')
    },
  },
  {
    name: 'record: entries are numbered from 1 and chained, and the head is the last one',
    async check({ store }) {
      await store.record.append([someEntry(1), someEntry(2)], 'now')
      await store.record.append([someEntry(3, { kind: 'outcome', principal: 'bob' })], 'now')
      const entries = await store.record.read(0, 10)
      assertSame(entries.map(({ seq }) => seq), [1, 2, 3], 'the sequence')
      assertSame(entries.map(({ prev }) => prev), [GENESIS.hash, entries[0]?.hash, entries[1]?.hash], 'the hashes before')
      assertSame(await store.record.head(), { seq: 3, hash: entries[2]?.hash }, 'the head')
      assertSame([entries[2]?.kind, entries[2]?.principal, entries[2]?.call, entries[2]?.at], ['outcome', 'bob', 'c3', 1_003], 'the last entry')
      await assertVerifies(store, 3)
    },
  },
  {
    name: 'record: what an entry says is read back exactly',
    async check({ store }) {
      const data = Candidate.ofWire(awkward).fields['arguments'] as JsonObject
      await store.record.append([someEntry(1, { data, principal: 'Ünï\u0000 \u202e 🚪', session: '__proto__' })], 'now')
      const entries = await store.record.read(0, 1)
      assertSame(entries.map((entry) => canonicalJson(entry.data)), [canonicalJson(data)], 'the data')
      assertSame(entries.map(({ principal, session }) => [principal, session]), [['Ünï\u0000 \u202e 🚪', '__proto__']], 'the names')
      await assertVerifies(store, 1)
    },
  },
  {
    name: 'record: what happens to a draft after it was handed over does not reach the entry',
    async check({ store }) {
      const data = { n: 1 }
      const appended = store.record.append([someEntry(1, { data })], 'now')
      await appended
      data.n = 2
      assertSame(await numbersIn(store), [1], 'the record')
      await assertVerifies(store, 1)
    },
  },
  {
    name: 'record: it is read in pages',
    async check({ store }) {
      await store.record.append(Array.from({ length: 7 }, (_, n) => someEntry(n)), 'now')
      const page = async (after: number, limit: number): Promise<readonly number[]> => (await store.record.read(after, limit)).map(({ seq }) => seq)
      assertSame(await page(0, 3), [1, 2, 3], 'the first page')
      assertSame(await page(3, 3), [4, 5, 6], 'the second page')
      assertSame(await page(6, 3), [7], 'the last page')
      assertSame(await page(7, 3), [], 'beyond the end')
      assertSame(await page(0, 0), [], 'no room')
    },
  },
  {
    name: 'record: what was appended soon stands before what was appended now, and after a flush in any case',
    async check({ store }) {
      await store.record.append([someEntry(1)], 'soon')
      await store.record.append([someEntry(2), someEntry(3)], 'soon')
      await store.record.append([someEntry(4)], 'now')
      assertSame(await numbersIn(store), [1, 2, 3, 4], 'after an entry that was awaited')
      await store.record.append([someEntry(5)], 'soon')
      await store.record.flush()
      assertSame(await numbersIn(store), [1, 2, 3, 4, 5], 'after a flush')
      await assertVerifies(store, 5)
    },
  },
  {
    name: 'record: an append that is awaited and holds what is no exact JSON is refused whole',
    async check({ store }) {
      await store.record.append([someEntry(1)], 'soon')
      await assertRejects(store.record.append([someEntry(8), inexact, someEntry(9)], 'now'), 'store_invalid', 'appending')
      await store.record.append([someEntry(2)], 'now')
      await store.record.flush()
      assertSame(await numbersIn(store), [1, 2], 'the record')
      await assertVerifies(store, 2)
    },
  },
  {
    name: 'record: what is appended soon and is no exact JSON is left out whole, the others stand, and the next flush says so, once',
    async check({ store }) {
      await store.record.append([someEntry(1)], 'soon')
      await store.record.append([someEntry(7), inexact, someEntry(8)], 'soon')
      await store.record.append([inexact], 'soon')
      await store.record.append([someEntry(2)], 'soon')
      await store.record.append([someEntry(3)], 'now')
      assertSame(await numbersIn(store), [1, 2, 3], 'the record after an append that was awaited')
      await store.record.append([someEntry(4)], 'soon')
      await assertRejects(store.record.flush(), 'store_invalid', 'the flush after it')
      assertSame(await numbersIn(store), [1, 2, 3, 4], 'the record after the flush')
      await store.record.flush()
      await assertVerifies(store, 4)
    },
  },
  {
    name: 'record: where nobody flushed, the close says what was left out, and closes',
    async check({ store, reopen }) {
      await store.record.append([inexact], 'soon')
      await store.record.append([someEntry(1)], 'soon')
      await assertRejects(store.close(), 'store_invalid', 'the close')
      await assertRejects(store.record.head(), 'store_unavailable', 'a call after it')
      await store.close()
      if (reopen !== undefined) assertSame(await numbersIn(await reopen()), [1], 'the record after the return')
    },
  },
  {
    name: 'record: entries that are appended together stand together',
    async check({ store }) {
      const groups = Array.from({ length: 20 }, (_, n) => [someEntry(n * 2), someEntry(n * 2 + 1)])
      await Promise.all(groups.map((group, n) => store.record.append(group, n % 3 === 0 ? 'soon' : 'now')))
      await store.record.flush()
      const numbers = await numbersIn(store)
      assertSame(numbers, Array.from({ length: 40 }, (_, n) => n), 'the record')
      await assertVerifies(store, 40)
    },
  },
  {
    name: 'record: a hundred appends at the same time make one unbroken chain',
    async check({ store }) {
      await Promise.all(Array.from({ length: 100 }, (_, n) => store.record.append([someEntry(n)], 'now')))
      assertSame(new Set(await numbersIn(store)).size, 100, 'how many different entries there are')
      await assertVerifies(store, 100)
    },
  },
]

/** Reads the whole record and verifies it to its head. */
export async function assertVerifies(store: Store, entries: number): Promise<void> {
  const verifier = createChainVerifier()
  for (const entry of await store.record.read(0, 10_000)) verifier.add(entry)
  assertSame(verifier.end(await store.record.head()), { ok: true, entries, anchored: false }, 'the verification')
}

const inexact = someEntry(0, { data: { n: Number.NaN } })

const awkward = `{"big":9007199254740993,"negative":-123456789012345678901234567890,"text":"1.00000000000000000000001",
 "wire":1.00000000000000000000001,"tiny":5e-324,"huge":1e300,"long":1e21,"zero":-0.0,"fraction":0.1,"__proto__":{"toString":null},
 "empty":{},"list":[[],[true,false,null,"\\u0000\\u202e\\ud83d\\udeaa"]],"":"","\\"":"\\\\"}`
