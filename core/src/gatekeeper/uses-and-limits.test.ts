import { expect, test } from 'vitest'
import type { GateRules } from '../gates/gate-rule.ts'
import type { JsonObject } from '../model/json-value.ts'
import { createGatekeeper } from './create-gatekeeper.ts'
import { call, ex, recorded, stage, verdicts, vote } from './stage.fixture.ts'

const amount = ex('args.amount', ({ args }) => args['amount'])
const pay = { gate: 'ok', tools: ['pay'], message: 'Ask first.' }
const fail = (): never => {
  throw new Error('no')
}
const oneUse: Partial<GateRules> = { rules: [pay], marks: [{ gate: 'ok', tools: ['ask'], uses: 1 }] }

test('a mark serves so many calls that need it, and no other call spends it', async () => {
  const { session } = stage({ rules: [pay], marks: [{ gate: 'ok', tools: ['ask'], uses: 2 }] })
  await call(session, 'ask')
  await verdicts(session, 'other', {}, {})
  expect(await verdicts(session, 'pay', {}, {}, {})).toEqual(['ran', 'ran', 'refused'])
  await call(session, 'ask')
  expect(await verdicts(session, 'pay', {})).toEqual(['ran'])
})

test('of many calls at once as many run as there are uses, and the others are refused by the gate', async () => {
  const { session } = stage({ rules: [pay], marks: [{ gate: 'ok', tools: ['ask'], keys: ex('result', ({ result }) => result), uses: 1 }] })
  await call(session, 'ask', {}, ['a', 'b', 'c'])
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => call(session, 'pay')))
  expect(outcomes.map(({ verdict }) => verdict).toSorted()).toEqual(['ran', 'ran', 'ran', 'refused', 'refused'])
  for (const one of outcomes.filter(({ verdict }) => verdict === 'refused')) expect(one).toMatchObject({ cause: 'gate', rule: 'ok' })
})

test('two processes over one store have one use between them', async () => {
  const { session, ports } = stage(oneUse)
  const other = createGatekeeper({ gates: { rules: [], ...oneUse }, ...ports }).session('s', { principal: 'ann' })
  await call(session, 'ask')
  const both = await Promise.all([call(session, 'pay'), call(other, 'pay')])
  expect(both.map(({ verdict }) => verdict).toSorted()).toEqual(['ran', 'refused'])
})

test('a held call has spent nothing until it is claimed, and then its one use', async () => {
  const { session, ports } = stage({ ...oneUse, rules: [pay, { gate: 'confirm', tools: ['pay'], message: 'Pay?', when: ex('args.big', ({ args }) => args['big']) }] })
  await call(session, 'ask')
  const { holdId = '' } = await call(session, 'pay', { big: true })
  expect((await call(session, 'pay', { big: false })).verdict).toBe('ran')
  expect(await vote(ports, holdId, 'bob')).toBe('approved')
  expect(await session.resume(holdId, () => 1)).toMatchObject({ verdict: 'refused', cause: 'gate', rule: 'ok' })
})

test('a failed call is charged to its limits, and a refused or held one is not', async () => {
  const { session } = stage({
    rules: [{ gate: 'ok', tools: ['pay'], message: 'Ask first.', when: ex('args.wild', ({ args }) => args['wild']) }, { gate: 'confirm', tools: ['pay'], message: 'Pay?', when: ex('args.big', ({ args }) => args['big']) }],
    external: ['ok'],
    limits: [{ tools: ['pay'], calls: 2 }],
  })
  const small = { wild: false, big: false }
  expect(await verdicts(session, 'pay', { ...small, wild: true }, { ...small, big: true }, { ...small, big: true })).toEqual(['refused', 'held', 'held'])
  await expect(session.call({ tool: 'pay', args: small }, fail)).rejects.toThrow('no')
  expect(await verdicts(session, 'pay', small, small)).toEqual(['ran', 'refused'])
})

test('a window moves: each call counts until its own time is over', async () => {
  const { session, clock } = stage({ limits: [{ tools: ['mail'], calls: 2, perMs: 1_000 }] })
  expect(await verdicts(session, 'mail', {})).toEqual(['ran'])
  clock.advance(600)
  expect(await verdicts(session, 'mail', {}, {})).toEqual(['ran', 'refused'])
  clock.advance(399)
  expect(await verdicts(session, 'mail', {})).toEqual(['refused'])
  clock.advance(1)
  expect(await verdicts(session, 'mail', {}, {})).toEqual(['ran', 'refused'])
})

test('a sum counts within its window, and a call that would go over it is refused whole', async () => {
  const { session, clock } = stage({ limits: [{ tools: ['pay'], sum: amount, max: 500, perMs: 1_000 }] })
  expect(await verdicts(session, 'pay', { amount: 300 }, { amount: 201 }, { amount: 200 }, { amount: 1 })).toEqual(['ran', 'refused', 'ran', 'refused'])
  expect((await call(session, 'pay', { amount: 1 })).message).toContain('the sum of args.amount may be at most 500 within 1s (limits). Nothing was executed.')
  clock.advance(1_000)
  expect(await verdicts(session, 'pay', { amount: 500 }, { amount: 0 })).toEqual(['ran', 'ran'])
})

test('of calls at once that together go over a sum, those that fit run', async () => {
  const { session } = stage({ limits: [{ tools: ['pay'], sum: amount, max: 500 }] })
  const outcomes = await Promise.all([300, 300, 200].map((each) => call(session, 'pay', { amount: each })))
  expect(outcomes.map(({ verdict }) => verdict)).toEqual(['ran', 'refused', 'ran'])
})

test.each<readonly [string, JsonObject]>([
  ['text', { amount: '5' }], ['a negative number', { amount: -1 }], ['nothing', {}], ['null', { amount: null }], ['a list', { amount: [5] }],
])('a sum over %s refuses the call and charges nothing', async (_, args) => {
  const found = stage({ limits: [{ tools: ['pay'], sum: amount, max: 5, line: 9 }] })
  const refused = await call(found.session, 'pay', args)
  expect(refused).toMatchObject({ verdict: 'refused', cause: 'limit', rule: 'limits' })
  expect(refused.message).toContain('a limit (line 9)')
  expect(refused.message).toContain('Nothing was executed.')
  expect(await verdicts(found.session, 'pay', { amount: 5 })).toEqual(['ran'])
})

test('several limits hold together: what one refuses, no other charges', async () => {
  const { session } = stage({ limits: [{ tools: ['pay'], calls: 2 }, { tools: ['pay', 'mail'], sum: amount, max: 10 }] })
  expect(await verdicts(session, 'pay', { amount: 8 }, { amount: 8 }, { amount: 2 }, { amount: 0 })).toEqual(['ran', 'refused', 'ran', 'refused'])
  expect(await verdicts(session, 'mail', { amount: 0 }, { amount: 1 })).toEqual(['ran', 'refused'])
})

test('limits are per session', async () => {
  const { ports } = stage({})
  const gatekeeper = createGatekeeper({ gates: { rules: [], limits: [{ tools: ['mail'], calls: 1 }] }, ...ports })
  expect(await verdicts(gatekeeper.session('one', { principal: 'ann' }), 'mail', {}, {})).toEqual(['ran', 'refused'])
  expect(await verdicts(gatekeeper.session('two', { principal: 'ann' }), 'mail', {})).toEqual(['ran'])
  expect(await verdicts(gatekeeper.session('one', { principal: 'bob' }), 'mail', {})).toEqual(['ran'])
})

test('a guard does not count its own refusals: the way out stays open (case C12)', async () => {
  const { session } = stage({
    rules: [{ gate: 'looked', tools: ['process_refund'], message: 'Look up the order first.' }],
    marks: [{ gate: 'looked', tools: ['orders.lookup'] }],
    limits: [{ repeats: 3 }],
  })
  expect(await verdicts(session, 'process_refund', {}, {}, {}, {})).toEqual(['refused', 'refused', 'refused', 'refused'])
  expect((await call(session, 'orders.lookup')).verdict).toBe('ran')
  expect((await call(session, 'process_refund')).verdict).toBe('ran')
})

test('identical calls in a row are bounded whatever the order of their members, and another call breaks the row', async () => {
  const { session } = stage({ limits: [{ repeats: 2 }] })
  expect(await verdicts(session, 'get', { a: 1, b: 2 }, { b: 2, a: 1 }, { a: 1, b: 2 })).toEqual(['ran', 'ran', 'refused'])
  expect((await call(session, 'get', { a: 1, b: 2 })).message).toContain('The same call of "get" ran 2 times in a row, the most that is allowed (limits). Nothing was executed.')
  await call(session, 'put')
  expect(await verdicts(session, 'get', { a: 1, b: 2 })).toEqual(['ran'])
})

test('the row begins anew when a mark changes, and not when the same is marked again', async () => {
  const { session } = stage({
    marks: [{ gate: 'seen', tools: ['poll'], keys: ex('"job"', () => 'job'), keep: ex('result', ({ result }) => result) }], limits: [{ tools: ['poll'], repeats: 2 }],
  })
  const poll = async (result: string): Promise<string> => (await call(session, 'poll', {}, result)).verdict
  expect([await poll('waiting'), await poll('waiting'), await poll('waiting')]).toEqual(['ran', 'ran', 'ran'])
  expect(await poll('waiting')).toBe('refused')
  await session.mark('seen', { keys: ['other'] })
  expect([await poll('done'), await poll('done'), await poll('done'), await poll('done')]).toEqual(['ran', 'ran', 'ran', 'refused'])
})

test('a refusal by a limit is recorded as one, with the line of the limit', async () => {
  const found = stage({ limits: [{ tools: ['mail'], calls: 1, line: 12 }] })
  await verdicts(found.session, 'mail', {}, {})
  expect((await recorded(found, 'decision')).at(-1)).toMatchObject({ verdict: 'refuse', cause: 'limit', limit: 12 })
})

test.each<readonly [string, GateRules['limits'], RegExp]>([
  ['calls', [{ tools: ['pay'], calls: 1 }], /A limit on calls of "pay" is reached: at most 1/],
  ['a sum', [{ tools: ['pay'], sum: amount, max: 7 }], /the sum of args.amount may be at most 7/],
  ['repeats', [{ tools: ['pay'], repeats: 1 }], /The same call of "pay" ran 1 times in a row/],
])('nobody is asked about a call whose limit is reached: %s', async (_, limits = [], words) => {
  let asked = 0
  const approver = { ask: async () => ({ verdict: 'approve', approver: `bob ${(asked += 1)}` }) as const }
  const { session, ports } = stage({ rules: [{ gate: 'confirm', tools: ['pay'], message: 'Pay?' }], limits }, { approver })
  expect(await verdicts(session, 'pay', { amount: 5 })).toEqual(['ran'])
  const refused = await call(session, 'pay', { amount: 5 })
  expect(refused).toMatchObject({ verdict: 'refused', cause: 'limit', rule: 'limits' })
  expect(refused.message).toMatch(words)
  expect([asked, (await ports.store.holds.list({ limit: 9 })).length]).toEqual([1, 1])
})

test('a limit that is reached while a call waits is found when its yes is spent', async () => {
  const { session, ports } = stage({ rules: [{ gate: 'confirm', tools: ['pay'], message: 'Pay?', when: ex('args.big', ({ args }) => args['big']) }], limits: [{ tools: ['pay'], calls: 1 }] })
  const { holdId = '' } = await call(session, 'pay', { big: true })
  expect(await verdicts(session, 'pay', { big: false })).toEqual(['ran'])
  expect(await vote(ports, holdId, 'bob')).toBe('approved')
  expect(await session.resume(holdId, () => 1)).toMatchObject({ verdict: 'refused', cause: 'limit' })
})
