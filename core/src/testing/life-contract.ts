import type { HoldEvent } from '../holds/hold.ts'
import { assertRejects, assertSame, numbersIn, someClaim, someEntry, someHold } from './store-claims.ts'
import type { StoreCheck } from './store-claims.ts'
import { assertVerifies } from './record-contract.ts'

const scope = { principal: 'ada', session: 's1' }
const token = { id: 'k1', name: 'Ada', roles: ['ops'], tokenHash: 'a'.repeat(64), createdAt: 5 }
const yes: HoldEvent = { kind: 'answer', answer: { verdict: 'approve', approver: 'Ada', at: 1_100 } }

/** What every store promises of its end and, where it outlives its process, of its return. */
export const lifeContract: readonly StoreCheck[] = [
  {
    name: 'close: every later call is refused, a second close is not',
    async check({ store }) {
      await store.holds.open(someHold('h1'), () => [])
      await store.close()
      await store.close()
      const calls: Readonly<Record<string, () => Promise<unknown>>> = {
        'marks.list': () => store.marks.list(scope),
        'marks.add': () => store.marks.add(scope, [{ gate: 'g', at: 1 }], 'soon'),
        'marks.claim': () => store.marks.claim(scope, someClaim({}), []),
        'marks.peek': () => store.marks.peek(scope, someClaim({})),
        'marks.reset': () => store.marks.reset(scope),
        'holds.open': () => store.holds.open(someHold('h2'), () => []),
        'holds.apply': () => store.holds.apply('h1', yes),
        'holds.get': () => store.holds.get('h1'),
        'holds.list': () => store.holds.list({ limit: 1 }),
        'record.append now': () => store.record.append([someEntry(1)], 'now'),
        'record.append soon': () => store.record.append([someEntry(1)], 'soon'),
        'record.flush': () => store.record.flush(),
        'record.read': () => store.record.read(0, 1),
        'record.head': () => store.record.head(),
        'approvers.add': () => store.approvers.add(token),
        'approvers.findByHash': () => store.approvers.findByHash(token.tokenHash),
        'approvers.list': () => store.approvers.list(),
        'approvers.revoke': () => store.approvers.revoke('k1', 1),
      }
      for (const [name, call] of Object.entries(calls)) await assertRejects(call(), 'store_unavailable', `${name} after close`)
    },
  },
  {
    name: 'reopen: marks, holds, record and approvers are there again',
    async check({ store, reopen }) {
      if (reopen === undefined) return
      await store.marks.add(scope, [{ gate: 'g', at: 1 }], 'soon')
      await store.holds.open(someHold('h1', { binding: 'b' }), () => [someEntry(1)])
      await store.holds.apply('h1', yes, [someEntry(2)])
      await store.approvers.add(token)
      await store.record.append([someEntry(3)], 'soon')
      const again = await reopen()
      assertSame(await again.marks.list(scope), [{ gate: 'g', at: 1 }], 'the marks')
      assertSame(await again.approvers.findByHash(token.tokenHash), token, 'the approver')
      assertSame(await numbersIn(again), [1, 2, 3], 'the record, with what was accepted before the close')
      const joined = await again.holds.open(someHold('h2', { binding: 'b' }), () => [someEntry(4)])
      assertSame([joined.kind, joined.hold.id, joined.hold.status], ['joined', 'h1', 'approved'], 'the same call after the return')
      const claim: HoldEvent = { kind: 'claim', at: 1_200, binding: 'b', owner: 'p2', leaseUntil: 1_300 }
      assertSame((await again.holds.apply('h1', claim)).kind, 'moved', 'the use of the yes')
      assertSame((await again.holds.apply('h1', claim)).kind, 'refused', 'its second use')
      await assertVerifies(again, 4)
    },
  },
]
