import { expect, test } from 'vitest'
import { memoryStore } from '../local/memory-store.ts'
import type { Store } from '../ports/store.ts'
import { storeContract } from './store-contract.ts'

const fresh = async (): Promise<{ store: Store; dispose(): Promise<void> }> => {
  const store = memoryStore()
  return { store, dispose: () => store.close() }
}

for (const claim of storeContract(fresh)) test(`the memory store keeps: ${claim.name}`, () => claim.run())

// Each broken store must be caught by a claim whose name begins so.
const broken: readonly (readonly [string, string, (store: Store) => Store])[] = [
  ['forgets the principal', 'marks: a session counts', (store) => ({
    ...store,
    marks: { ...store.marks, list: ({ session }) => store.marks.list({ principal: 'ada', session }) },
  })],
  ['grants every claim', 'holds: of fifty claims', (store) => ({
    ...store,
    holds: {
      ...store.holds,
      apply: async (id, event, entries) => ({ kind: 'moved', hold: (await store.holds.apply(id, event, entries)).hold }),
    },
  })],
  ['records what was refused', 'holds: entries go into the record', (store) => ({
    ...store,
    holds: {
      ...store.holds,
      apply: async (id, event, entries = []) => {
        const transition = await store.holds.apply(id, event)
        await store.record.append(entries, 'now')
        return transition
      },
    },
  })],
  ['rounds numbers', 'record: what an entry says', (store) => ({
    ...store,
    record: {
      ...store.record,
      read: async (after, limit) => (await store.record.read(after, limit)).map((entry) => ({ ...entry, data: { big: Number(entry.data['big']) } })),
    },
  })],
  ['drops what should follow soon', 'record: what was appended soon', (store) => ({
    ...store,
    record: { ...store.record, append: async (drafts, when) => (when === 'now' ? store.record.append(drafts, when) : undefined) },
  })],
  ['leaves out in silence what it cannot record', 'record: what is appended soon and is no exact JSON', (store) => ({
    ...store,
    record: { ...store.record, flush: async () => store.record.flush().catch(() => undefined) },
  })],
  ['closes in silence over what it cannot record', 'record: where nobody flushed', (store) => ({
    ...store,
    close: async () => store.close().catch(() => undefined),
  })],
  ['finds revoked tokens', 'approvers: a token is revoked', (store) => ({
    ...store,
    approvers: { ...store.approvers, findByHash: async (hash) => (await store.approvers.list()).find((token) => token.tokenHash === hash) },
  })],
  ['lives on after its close', 'close:', (store) => ({ ...store, close: async () => undefined })],
]

test.each(broken)('a store that %s is caught by "%s…"', async (_name, prefix, spoil) => {
  const claims = storeContract(async () => ({ store: spoil(memoryStore()), dispose: async () => undefined }))
  const claim = claims.find(({ name }) => name.startsWith(prefix))
  await expect(claim?.run()).rejects.toThrow(/expected/)
})

test('a store under test is disposed of also where a claim fails', async () => {
  let disposed = 0
  const store: Store = { ...memoryStore(), marks: { list: async () => [{ gate: 'g', at: 1 }], add: async () => undefined, reset: async () => undefined } }
  const claims = storeContract(async () => ({ store, dispose: async () => void (disposed += 1) }))
  await expect(claims[0]?.run()).rejects.toThrow('expected')
  expect(disposed).toBe(1)
})
