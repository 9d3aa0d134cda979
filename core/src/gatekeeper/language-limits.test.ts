import { expect, test } from 'vitest'
import { fixedClock } from '../testing/fixed-clock.ts'
import { local } from '../local/local.ts'
import type { Expression, ExpressionInput } from '../gates/expression.ts'
import type { GateRules } from '../gates/gate-rule.ts'
import type { JsonObject } from '../model/json-value.ts'
import { answerHold, createApproverToken } from './answer-hold.ts'
import type { Outcome } from './call.ts'
import { createGatekeeper } from './create-gatekeeper.ts'
import type { GatekeeperOptions } from './create-gatekeeper.ts'
import type { Session } from './session.ts'

const ex = (source: string, evaluate: (args: JsonObject) => unknown): Expression => ({ source, evaluate: ({ args = {} }: ExpressionInput) => evaluate(args) })
const amount = ex('args.amount', (args) => args['amount'])

function start(gates: Partial<GateRules>, more: Partial<GatekeeperOptions> = {}): { session: Session; clock: ReturnType<typeof fixedClock>; ports: ReturnType<typeof local>; answer(holdId: string, name: string, roles?: readonly string[], verdict?: 'approve' | 'deny'): Promise<string> } {
  const clock = fixedClock(1_000)
  const ports = { ...local(), clock }
  const gatekeeper = createGatekeeper({ gates: { rules: [], ...gates }, ...ports, schemaless: 'allow', ...more })
  return {
    session: gatekeeper.session('s', { principal: 'ann' }),
    clock,
    ports,
    async answer(holdId, name, roles = [], verdict = 'approve') {
      const { token } = await createApproverToken(ports, { name, roles })
      return answerHold(ports, { holdId, verdict, token }).then(({ status }) => status, (error: Error) => error.message)
    },
  }
}

const call = (session: Session, tool: string, args: JsonObject = {}): Promise<Outcome<unknown>> => session.call({ tool, args }, () => 1)
const verdicts = async (session: Session, tool: string, ...all: readonly JsonObject[]): Promise<readonly string[]> => {
  const found: string[] = []
  for (const args of all) found.push((await call(session, tool, args)).verdict)
  return found
}

test('so many calls may run in a window, and more once it has moved on', async () => {
  const { session, clock } = start({ limits: [{ tools: ['mail'], calls: 2, perMs: 1_000 }] })
  expect(await verdicts(session, 'mail', {}, {}, {})).toEqual(['ran', 'ran', 'refused'])
  const { message } = await call(session, 'mail')
  expect(message).toContain('at most 2 of them may run within 1s (limits). Nothing was executed. It opens again within 1s')
  expect(await call(session, 'mail')).toMatchObject({ cause: 'limit', rule: 'limits' })
  clock.advance(1_000)
  expect(await verdicts(session, 'mail', {})).toEqual(['ran'])
})

test('a sum is exact, and what is no number that is not negative refuses', async () => {
  const { session } = start({ limits: [{ tools: ['pay'], sum: amount, max: 0.3 }] })
  expect(await verdicts(session, 'pay', { amount: 0.1 }, { amount: 0.2 }, { amount: 0.01 })).toEqual(['ran', 'ran', 'refused'])
  const windowed = start({ limits: [{ tools: ['pay'], sum: amount, max: 1, perMs: 60_000 }] })
  expect((await call(windowed.session, 'pay', { amount: 2 })).message).toContain('What ran counts for 1m, and a smaller amount may fit before')
  const other = start({ limits: [{ tools: ['pay'], sum: amount, max: 100 }] })
  for (const wrong of [{ amount: '5' }, { amount: -1 }, {}, { amount: null }]) expect(await call(other.session, 'pay', wrong)).toMatchObject({ verdict: 'refused', cause: 'limit' })
})

test('identical calls in a row are bounded, refusals do not count, and a changed mark begins anew', async () => {
  const { session } = start({
    rules: [{ gate: 'looked', tools: ['refund'], message: 'Look first.' }], marks: [{ gate: 'looked', tools: ['look'] }], limits: [{ repeats: 3 }],
  })
  expect(await verdicts(session, 'refund', {}, {}, {}, {})).toEqual(['refused', 'refused', 'refused', 'refused'])
  await call(session, 'look')
  expect(await verdicts(session, 'refund', {}, {}, {}, {})).toEqual(['ran', 'ran', 'ran', 'refused'])
  expect(await verdicts(session, 'refund', { n: 1 })).toEqual(['ran'])
})

test.each<readonly [string, Partial<GateRules>, string, string, RegExp]>([
  ['deny', { deny: ['drop_*'] }, 'deny', 'deny', /is forbidden here/],
  ['allow', { allow: ['get_*'] }, 'deny', 'allow', /not among those that are allowed/],
  ['default', { default: 'refuse' }, 'deny', 'default', /No rule is about the tool/],
])('a tool that `%s` refuses is told so, with nothing that would open it', async (_, gates, cause, rule, words) => {
  expect(await call(start(gates).session, 'drop_all')).toMatchObject({ verdict: 'refused', cause, rule, message: expect.stringMatching(words) as string })
})

test('a tool that the server does not list is another refusal than a forbidden one', async () => {
  const listed = { tool: 'add', isListed: false }
  expect(await start({}).session.call(listed, () => 1)).toMatchObject({ cause: 'unlisted', message: expect.stringContaining('does not exist on this server') as string })
  expect((await start({ unlisted: 'allow' }).session.call(listed, () => 1)).verdict).toBe('ran')
})

test('`default: confirm` asks a person about a tool that no rule names', async () => {
  expect(await call(start({ default: 'confirm' }).session, 'wipe')).toMatchObject({ verdict: 'held', question: 'Run wipe?', rule: 'confirm' })
})

test('deny comes before an unmet rule, that before a hold, and a person is never asked about what is refused', async () => {
  const rules = [
    { gate: 'confirm', tools: ['*'], message: 'Sure?' }, { gate: 'known', tools: ['pay'], message: 'Who is it?', otherwise: 'hold' as const },
    { gate: 'looked', tools: ['pay'], message: 'Look first.' },
  ]
  const { session, ports } = start({ rules, marks: [{ gate: 'looked', tools: ['see'] }], external: ['known'], deny: ['drop'] })
  expect(await call(session, 'drop')).toMatchObject({ verdict: 'refused', rule: 'deny' })
  expect(await call(session, 'pay')).toMatchObject({ verdict: 'refused', rule: 'looked' })
  expect(await ports.store.holds.list({ limit: 5 })).toEqual([])
})

test('all that must be asked is one hold, with every quorum and the earliest deadline', async () => {
  const rules = [
    { gate: 'known', tools: ['pay'], message: 'Pay a stranger?', otherwise: 'hold' as const, approvers: ['finance'], quorum: 2, expiresMs: 5_000 },
    { gate: 'confirm', tools: ['pay'], message: 'Run {tool}?', notBy: 'requester' as const },
  ]
  const { session, answer } = start({ rules, external: ['known'] })
  const held = await call(session, 'pay')
  expect(held).toMatchObject({ verdict: 'held', rule: 'known', question: 'Pay a stranger?\nRun pay?', expiresAt: 6_000 })
  const holdId = held.holdId ?? ''
  expect(await answer(holdId, 'eve')).toBe('pending')
  expect(await answer(holdId, 'bob', ['finance'])).toBe('pending')
  expect(await answer(holdId, 'Ann ', ['finance'])).toBe('approved')
  expect(await session.resume(holdId, () => 2)).toMatchObject({ verdict: 'ran', result: 2 })
})

test('the requester alone cannot answer where a rule excludes them', async () => {
  const { session, answer } = start({ rules: [{ gate: 'confirm', tools: ['pay'], message: 'Pay?', notBy: 'requester' }] })
  const { holdId = '' } = await call(session, 'pay')
  expect(await answer(holdId, 'ANN')).toContain('cannot be answered')
  expect(await session.resume(holdId, () => 2)).toMatchObject({ verdict: 'held' })
})

test('the yes meets the rules that asked, and a mark that went stale meanwhile refuses', async () => {
  const rules = [{ gate: 'looked', tools: ['pay'], message: 'Look first.' }, { gate: 'confirm', tools: ['pay'], message: 'Pay?' }]
  const { session, clock, answer } = start({ rules, marks: [{ gate: 'looked', tools: ['look'], expiresMs: 1_000 }] })
  await call(session, 'look')
  const { holdId = '' } = await call(session, 'pay')
  expect(await answer(holdId, 'bob')).toBe('approved')
  clock.advance(1_000)
  expect(await session.resume(holdId, () => 2)).toMatchObject({ verdict: 'refused', rule: 'looked' })
  // The call that waits was made before this look; the same call made after it may spend the yes.
  await call(session, 'look')
  expect((await call(session, 'pay')).verdict).toBe('ran')
})

test('a limit is charged at the claim, so that a yes does not go over it', async () => {
  const { session, answer } = start({ rules: [{ gate: 'confirm', tools: ['pay'], message: 'Pay?' }], limits: [{ tools: ['pay'], calls: 1 }] })
  const one = await call(session, 'pay', { n: 1 })
  const two = await call(session, 'pay', { n: 2 })
  for (const { holdId = '' } of [one, two]) expect(await answer(holdId, 'bob')).toBe('approved')
  expect((await session.resume(one.holdId ?? '', () => 1)).verdict).toBe('ran')
  expect(await session.resume(two.holdId ?? '', () => 1)).toMatchObject({ verdict: 'refused', cause: 'limit' })
})

test('a rule about arguments refuses where no schema vouches for them, and the host may say that it does', async () => {
  const gates = { rules: [{ gate: 'confirm', tools: ['pay'], message: 'Pay?', when: ex('args.amount > 5', (args) => Number(args['amount']) > 5) }] }
  const strict = start(gates, { schemaless: 'refuse' }).session
  expect(await call(strict, 'pay', { amount: 1 })).toMatchObject({ verdict: 'refused', unmet: [{ why: 'arguments' }] })
  const schema = { schemaId: 's', version: '1', faultOf: (args: JsonObject) => (typeof args['amount'] === 'number' ? undefined : 'amount is no number.') }
  expect((await strict.call({ tool: 'pay', args: { amount: 1 }, schema }, () => 1)).verdict).toBe('ran')
  expect((await strict.call({ tool: 'pay', args: { amount: 9 }, schema }, () => 1)).verdict).toBe('held')
  expect((await strict.call({ tool: 'pay', args: { amount: '9' }, schema }, () => 1)).message).toContain('amount is no number.')
})

test('an expression that fails while a call is judged refuses it, naming rule and line', async () => {
  const { session } = start({ rules: [{ gate: 'confirm', tools: ['pay'], message: 'Pay?', line: 7, when: ex('args.x', () => { throw new Error('no such overload') }) }] })
  const refused = await call(session, 'pay')
  expect(refused).toMatchObject({ verdict: 'refused', unmet: [{ gate: 'confirm', why: 'rule_error', line: 7 }] })
  expect(refused.message).toContain('The rule of the gate "confirm" (line 7) could not be judged (rule_error): args.x: no such overload')
})
