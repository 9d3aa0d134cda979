import type { Claim, ClaimResult, Mark, MarkClear, MarkNeed } from '../gates/ledger.ts'
import type { HoldEvent } from '../holds/hold.ts'
import type { SessionScope, Store } from '../ports/store.ts'
import { assertRejects, assertSame, byGateAndKey, numbersIn, someClaim, someEntry, someHold } from './store-claims.ts'
import type { StoreCheck } from './store-claims.ts'

const scope: SessionScope = { principal: 'ada', session: 's1' }
const yes: HoldEvent = { kind: 'answer', answer: { verdict: 'approve', approver: 'ada', at: 1_100 } }
const use: HoldEvent = { kind: 'claim', at: 1_200, binding: 'binding of h1', owner: 'p1', leaseUntil: 1_300 }
const claimed: ClaimResult = { kind: 'claimed' }

/** What every store promises of a call that takes what it needs when it runs (contract 9: check-and-use is one atomic step). */
export const claimsContract: readonly StoreCheck[] = [
  {
    name: 'claims: a claim is met by marks of its gates, keys and facts; the first need that is not is named',
    async check({ store }) {
      await store.marks.add(scope, [{ gate: 'g', at: 1 }, { gate: 'k', at: 1, key: '"a"', fact: '{"status":"open"}' }], 'soon')
      const met: readonly MarkNeed[] = [{ gate: 'g' }, { gate: 'k' }, { gate: 'k', key: '"a"' }, { gate: 'k', key: '"a"', fact: '{"status":"open"}' }]
      assertSame(await take(store, met), claimed, 'a claim whose needs are there')
      assertSame(await take(store, []), claimed, 'a claim that needs nothing')
      const unmet: readonly MarkNeed[] = [{ gate: 'n' }, { gate: 'k', key: '"b"' }, { gate: 'g', key: '""' }, { gate: 'k', key: '"a"', fact: '{"status":"paid"}' }]
      for (const [n, need] of unmet.entries()) {
        assertSame(await take(store, [...met.slice(0, n), need, { gate: 'n' }]), short(n), `a claim of ${JSON.stringify(need)}`)
      }
      assertSame(await store.marks.claim({ principal: 'bob', session: 's1' }, someClaim({ needs: met }), []), short(0), "another's session")
    },
  },
  {
    name: 'claims: a mark serves until it expires, each key by itself',
    async check({ store }) {
      await store.marks.add(scope, [{ gate: 'g', at: 1, key: '"a"', expiresAt: 10 }, { gate: 'g', at: 1, key: '"b"', expiresAt: 20 }], 'soon')
      assertSame(await take(store, [{ gate: 'g', key: '"a"' }], { at: 9 }), claimed, 'before')
      assertSame(await take(store, [{ gate: 'g', key: '"a"' }], { at: 10 }), short(0), 'at its time')
      assertSame(await take(store, [{ gate: 'g' }], { at: 19 }), claimed, 'any key, while one is alive')
      assertSame(await take(store, [{ gate: 'g' }], { at: 20 }), short(0), 'any key, once none is')
    },
  },
  {
    name: 'claims: a mark with uses serves that many calls, and then none',
    async check({ store }) {
      await store.marks.add(scope, [{ gate: 'g', at: 1, key: '"a"', fact: '1', expiresAt: 2_000, uses: 2 }, { gate: 'g', at: 1, key: '"b"' }], 'soon')
      assertSame(await take(store, [{ gate: 'g', key: '"a"' }, { gate: 'g', key: '"a"' }]), claimed, 'the first call')
      await expectMarks(store, [{ gate: 'g', at: 1, key: '"a"', fact: '1', expiresAt: 2_000, uses: 1 }, { gate: 'g', at: 1, key: '"b"' }])
      assertSame(await take(store, [{ gate: 'g', key: '"a"' }]), claimed, 'the second call')
      assertSame(await take(store, [{ gate: 'g', key: '"a"' }]), short(0), 'the third call')
      await expectMarks(store, [{ gate: 'g', at: 1, key: '"b"' }])
      await store.marks.add(scope, [{ gate: 'g', at: 2, key: '"a"', uses: 1 }], 'soon')
      assertSame(await take(store, [{ gate: 'g', key: '"a"' }]), claimed, 'a call after it was marked again')
    },
  },
  {
    name: 'claims: of eight claims at the same time a mark with three uses serves three',
    async check({ store }) {
      await store.marks.add(scope, [{ gate: 'g', at: 1, uses: 3 }], 'soon')
      const results = await Promise.all(Array.from({ length: 8 }, (_, n) => store.marks.claim(scope, someClaim({ needs: [{ gate: 'g' }] }), [someEntry(n)])))
      const served = results.flatMap(({ kind }, n) => (kind === 'claimed' ? [n] : []))
      assertSame(served.length, 3, 'how many were served')
      assertSame(results.filter(({ kind }) => kind === 'short').length, 5, 'how many were not')
      assertSame((await numbersIn(store)).map(Number).toSorted((a, b) => a - b), served, 'the record')
      await expectMarks(store, [])
    },
  },
  {
    name: 'claims: a need without a key spends a use of the mark that was made first',
    async check({ store }) {
      await store.marks.add(scope, [{ gate: 'g', at: 2, key: '"a"', uses: 1 }, { gate: 'g', at: 1, key: '"b"', uses: 1 }], 'soon')
      assertSame(await take(store, [{ gate: 'g' }]), claimed, 'the first call')
      await expectMarks(store, [{ gate: 'g', at: 2, key: '"a"', uses: 1 }])
    },
  },
  {
    name: 'claims: what a call clears is gone once it is claimed, by gate or by key, and nothing else',
    async check({ store }) {
      const marks = ['g', 'h', 'i'].flatMap((gate) => [{ gate, at: 1 }, { gate, at: 1, key: '"a"' }, { gate, at: 1, key: '"b"' }])
      await store.marks.add(scope, marks, 'soon')
      await store.marks.add({ principal: 'bob', session: 's1' }, marks, 'soon')
      assertSame(await take(store, [{ gate: 'n' }], { clears: [{ gate: 'g' }] }), short(0), 'a claim that is not met')
      await expectMarks(store, marks)
      const clears: readonly MarkClear[] = [{ gate: 'g' }, { gate: 'h', keys: ['"a"', '"c"'] }, { gate: 'n' }, { gate: 'i', keys: [] }]
      assertSame(await take(store, [{ gate: 'g', key: '"a"' }], { clears }), claimed, 'a claim that is met by what it clears')
      await expectMarks(store, marks.filter(({ gate, key }) => gate !== 'g' && !(gate === 'h' && key === '"a"')))
      assertSame((await store.marks.list({ principal: 'bob', session: 's1' })).length, 9, 'the marks of another session')
    },
  },
  {
    name: 'claims: a claim and its entries are one step: both, or neither',
    async check({ store }) {
      await store.marks.add(scope, [{ gate: 'g', at: 1, uses: 1 }], 'soon')
      const needs = [{ gate: 'g' }]
      assertSame(await store.marks.claim(scope, someClaim({ needs: [...needs, { gate: 'n' }] }), [someEntry(1)]), short(1), 'a claim that is not met')
      await assertRejects(store.marks.claim(scope, someClaim({ needs }), [someEntry(2), someEntry(3, { at: Number.NaN })]), 'store_invalid', 'a claim with an entry that is none')
      await expectMarks(store, [{ gate: 'g', at: 1, uses: 1 }])
      assertSame(await numbersIn(store), [], 'the record')
      await store.record.append([someEntry(4)], 'soon')
      assertSame(await store.marks.claim(scope, someClaim({ needs }), [someEntry(5), someEntry(6)]), claimed, 'a claim that is met')
      assertSame(await numbersIn(store), [4, 5, 6], 'the record')
    },
  },
  {
    name: 'claims: names and keys that every object has, and ten thousand keys, are claimed like others',
    async check({ store }) {
      const names = ['__proto__', 'constructor', '', '\ud800', '\u0000', 'a b', '"', "'"]
      await store.marks.add(scope, names.flatMap((gate) => names.map((key) => ({ gate, at: 1, key, uses: 1 }))), 'soon')
      assertSame(await take(store, names.map((key) => ({ gate: 'g', key }))), short(0), 'another gate')
      for (const gate of names) assertSame(await take(store, names.map((key) => ({ gate, key }))), claimed, JSON.stringify(gate))
      await expectMarks(store, [])
      const marks = Array.from({ length: 10_000 }, (_, n) => ({ gate: 'g', at: 1, key: `${n}`, uses: 1 }))
      await store.marks.add(scope, marks, 'soon')
      assertSame(await take(store, marks.map(({ gate, key }) => ({ gate, key }))), claimed, 'all of them at once')
      await expectMarks(store, [])
    },
  },
  {
    name: 'claims: a hold is used and what the call needs is taken in one step, or the hold stays as it was',
    async check({ store }) {
      await store.holds.open(someHold('h1'), () => [])
      const { hold } = await store.holds.apply('h1', yes)
      const taking = { scope, claim: someClaim({ needs: [{ gate: 'g' }], clears: [{ gate: 'c' }] }) }
      await store.marks.add(scope, [{ gate: 'c', at: 1 }], 'soon')
      const refused = await store.holds.apply('h1', use, [someEntry(1)], taking)
      assertSame([refused.kind, refused.hold, refused.short], ['refused', hold, short(0)], 'a use without what it needs')
      assertSame(await store.holds.get('h1'), hold, 'the hold')
      await store.marks.add(scope, [{ gate: 'g', at: 1, uses: 2 }], 'soon')
      await assertRejects(store.holds.apply('h1', use, [someEntry(2, { at: Number.NaN })], taking), 'store_invalid', 'a use with an entry that is none')
      await expectMarks(store, [{ gate: 'c', at: 1 }, { gate: 'g', at: 1, uses: 2 }])
      const moved = await store.holds.apply('h1', use, [someEntry(3)], taking)
      assertSame([moved.kind, moved.hold.status, moved.short], ['moved', 'claimed', undefined], 'a use with what it needs')
      await expectMarks(store, [{ gate: 'g', at: 1, uses: 1 }])
      const again = await store.holds.apply('h1', use, [someEntry(4)], taking)
      assertSame([again.kind, again.short], ['refused', undefined], 'a second use')
      await expectMarks(store, [{ gate: 'g', at: 1, uses: 1 }])
      assertSame(await numbersIn(store), [3], 'the record')
    },
  },
]

function take(store: Store, needs: readonly MarkNeed[], more: Partial<Claim> = {}): Promise<ClaimResult> {
  return store.marks.claim(scope, someClaim({ needs, ...more }), [])
}

function short(index: number): ClaimResult {
  return { kind: 'short', of: 'needs', index }
}

async function expectMarks(store: Store, expected: readonly Mark[]): Promise<void> {
  assertSame((await store.marks.list(scope)).toSorted(byGateAndKey), expected.toSorted(byGateAndKey), 'the marks that are left')
}
