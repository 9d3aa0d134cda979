import { expect, test } from 'vitest'
import type { GateRule, GateRules } from '../gates/gate-rule.ts'
import { local } from '../local/local.ts'
import type { HoldStore } from '../ports/store.ts'
import { createGatekeeper } from './create-gatekeeper.ts'
import { call, ex, recorded, stage, vote } from './stage.fixture.ts'

const confirm: GateRule = { gate: 'confirm', tools: ['pay'], message: 'Pay?' }
const looked: GateRule = { gate: 'looked', tools: ['pay'], message: 'Look first.' }
const known: GateRule = { gate: 'known', tools: ['pay'], message: 'Pay a stranger?', otherwise: 'hold' }
const look = { gate: 'looked', tools: ['look'] }
const all: Partial<GateRules> = { rules: [confirm, known, looked], marks: [look], external: ['known'] }

test('deny outranks an unmet rule, an unmet rule a hold, a hold a confirm, and only then the call runs', async () => {
  expect(await call(stage({ ...all, deny: ['pay'] }).session, 'pay')).toMatchObject({ verdict: 'refused', cause: 'deny', rule: 'deny' })
  const { session, ports } = stage(all)
  expect(await call(session, 'pay')).toMatchObject({ verdict: 'refused', cause: 'gate', rule: 'looked' })
  await call(session, 'look')
  expect(await call(session, 'pay')).toMatchObject({ verdict: 'held', rule: 'known', question: 'Pay a stranger?\nPay?' })
  await session.mark('known')
  const held = await call(session, 'pay', { to: 'bo' })
  expect(held).toMatchObject({ verdict: 'held', rule: 'confirm', question: 'Pay?' })
  expect(await vote(ports, held.holdId, 'bob')).toBe('approved')
  expect((await session.resume(held.holdId ?? '', () => 1)).verdict).toBe('ran')
})

test('nobody is asked about a call that would be refused, and the record keeps all that was not met', async () => {
  const found = stage({ ...all, deny: ['pay'] })
  await call(found.session, 'pay')
  expect(await found.ports.store.holds.list({ limit: 5 })).toEqual([])
  expect(await recorded(found, 'decision')).toMatchObject([{ verdict: 'refuse', blocked: 'deny', unmet: ['looked'], holds: ['known'] }])
})

test('a missing prerequisite is the refusal, and after it the person is asked; at the run it is judged again (case C19)', async () => {
  const { session, ports } = stage({
    rules: [{ gate: 'confirm', tools: ['process_refund'], message: 'Refund?' }, { gate: 'order_seen', tools: ['process_refund'], message: 'Look up the order first.' }],
    marks: [{ gate: 'order_seen', tools: ['orders.lookup'] }, { gate: 'order_seen', tools: ['orders.change'], clear: true }],
  })
  expect(await call(session, 'process_refund')).toMatchObject({ verdict: 'refused', cause: 'gate', rule: 'order_seen' })
  expect(await ports.store.holds.list({ limit: 5 })).toEqual([])
  await call(session, 'orders.lookup')
  const { verdict, holdId } = await call(session, 'process_refund')
  expect(verdict).toBe('held')
  expect(await vote(ports, holdId, 'bob')).toBe('approved')
  await call(session, 'orders.change')
  let runs = 0
  expect(await session.resume(holdId ?? '', () => (runs += 1))).toMatchObject({ verdict: 'refused', cause: 'gate', rule: 'order_seen' })
  expect(runs).toBe(0)
})

test.each<readonly [string, Partial<GateRules>, string]>([
  ['deny', { deny: ['drop_*'], allow: ['*'] }, 'The tool "drop_all" is forbidden here (deny). Nothing was executed. No prerequisite and no approval opens it: do without it, or tell the user.'],
  ['allow', { allow: ['get_*'] }, 'The tool "drop_all" is not among those that are allowed here (allow). Nothing was executed. Do without it, or tell the user.'],
  ['default', { default: 'refuse' }, 'No rule is about the tool "drop_all", and such tools are refused here (default). Nothing was executed. Do without it, or tell the user.'],
])('what `%s` refuses says what forbids it, and offers nothing that would open it', async (rule, gates, message) => {
  expect(await call(stage(gates).session, 'drop_all')).toMatchObject({ verdict: 'refused', cause: 'deny', rule, message })
})

test('a tool that the server does not have is told so, and not that it is forbidden (case C14)', async () => {
  const { session } = stage({ default: 'refuse' })
  expect(await session.call({ tool: 'add', isListed: false }, () => 1)).toMatchObject({
    verdict: 'refused', cause: 'unlisted', rule: 'unlisted', message: 'The tool "add" does not exist on this server. Nothing was executed. Use a tool that the server lists.',
  })
  expect(await session.call({ tool: 'add', isListed: true }, () => 1)).toMatchObject({ cause: 'deny', rule: 'default' })
})

test('`allow` lets a tool through that no rule is about, whatever the default', async () => {
  const { session } = stage({ allow: ['get_*'], default: 'refuse' })
  expect((await call(session, 'get_one')).verdict).toBe('ran')
  expect(await call(session, 'put_one')).toMatchObject({ rule: 'allow' })
})

test('one hold asks all that is to be asked, with every quorum and the earliest deadline', async () => {
  const { session, ports } = stage({
    rules: [{ ...known, approvers: ['finance'], quorum: 2, expiresMs: 9_000 }, { ...confirm, approvers: ['legal'], expiresMs: 4_000 }, { ...confirm, message: 'Run {tool}?' }],
    external: ['known'],
  })
  const { holdId = '', ...held } = await call(session, 'pay')
  expect(held).toMatchObject({ verdict: 'held', question: 'Pay a stranger?\nPay?\nRun pay?', expiresAt: 5_000 })
  const asks = (await ports.store.holds.get(holdId))?.asks
  expect(asks?.map(({ quorum, approvers }) => [quorum, approvers])).toEqual([[2, ['finance']], [1, ['legal']], [1, undefined]])
  expect(await vote(ports, holdId, 'bob', ['finance'])).toBe('pending')
  expect(await vote(ports, holdId, 'cy', ['legal'])).toBe('pending')
  expect(await session.resume(holdId, () => 1)).toMatchObject({ verdict: 'held' })
  expect(await vote(ports, holdId, 'dee', ['finance'])).toBe('approved')
  expect((await session.resume(holdId, () => 1)).verdict).toBe('ran')
})

test('after the earliest deadline the yes counts no more, though another rule would still wait', async () => {
  const { session, clock, ports } = stage({ rules: [{ ...known, expiresMs: 9_000 }, { ...confirm, expiresMs: 4_000 }], external: ['known'] })
  const { holdId = '' } = await call(session, 'pay')
  expect(await vote(ports, holdId, 'bob')).toBe('approved')
  clock.advance(4_000)
  expect(await session.resume(holdId, () => 1)).toMatchObject({ verdict: 'refused', cause: 'expired' })
})

test('the yes meets the rules that asked and no other: neither asks again, and what expired meanwhile refuses', async () => {
  const { session, clock, ports } = stage({ rules: [known, confirm, looked], marks: [{ ...look, expiresMs: 1_000 }], external: ['known'] })
  await call(session, 'look')
  const first = (await call(session, 'pay', { n: 1 })).holdId ?? ''
  const second = (await call(session, 'pay', { n: 2 })).holdId ?? ''
  for (const holdId of [first, second]) expect(await vote(ports, holdId, 'bob')).toBe('approved')
  clock.advance(999)
  expect((await session.resume(first, () => 1)).verdict).toBe('ran')
  clock.advance(1)
  expect(await session.resume(second, () => 1)).toMatchObject({ verdict: 'refused', cause: 'gate', rule: 'looked' })
})

test('a mark that another call takes away between the judgement and the claim of a yes refuses', async () => {
  const { store } = local()
  let between = (): Promise<unknown> => Promise.resolve()
  const holds: HoldStore = {
    ...store.holds,
    apply: async (id, event, entries, take) => {
      if (event.kind === 'claim') await between()
      return store.holds.apply(id, event, entries, take)
    },
  }
  const { session, ports } = stage({ rules: [confirm, looked], marks: [look, { gate: 'looked', tools: ['wipe'], clear: true }] }, { store: { ...store, holds } })
  await call(session, 'look')
  const { holdId = '' } = await call(session, 'pay')
  expect(await vote({ ...ports, store }, holdId, 'bob')).toBe('approved')
  between = () => call(session, 'wipe')
  let runs = 0
  expect(await session.resume(holdId, () => (runs += 1))).toMatchObject({ verdict: 'refused', cause: 'gate', rule: 'looked' })
  expect(runs).toBe(0)
})

test('a yes to less than what is to be asked now is no yes: a rule that asks since then is asked first', async () => {
  const { session, clock, ports } = stage({ rules: [confirm, known], marks: [{ gate: 'known', tools: ['meet'], expiresMs: 1_000 }] })
  await call(session, 'meet')
  const held = await call(session, 'pay')
  expect(held).toMatchObject({ question: 'Pay?' })
  expect(await vote(ports, held.holdId, 'bob')).toBe('approved')
  clock.advance(1_000)
  const again = await session.resume(held.holdId ?? '', () => 1)
  expect(again).toMatchObject({ verdict: 'held', question: 'Pay a stranger?\nPay?' })
  expect(await vote(ports, again.holdId, 'bob')).toBe('approved')
  expect((await session.resume(again.holdId ?? '', () => 1)).verdict).toBe('ran')
})

test('a rule that excludes the requester excludes whom the host names, and else the principal', async () => {
  const { ports } = stage({})
  const gatekeeper = createGatekeeper({ gates: { rules: [{ ...confirm, notBy: 'requester' }] }, ...ports })
  const named = gatekeeper.session('one', { principal: 'agent-7', requester: 'Ann' })
  const { holdId = '' } = await call(named, 'pay')
  await expect(vote(ports, holdId, 'ann')).rejects.toThrow('cannot be answered')
  expect(await vote(ports, holdId, 'bob')).toBe('approved')
  const plain = gatekeeper.session('two', { principal: 'bob' })
  const other = await call(plain, 'pay')
  await expect(vote(ports, other.holdId, 'bob')).rejects.toThrow('cannot be answered')
})

test('a confirm asks only about the calls that it is about', async () => {
  const { session } = stage({ rules: [{ ...confirm, when: ex('args.total >= 1000.0', ({ args }) => Number(args['total']) >= 1_000) }] })
  expect((await call(session, 'pay', { total: 999 })).verdict).toBe('ran')
  expect((await call(session, 'pay', { total: 1_000 })).verdict).toBe('held')
})

test('rules are about tools by what their server says of them, and about silent ones only where the rule says so', async () => {
  const destructive = { annotations: { destructiveHint: true }, message: 'Run {tool}?', gate: 'confirm' }
  const loose = stage({ rules: [{ ...destructive, unannotated: false }] }).session
  const strict = stage({ rules: [{ ...destructive, unannotated: true }] }).session
  for (const [session, silent] of [[loose, 'ran'], [strict, 'held']] as const) {
    expect((await session.call({ tool: 'wipe', annotations: { destructiveHint: true } }, () => 1)).verdict).toBe('held')
    expect((await session.call({ tool: 'get', annotations: { destructiveHint: false } }, () => 1)).verdict).toBe('ran')
    expect((await session.call({ tool: 'any' }, () => 1)).verdict).toBe(silent)
  }
})
