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
  ['keeps one mark a gate', 'marks: the marks of a gate add up', (store) => ({
    ...store,
    marks: { ...store.marks, add: (scope, marks, when) => store.marks.add(scope, marks.map(({ key: _key, ...mark }) => mark), when) },
  })],
  ['is silent about what it replaced', 'marks: adding resolves with what was replaced', (store) => ({
    ...store,
    marks: { ...store.marks, add: async (scope, marks, when) => (await store.marks.add(scope, marks, when)).slice(1) },
  })],
  ['lists what nobody named', 'marks: a list names gates and keys', (store) => ({
    ...store,
    marks: { ...store.marks, list: (scope, queries) => store.marks.list(scope, queries?.map(({ gate }) => ({ gate }))) },
  })],
  ['judges first and takes later', 'claims: of eight claims', (store) => ({
    ...store,
    marks: {
      ...store.marks,
      claim: async (scope, claim, entries) => {
        const marks = await store.marks.list(scope)
        if (!claim.needs.every(({ gate }) => marks.some((mark) => mark.gate === gate))) return { kind: 'short', of: 'needs', index: 0 }
        await store.marks.claim(scope, claim, [])
        await store.record.append(entries, 'now')
        return { kind: 'claimed' }
      },
    },
  })],
  ['records claims that were not met', 'claims: a claim and its entries are one step', (store) => ({
    ...store,
    marks: {
      ...store.marks,
      claim: async (scope, claim, entries) => {
        await store.record.append(entries, 'now')
        return store.marks.claim(scope, claim, [])
      },
    },
  })],
  ['clears before it knows', 'claims: what a call clears', (store) => ({
    ...store,
    marks: {
      ...store.marks,
      claim: async (scope, claim, entries) => {
        await store.marks.claim(scope, { ...claim, needs: [], charges: [] }, [])
        return store.marks.claim(scope, claim, entries)
      },
    },
  })],
  ['uses a hold without what the call needs', 'claims: a hold is used and what the call needs is taken', (store) => ({
    ...store,
    holds: { ...store.holds, apply: (id, event, entries) => store.holds.apply(id, event, entries) },
  })],
  ['takes what the call needs without the hold', 'claims: a hold is used and what the call needs is taken', (store) => ({
    ...store,
    holds: {
      ...store.holds,
      apply: async (id, event, entries, take) => {
        const taken = take === undefined ? undefined : await store.marks.claim(take.scope, take.claim, [])
        const applied = await store.holds.apply(id, event, entries)
        return taken?.kind === 'short' ? { kind: 'refused', hold: applied.hold, why: 'short', short: taken } : applied
      },
    },
  })],
  ['charges what was refused', 'limits: a claim that is short of one limit', (store) => ({
    ...store,
    marks: {
      ...store.marks,
      claim: async (scope, claim, entries) => {
        const results = []
        for (const one of claim.charges) results.push(await store.marks.claim(scope, { ...claim, needs: [], charges: [one] }, []))
        const index = results.findIndex(({ kind }) => kind === 'short')
        return index < 0 ? store.marks.claim(scope, { ...claim, charges: [] }, entries) : { kind: 'short', of: 'charges', index }
      },
    },
  })],
  ['charges what it was only to look at', 'limits: a look at a claim', (store) => ({
    ...store,
    marks: { ...store.marks, peek: (scope, claim) => store.marks.claim(scope, claim, []) },
  })],
  ['sees no limit when it looks', 'limits: a look at a claim', (store) => ({
    ...store,
    marks: { ...store.marks, peek: (scope, claim) => store.marks.peek(scope, { ...claim, charges: [] }) },
  })],
  ['counts on whatever was marked', 'repeats: a mark that is new', (store) => ({
    ...store,
    marks: { ...store.marks, add: async (scope, marks) => (marks.length > 0 ? [] : store.marks.list(scope)) },
  })],
  ['forgets marks alone', 'reset: marks, charges and the streak', (store) => ({
    ...store,
    marks: { ...store.marks, reset: async (scope) => void (await store.marks.claim(scope, { at: 1, needs: [], clears: (await store.marks.list(scope)).map(({ gate }) => ({ gate })), charges: [] }, [])) },
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
  const memory = memoryStore()
  const store: Store = { ...memory, marks: { ...memory.marks, list: async () => [{ gate: 'g', at: 1 }] } }
  const claims = storeContract(async () => ({ store, dispose: async () => void (disposed += 1) }))
  await expect(claims[0]?.run()).rejects.toThrow('expected')
  expect(disposed).toBe(1)
})
