import type { HoldEvent, HoldTransition, OpenedHold } from '../holds/hold.ts'
import type { Store } from '../ports/store.ts'
import { assertRejects, assertSame, numbersIn, someEntry, someHold } from './store-claims.ts'
import type { StoreCheck } from './store-claims.ts'

const yes: HoldEvent = { kind: 'answer', answer: { verdict: 'approve', approver: 'ada', at: 1_100 } }
const no: HoldEvent = { kind: 'answer', answer: { verdict: 'deny', approver: 'ada', at: 1_100, reason: 'not this file' } }

/** What every store promises of holds (contract 10). */
export const holdsContract: readonly StoreCheck[] = [
  {
    name: 'holds: a hold is kept as it was opened, and found by its id',
    async check({ store }) {
      const draft = someHold('h1', { sent: 'digest of what is sent', definition: 'digest of the tool', question: 'Ünïcode \u202e 🚪?' })
      const opened = await store.holds.open(draft, () => [])
      assertSame(opened, { kind: 'opened', hold: { ...draft, status: 'pending', count: 1, told: false } }, 'opening')
      assertSame(await store.holds.get('h1'), opened.hold, 'the hold by its id')
      assertSame(await store.holds.get('h2'), undefined, 'an unknown id')
    },
  },
  {
    name: 'holds: an event for an unknown hold is an error, also for names that every object has',
    async check({ store }) {
      for (const id of ['h1', '', '__proto__', 'constructor']) {
        await assertRejects(store.holds.apply(id, yes, [someEntry(1)]), 'unknown_hold', `an event for ${JSON.stringify(id)}`)
      }
      assertSame(await numbersIn(store), [], 'the record')
    },
  },
  {
    name: 'holds: an id is never given out twice',
    async check({ store }) {
      await store.holds.open(someHold('h1'), () => [])
      await assertRejects(store.holds.open(someHold('h1', { binding: 'another' }), () => [someEntry(1)]), 'store_invalid', 'the same id')
      assertSame(await numbersIn(store), [], 'the record')
      assertSame((await store.holds.get('h1'))?.binding, 'binding of h1', 'the binding')
    },
  },
  {
    name: 'holds: identical calls share one hold, with a count; others have their own',
    async check({ store }) {
      await store.holds.open(someHold('h1', { binding: 'b' }), () => [])
      const second = await store.holds.open(someHold('h2', { binding: 'b', createdAt: 1_010 }), () => [])
      assertKind(second, 'joined', 'an identical call')
      assertSame([second.hold.id, second.hold.count], ['h1', 2], 'the hold it joined')
      assertSame(await store.holds.get('h1'), second.hold, 'what is kept of it')
      assertSame(await store.holds.get('h2'), undefined, 'the id that was not needed')
      assertKind(await store.holds.open(someHold('h3', { binding: 'other' }), () => []), 'opened', 'another call')
    },
  },
  {
    name: 'holds: fifty identical calls at the same time open one hold',
    async check({ store }) {
      const ids = Array.from({ length: 50 }, (_, n) => `h${n}`)
      const found = await Promise.all(ids.map((id) => store.holds.open(someHold(id, { binding: 'b' }), () => [])))
      assertSame(found.filter(({ kind }) => kind === 'opened').length, 1, 'how many were opened')
      assertSame(new Set(found.map(({ hold }) => hold.id)).size, 1, 'how many holds there are')
      assertSame((await store.holds.list({ limit: 100 })).map(({ count }) => count), [50], 'the counts')
    },
  },
  {
    name: 'holds: an end that no caller has read is found once it is asked for, and asked anew after it was told',
    async check({ store }) {
      await store.holds.open(someHold('h1', { binding: 'b' }), () => [])
      await store.holds.apply('h1', no)
      const ended = await store.holds.open(someHold('h2', { binding: 'b' }), () => [someEntry(1)])
      assertKind(ended, 'ended', 'the call after a no')
      assertSame([ended.hold.id, ended.hold.status, ended.hold.answer?.reason], ['h1', 'denied', 'not this file'], 'the end')
      assertSame(await numbersIn(store), [], 'the record: nothing was made or joined')
      await store.holds.apply('h1', { kind: 'tell', at: 1_200 })
      assertKind(await store.holds.open(someHold('h3', { binding: 'b' }), () => []), 'opened', 'the call after it was told')
    },
  },
  {
    name: 'holds: of several holds of the same call the last one counts',
    async check({ store }) {
      await store.holds.open(someHold('h1', { binding: 'b' }), () => [])
      await store.holds.apply('h1', no)
      await store.holds.apply('h1', { kind: 'tell', at: 1_200 })
      await store.holds.open(someHold('h2', { binding: 'b' }), () => [])
      const found = await store.holds.open(someHold('h3', { binding: 'b' }), () => [])
      assertSame([found.kind, found.hold.id], ['joined', 'h2'], 'the third call')
    },
  },
  {
    name: 'holds: what happens to a draft after it was handed over does not reach the hold',
    async check({ store }) {
      const draft = { ...someHold('h1') }
      const opening = store.holds.open(draft, () => [])
      Object.assign(draft, { binding: 'another', args: '{}', id: 'h2' })
      await opening
      assertSame((await store.holds.get('h1'))?.args, someHold('h1').args, 'the arguments that are kept')
      assertSame(await store.holds.get('h2'), undefined, 'the id given later')
    },
  },
  {
    name: 'holds: a hold past its deadline is found expired, and stays so',
    async check({ store }) {
      await store.holds.open(someHold('h1', { binding: 'b' }), () => [])
      await store.holds.apply('h1', yes)
      const ended = await store.holds.open(someHold('h2', { binding: 'b', createdAt: 2_000, expiresAt: 3_000 }), () => [])
      assertSame([ended.kind, ended.hold.status], ['ended', 'expired'], 'the call at the deadline')
      assertSame((await store.holds.get('h1'))?.status, 'expired', 'what is kept')
      assertKind(await store.holds.apply('h1', claimBy('p1', 1_500, 'b')), 'refused', 'using it')
    },
  },
  {
    name: 'holds: the deadline is checked when the yes is used',
    async check({ store }) {
      await store.holds.open(someHold('h1'), () => [])
      assertKind(await store.holds.apply('h1', yes), 'moved', 'the yes')
      assertKind(await store.holds.apply('h1', claimBy('p1', 2_000)), 'refused', 'a claim at the deadline')
      assertKind(await store.holds.apply('h1', claimBy('p1', 1_999)), 'moved', 'a claim before it')
    },
  },
  {
    name: 'holds: of fifty claims at the same time one is granted, and recorded',
    async check({ store }) {
      await store.holds.open(someHold('h1'), () => [])
      await store.holds.apply('h1', yes)
      const claims = Array.from({ length: 50 }, (_, n) => store.holds.apply('h1', claimBy(`p${n}`, 1_200), [someEntry(n)]))
      const granted = (await Promise.all(claims)).flatMap((transition, n) => (transition.kind === 'moved' ? [n] : []))
      assertSame(granted.length, 1, 'how many were granted')
      assertSame((await store.holds.get('h1'))?.claim?.owner, `p${granted[0]}`, 'whose claim is kept')
      assertSame(await numbersIn(store), granted, 'the record')
    },
  },
  {
    name: 'holds: entries go into the record with what moved, and only then',
    async check({ store }) {
      await store.record.append([someEntry(1)], 'soon')
      await store.holds.open(someHold('h1', { binding: 'b' }), () => [someEntry(2)])
      await store.holds.open(someHold('h2', { binding: 'b' }), () => [someEntry(3)])
      await store.holds.apply('h1', claimBy('p1', 1_200, 'b'), [someEntry(90)])
      await store.holds.apply('h1', yes, [someEntry(4), someEntry(5)])
      await store.holds.apply('h1', yes, [someEntry(91)])
      await store.holds.apply('h1', no, [someEntry(92)])
      assertSame(await numbersIn(store), [1, 2, 3, 4, 5], 'the record')
    },
  },
  {
    name: 'holds: a refused event leaves the hold as it was and says why',
    async check({ store }) {
      const { hold } = await store.holds.open(someHold('h1'), () => [])
      const refused = await store.holds.apply('h1', claimBy('p1', 1_200))
      assertSame(refused, { kind: 'refused', hold, why: 'not answered yet' }, 'a claim without a yes')
      assertSame(await store.holds.get('h1'), hold, 'what is kept')
    },
  },
  {
    name: 'holds: the life of a hold is kept step by step',
    async check({ store }) {
      await store.holds.open(someHold('h1'), () => [])
      const steps: readonly HoldEvent[] = [
        { kind: 'join', at: 1_001 }, { kind: 'leave', at: 1_002 }, yes, claimBy('p1', 1_200),
        { kind: 'renew', at: 1_210, owner: 'p1', leaseUntil: 1_500 }, { kind: 'finish', at: 1_220, owner: 'p1', outcome: 'ran' },
        { kind: 'tell', at: 1_230 },
      ]
      for (const step of steps) {
        const transition = await store.holds.apply('h1', step)
        assertKind(transition, 'moved', step.kind)
        assertSame(await store.holds.get('h1'), transition.hold, `what is kept after ${step.kind}`)
      }
    },
  },
  {
    name: 'holds: what is asked, of whom and by whom is kept, and the votes add up',
    async check({ store }) {
      const asks = [{ question: 'Pay it?', approvers: ['finance'], quorum: 2, notBy: 'requester' as const, channel: 'console' as const, showTo: ['finance'] }, { question: 'Run it?', quorum: 1 }]
      const draft = someHold('h1', { asks, requester: 'Cy' })
      const opened = await store.holds.open(draft, () => [someEntry(1)])
      assertSame(opened.hold, { ...draft, status: 'pending', count: 1, told: false }, 'what was opened')
      const vote = (approver: string, roles: readonly string[]): HoldEvent => ({ kind: 'answer', answer: { verdict: 'approve', approver, roles, at: 1_100 } })
      const kinds: string[] = []
      for (const [name, roles] of [['Ada', ['finance']], ['Ada', ['finance']], ['Bob', []], ['Cy', ['finance']], ['Dee', ['finance']]] as const) {
        kinds.push((await store.holds.apply('h1', vote(name, roles), [someEntry(kinds.length + 2)])).kind)
      }
      assertSame(kinds, ['moved', 'moved', 'moved', 'moved', 'moved'], 'what became of the votes')
      const kept = await store.holds.get('h1')
      assertSame([kept?.status, kept?.asks, kept?.requester, kept?.answer?.approver], ['approved', asks, 'Cy', 'Dee'], 'the hold')
      assertSame(kept?.votes?.map(({ approver, roles }) => [approver, roles]), [['Ada', ['finance']], ['Bob', []], ['Cy', ['finance']], ['Dee', ['finance']]], 'its votes')
      assertSame(await numbersIn(store), [1, 2, 4, 5, 6], 'the record: a vote that was said before is none')
    },
  },
  {
    name: 'holds: fifty votes at the same time are all counted, and the quorum is met once',
    async check({ store }) {
      await store.holds.open(someHold('h1', { asks: [{ question: 'Run it?', quorum: 40 }] }), () => [])
      const votes = Array.from({ length: 50 }, (_, n): HoldEvent => ({ kind: 'answer', answer: { verdict: 'approve', approver: `p${n}`, at: 1_100 } }))
      const kinds = (await Promise.all(votes.map((vote, n) => store.holds.apply('h1', vote, [someEntry(n)])))).map(({ kind }) => kind)
      assertSame(kinds.filter((kind) => kind === 'moved').length, 40, 'how many counted')
      const kept = await store.holds.get('h1')
      assertSame([kept?.status, kept?.votes?.length], ['approved', 40], 'the hold')
      assertSame((await numbersIn(store)).length, 40, 'the record')
    },
  },
  {
    name: 'holds: the list is newest first, by status, in pages',
    async check({ store }) {
      for (const n of [1, 2, 3, 4, 5]) await store.holds.open(someHold(`h${n}`, { createdAt: 1_000 - n }), () => [])
      await store.holds.apply('h4', yes)
      await store.holds.apply('h2', no)
      assertSame(await idsIn(store, { limit: 10 }), ['h5', 'h4', 'h3', 'h2', 'h1'], 'all')
      assertSame(await idsIn(store, { limit: 2 }), ['h5', 'h4'], 'the first page')
      assertSame(await idsIn(store, { limit: 2, after: 'h4' }), ['h3', 'h2'], 'the second page')
      assertSame(await idsIn(store, { limit: 2, after: 'h2' }), ['h1'], 'the last page')
      assertSame(await idsIn(store, { limit: 9, statuses: ['pending'] }), ['h5', 'h3', 'h1'], 'those that wait')
      assertSame(await idsIn(store, { limit: 1, after: 'h4', statuses: ['pending', 'denied'] }), ['h3'], 'a page by status')
      assertSame(await idsIn(store, { limit: 9, statuses: [] }), [], 'no status')
      assertSame(await idsIn(store, { limit: 0 }), [], 'no room')
      await assertRejects(store.holds.list({ limit: 1, after: 'h9' }), 'unknown_hold', 'a page after an unknown hold')
    },
  },
]

function claimBy(owner: string, at: number, binding = 'binding of h1'): HoldEvent {
  return { kind: 'claim', at, binding, owner, leaseUntil: at + 100 }
}

function assertKind<T extends OpenedHold | HoldTransition>(found: T, kind: T['kind'], what: string): void {
  assertSame(found.kind, kind, what)
}

async function idsIn(store: Store, query: Parameters<Store['holds']['list']>[0]): Promise<readonly string[]> {
  const holds = await store.holds.list(query)
  return holds.map(({ id }) => id)
}
