import type { ClaimResult, LimitCharge } from '../gates/ledger.ts'
import type { SessionScope, Store } from '../ports/store.ts'
import { assertSame, numbersIn, someClaim, someEntry } from './store-claims.ts'
import type { StoreCheck } from './store-claims.ts'

const scope: SessionScope = { principal: 'ada', session: 's1' }
const claimed: ClaimResult = { kind: 'claimed' }

/** What every store promises of limits and of identical calls in a row (contract 9). */
export const limitsContract: readonly StoreCheck[] = [
  {
    name: 'limits: so many calls run in a window, which moves on',
    async check({ store }) {
      const twoPerTen: LimitCharge = { limit: 'send', calls: 2, perMs: 10 }
      for (const at of [100, 105]) assertSame(await charge(store, at, twoPerTen), claimed, `a call at ${at}`)
      assertSame(await charge(store, 109, twoPerTen), short(0), 'a third call within the window')
      assertSame(await charge(store, 110, twoPerTen), claimed, 'a call when the first has left the window')
      assertSame(await charge(store, 114, twoPerTen), short(0), 'a call too many in the next window')
      assertSame(await store.marks.claim({ principal: 'bob', session: 's1' }, someClaim({ at: 114, charges: [twoPerTen] }), []), claimed, 'a call of another session')
    },
  },
  {
    name: 'limits: without a window so many calls run in a session',
    async check({ store }) {
      for (let n = 0; n < 3; n += 1) assertSame(await charge(store, n * 1_000_000_000, { limit: 'send', calls: 3 }), claimed, `call ${n}`)
      assertSame(await charge(store, 9_000_000_000_000, { limit: 'send', calls: 3 }), short(0), 'one more, much later')
    },
  },
  {
    name: 'limits: sums are exact decimals, whatever a double would say',
    async check({ store }) {
      const pay = (amount: string): LimitCharge => ({ limit: 'pay', sum: { amount, max: '0.3' }, perMs: 1_000 })
      assertSame(await charge(store, 1, pay('0.1')), claimed, '0.1 of 0.3')
      assertSame(await charge(store, 2, pay('0.2')), claimed, '0.1 + 0.2 of 0.3')
      assertSame(await charge(store, 3, pay('0')), claimed, 'nothing more')
      assertSame(await charge(store, 3, pay('0.0000000000000000000001')), short(0), 'a little more')
      const big: LimitCharge = { limit: 'big', sum: { amount: '9007199254740993', max: '18014398509481986' } }
      assertSame(await charge(store, 1, big), claimed, 'a big integer')
      assertSame(await charge(store, 2, big), claimed, 'twice a big integer')
      assertSame(await charge(store, 3, { ...big, sum: { amount: '1', max: '18014398509481986' } }), short(0), 'one more')
    },
  },
  {
    name: 'limits: a claim that is short of one limit charges none, and names the first',
    async check({ store }) {
      const [one, many] = [{ limit: 'one', calls: 1 }, { limit: 'many', calls: 2 }] as const
      await store.marks.add(scope, [{ gate: 'g', at: 1, uses: 2 }], 'soon')
      const needs = [{ gate: 'g' }]
      assertSame(await store.marks.claim(scope, someClaim({ needs, charges: [one, many] }), [someEntry(1)]), claimed, 'the first call')
      assertSame(await store.marks.claim(scope, someClaim({ needs, charges: [many, one] }), [someEntry(2)]), short(1), 'the second call')
      assertSame(await store.marks.list(scope), [{ gate: 'g', at: 1, uses: 1 }], 'the mark that it needed')
      assertSame(await charge(store, 1_000, many), claimed, 'a call that only the other limit is about')
      assertSame(await charge(store, 1_000, many), short(0), 'one more')
      assertSame(await numbersIn(store), [1], 'the record')
    },
  },
  {
    name: 'limits: a look at a claim says what came of it, and takes, clears and charges nothing',
    async check({ store }) {
      await store.marks.add(scope, [{ gate: 'g', at: 1, uses: 1 }, { gate: 'c', at: 1 }], 'soon')
      const charges = [{ limit: 'send', calls: 1 }, { limit: 'pay', sum: { amount: '6', max: '10' } }]
      const all = someClaim({ needs: [{ gate: 'g' }], clears: [{ gate: 'c' }], charges, repeat: { digest: 'a', max: 1 } })
      for (let n = 0; n < 3; n += 1) assertSame(await store.marks.peek(scope, all), claimed, `look ${n}`)
      assertSame((await store.marks.list(scope)).length, 2, 'how many marks are left')
      assertSame(await store.marks.claim(scope, all, []), claimed, 'the claim that was looked at')
      assertSame(await store.marks.peek(scope, all), { kind: 'short', of: 'needs', index: 0 }, 'a look at what is used up')
      assertSame(await store.marks.peek(scope, { ...all, needs: [] }), short(0), 'a look at a limit that is reached')
      assertSame(await store.marks.peek(scope, { ...all, needs: [], charges: charges.slice(1) }), short(0), 'a look at a sum that is too high')
      assertSame(await store.marks.peek(scope, { ...all, needs: [], charges: [] }), { kind: 'short', of: 'repeat', index: 0 }, 'a look at one call too many in a row')
      assertSame(await store.marks.peek({ principal: 'bob', session: 's1' }, { ...all, needs: [] }), claimed, 'a look in another session')
      assertSame(await numbersIn(store), [], 'the record')
    },
  },
  {
    name: 'limits: of twenty claims at the same time as many run as the limit allows',
    async check({ store }) {
      const results = await Promise.all(Array.from({ length: 20 }, () => charge(store, 5, { limit: 'send', calls: 5, perMs: 10 })))
      assertSame(results.filter(({ kind }) => kind === 'claimed').length, 5, 'how many ran')
    },
  },
  {
    name: 'limits: every name is a name',
    async check({ store }) {
      for (const limit of ['__proto__', 'constructor', '', '\ud800', '\ud801', '\u0000', '"']) {
        assertSame(await charge(store, 1, { limit, calls: 1 }), claimed, `the first call of ${JSON.stringify(limit)}`)
        assertSame(await charge(store, 1, { limit, calls: 1 }), short(0), `the second call of ${JSON.stringify(limit)}`)
      }
    },
  },
  {
    name: 'repeats: identical calls in a row run so often, and another call starts anew',
    async check({ store }) {
      for (let n = 0; n < 2; n += 1) assertSame(await repeat(store, 'a'), claimed, `call ${n}`)
      assertSame(await repeat(store, 'a'), { kind: 'short', of: 'repeat', index: 0 }, 'a third')
      assertSame(await repeat(store, 'b'), claimed, 'another call')
      assertSame(await repeat(store, 'a'), claimed, 'the first one after it')
    },
  },
  {
    name: 'repeats: a mark that is new, or keeps another fact, starts anew; the same one again does not',
    async check({ store }) {
      const mark = { gate: 'g', at: 1, key: '"a"', fact: '1' }
      const [again, changed, live] = [{ ...mark, at: 2, uses: 3 }, { ...mark, fact: '2' }, { ...mark, fact: '2', expiresAt: 9 }]
      const steps = [
        ['a new mark', mark, 'claimed'], ['the same mark', again, 'short'], ['another fact', changed, 'claimed'], ['the same, for a while', live, 'short'],
        ['the same after it expired', { ...changed, at: 9 }, 'claimed'], ['another key', { ...changed, key: '"b"' }, 'claimed'], ['no key', { gate: 'g', at: 1 }, 'claimed'],
      ] as const
      for (const [what, added, expected] of steps) {
        for (let n = 0; n < 3; n += 1) await repeat(store, 'a')
        await store.marks.add(scope, [added], 'soon')
        assertSame((await repeat(store, 'a')).kind, expected, `the call after ${what}`)
      }
      await store.marks.add({ principal: 'bob', session: 's1' }, [{ gate: 'new', at: 1 }], 'now')
      await repeat(store, 'a')
      assertSame((await repeat(store, 'a')).kind, 'short', 'the call after a mark in another session')
    },
  },
  {
    name: 'reset: marks, charges and the streak of one session are forgotten',
    async check({ store }) {
      const all = someClaim({ charges: [{ limit: 'send', calls: 1 }], repeat: { digest: 'a', max: 1 } })
      const other = { principal: 'bob', session: 's1' }
      for (const each of [scope, other]) assertSame(await store.marks.claim(each, all, []), claimed, 'the first call')
      await store.marks.reset(scope)
      assertSame(await store.marks.claim(scope, all, []), claimed, 'the call after the reset')
      assertSame((await store.marks.claim(other, all, [])).kind, 'short', 'the call in another session')
      assertSame((await store.marks.claim(scope, all, [])).kind, 'short', 'one more call')
      await store.marks.reset(scope)
      assertSame(await store.marks.claim(scope, someClaim({ repeat: { digest: 'a', max: 1 } }), []), claimed, 'the same call after another reset')
    },
  },
  {
    name: 'reopen: keys, facts, uses, charges and the streak are there again',
    async check({ store, reopen }) {
      if (reopen === undefined) return
      const mark = { gate: 'g', at: 1, key: '"a"', fact: '{"n":1}', expiresAt: 99_999, uses: 2 }
      await store.marks.add(scope, [mark], 'now')
      const all = someClaim({ needs: [{ gate: 'g', key: '"a"', fact: '{"n":1}' }], charges: [{ limit: 'pay', sum: { amount: '6', max: '10' } }], repeat: { digest: 'a', max: 2 } })
      assertSame(await store.marks.claim(scope, all, []), claimed, 'the first call')
      const again = await reopen()
      assertSame(await again.marks.list(scope), [{ ...mark, uses: 1 }], 'the mark')
      assertSame(await again.marks.claim(scope, all, []), { kind: 'short', of: 'charges', index: 0 }, 'the same call')
      const free = { ...all, charges: [] }
      assertSame(await again.marks.claim(scope, free, []), claimed, 'the same call without its sum')
      assertSame(await again.marks.claim(scope, { ...free, needs: [] }, []), { kind: 'short', of: 'repeat', index: 0 }, 'once more')
    },
  },
]

function charge(store: Store, at: number, one: LimitCharge): Promise<ClaimResult> {
  return store.marks.claim(scope, someClaim({ at, charges: [one] }), [])
}

function repeat(store: Store, digest: string): Promise<ClaimResult> {
  return store.marks.claim(scope, someClaim({ repeat: { digest, max: 2 } }), [])
}

function short(index: number): ClaimResult {
  return { kind: 'short', of: 'charges', index }
}
