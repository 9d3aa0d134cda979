import { isCallgateError } from '../model/callgate-error.ts'
import type { ErrorCode } from '../model/callgate-error.ts'
import type { Claim, Mark } from '../gates/ledger.ts'
import type { HoldDraft } from '../holds/hold.ts'
import type { EntryDraft } from '../record/entry.ts'
import type { Store } from '../ports/store.ts'

/** A fresh store under test; `reopen` closes it and opens the same state again, where the store outlives its process. */
export type StoreUnderTest = { readonly store: Store; readonly reopen?: () => Promise<Store>; dispose(): Promise<void> }

/** One claim of the contract, checked against a store that no other claim has touched. */
export type StoreCheck = { readonly name: string; check(subject: StoreUnderTest): Promise<void> }

/** Throws where two plain values differ; the order of keys does not count. */
export function assertSame(actual: unknown, expected: unknown, what: string): void {
  const [found, wanted] = [show(actual), show(expected)]
  if (found !== wanted) throw new Error(`${what}: expected ${wanted}, found ${found}`)
}

/** Throws unless `promise` rejects with a `CallgateError` of this code. */
export async function assertRejects(promise: Promise<unknown>, code: ErrorCode, what: string): Promise<void> {
  const outcome = await promise.then(
    () => 'it resolved',
    (error: unknown) => (isCallgateError(error) ? error.code : `it threw ${String(error)}`),
  )
  if (outcome !== code) throw new Error(`${what}: expected it to reject with ${code}, found ${outcome}`)
}

/** A draft of a hold with its id, for a binding of its own unless told otherwise. */
export function someHold(id: string, more: Partial<HoldDraft> = {}): HoldDraft & { readonly id: string } {
  return {
    id, binding: `binding of ${id}`, principal: 'ada', session: 's1', server: 'files', tool: 'move', args: '{"from":"a","to":"b"}',
    question: 'Move it?', createdAt: 1_000, expiresAt: 2_000, ...more,
  }
}

/** A draft of an entry that carries `n`. */
export function someEntry(n: number, more: Partial<EntryDraft> = {}): EntryDraft {
  return { kind: 'decision', at: 1_000 + n, principal: 'ada', session: 's1', call: `c${n}`, data: { n }, ...more }
}

/** A claim at the same time as the holds, of nothing unless told otherwise. */
export function someClaim(more: Partial<Claim>): Claim {
  return { at: 1_000, needs: [], clears: [], charges: [], ...more }
}

/** What `someEntry` put into the entries of a record, in the order of the record. */
export async function numbersIn(store: Store): Promise<readonly unknown[]> {
  const entries = await store.record.read(0, 10_000)
  return entries.map((entry) => entry.data['n'])
}

/** Puts marks in an order of their own, since that of a list is not promised. */
export function byGateAndKey(a: Mark, b: Mark): number {
  const [one, other] = [a, b].map(({ gate, key }) => JSON.stringify([gate, key ?? null]))
  return (one ?? '') < (other ?? '') ? -1 : 1
}

function show(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'bigint') return `${inner}n`
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
