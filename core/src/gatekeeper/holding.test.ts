import { expect, test } from 'vitest'
import { answerHold, createApproverToken, createGatekeeper } from '@callgate/core'
import type { Gatekeeper, GatekeeperOptions, Outcome, Session } from '@callgate/core'
import { local } from '@callgate/core/local'
import type { LocalPorts } from '@callgate/core/local'
import { fixedClock } from '@callgate/core/testing'

const GATES = [{ gate: 'confirm', tools: ['pay'], message: 'Pay this?' }]
const PAY = { tool: 'pay', args: { to: 'ann', amount: 5 } }

type House = {
  readonly ports: LocalPorts
  readonly gatekeeper: Gatekeeper
  readonly session: Session
  readonly clock: ReturnType<typeof fixedClock>
  answer(holdId: string, verdict: 'approve' | 'deny', reason?: string): Promise<unknown>
  again(options?: Partial<GatekeeperOptions>): Gatekeeper
}

async function house(options: Partial<GatekeeperOptions> = {}): Promise<House> {
  const clock = fixedClock(1_000)
  const ports = { ...local(), clock }
  const again = (more: Partial<GatekeeperOptions> = {}): Gatekeeper => createGatekeeper({ gates: GATES, ...ports, ...options, ...more })
  const gatekeeper = again()
  const { token } = await createApproverToken(ports, { name: 'Ann', roles: ['finance'] })
  return {
    ports,
    clock,
    gatekeeper,
    again,
    session: gatekeeper.session('s', { principal: 'p' }),
    answer: (holdId, verdict, reason) => answerHold(ports, { holdId, verdict, token, ...(reason !== undefined && { reason }) }),
  }
}

function held(outcome: Outcome<unknown>): string {
  if (outcome.verdict !== 'held') throw new Error(`expected a held call, got ${JSON.stringify(outcome)}`)
  return outcome.holdId
}

test('a confirmed call waits, shows its final arguments, and runs once after a yes', async () => {
  const { session, gatekeeper, answer } = await house()
  let runs = 0
  const run = (): number => (runs += 1)
  const outcome = await session.call(PAY, run)
  expect(outcome).toMatchObject({ verdict: 'held', question: 'Pay this?', rule: 'confirm', args: PAY.args, expiresAt: 601_000 })
  const id = held(outcome)
  expect(await gatekeeper.hold(id)).toMatchObject({ status: 'pending', tool: 'pay', args: '{"amount":5,"to":"ann"}', count: 1 })
  expect(await session.resume(id, run)).toMatchObject({ verdict: 'held', holdId: id })
  expect(runs).toBe(0)
  await answer(id, 'approve')
  expect(await session.resume(id, run)).toMatchObject({ verdict: 'ran', result: 1 })
  expect(await gatekeeper.hold(id)).toMatchObject({ status: 'ran' })
  expect(await session.resume(id, run)).toMatchObject({ verdict: 'refused', cause: 'used' })
  expect(runs).toBe(1)
})

test('an identical call spends the yes once, and the one after it asks anew', async () => {
  const { session, answer } = await house()
  const id = held(await session.call(PAY, () => 1))
  await answer(id, 'approve')
  expect((await session.call(PAY, () => 1)).verdict).toBe('ran')
  expect(held(await session.call(PAY, () => 1))).not.toBe(id)
})

test.each([
  ['other arguments', { ...PAY, args: { to: 'ann', amount: 6 } }],
  ['another spelling of the tool', { ...PAY, tool: 'pay ' }],
  ['another definition of the tool', { ...PAY, definition: 'd2' }],
  ['something else beside the arguments', { ...PAY, sent: 'x' }],
  ['another server', { ...PAY, server: 'b' }],
  ['another schema', { ...PAY, schema: { schemaId: 'pay', version: '2' } }],
])('a yes is not spent by %s', async (_what, call) => {
  const gates = [{ gate: 'confirm', tools: ['pay', 'pay '], message: 'Pay this?' }]
  const { session, answer } = await house({ gates })
  const id = held(await session.call(PAY, () => 1))
  await answer(id, 'approve')
  expect(held(await session.call(call, () => 1))).not.toBe(id)
})

test('a yes is not spent by another principal, who does not even learn of the hold', async () => {
  const { session, gatekeeper, answer } = await house()
  const id = held(await session.call(PAY, () => 1))
  await answer(id, 'approve')
  const stranger = gatekeeper.session('s', { principal: 'q' })
  expect(held(await stranger.call(PAY, () => 1))).not.toBe(id)
  await expect(stranger.resume(id, () => 1)).rejects.toMatchObject({ code: 'unknown_hold' })
})

test('a yes given under other rules is stale', async () => {
  const { session, again, answer } = await house()
  const id = held(await session.call(PAY, () => 1))
  await answer(id, 'approve')
  const changed = again({ gates: [...GATES, { gate: 'confirm', tools: ['pay'], message: 'Really?' }] }).session('s', { principal: 'p' })
  expect(await changed.resume(id, () => 1)).toMatchObject({ verdict: 'refused', cause: 'stale' })
  expect(await changed.call(PAY, () => 1)).toMatchObject({ verdict: 'held', question: 'Pay this?\nReally?' })
  expect((await session.call(PAY, () => 1)).verdict).toBe('held')
})

test('a yes survives a restart, and is spent once by the process that comes after', async () => {
  const { session, again, answer } = await house()
  const id = held(await session.call(PAY, () => 1))
  await answer(id, 'approve')
  const restarted = again().session('s2', { principal: 'p' })
  expect(await restarted.resume(id, (args) => args)).toMatchObject({ verdict: 'ran', result: PAY.args })
  expect(await session.resume(id, () => 1)).toMatchObject({ verdict: 'held' })
})

test('a no is told once with its reason and the next step, and an identical call then asks anew', async () => {
  const { session, answer } = await house()
  const id = held(await session.call(PAY, () => 1))
  await answer(id, 'deny', 'use the sandbox\u202e account')
  const refused = await session.call(PAY, () => 1)
  expect(refused).toMatchObject({ verdict: 'refused', cause: 'denied', rule: 'confirm' })
  expect(refused.verdict === 'refused' && refused.message).toMatch(/A person refused.*use the sandbox\\u\{202e\} account.*Nothing was executed.*not a fault/)
  expect(held(await session.call(PAY, () => 1))).not.toBe(id)
})

test('silence is a no of its own kind: the deadline counts when the yes is used', async () => {
  const { session, gatekeeper, answer, clock } = await house()
  const unanswered = held(await session.call(PAY, () => 1))
  clock.advance(600_000)
  await expect(answer(unanswered, 'approve')).rejects.toMatchObject({ code: 'invalid_answer' })
  expect(await session.resume(unanswered, () => 1)).toMatchObject({ verdict: 'refused', cause: 'expired' })
  const late = held(await session.call(PAY, () => 1))
  await answer(late, 'approve')
  clock.advance(600_000)
  expect(await session.resume(late, () => 1)).toMatchObject({ verdict: 'refused', cause: 'expired' })
  expect(await gatekeeper.hold(late)).toMatchObject({ status: 'expired' })
})

test('an explicit cancel is terminal, a caller that merely left is not', async () => {
  const { session, answer } = await house()
  const left = held(await session.call(PAY, () => 1))
  await session.leave(left)
  await answer(left, 'approve')
  expect((await session.call(PAY, () => 1)).verdict).toBe('ran')
  const cancelled = held(await session.call(PAY, () => 1))
  await session.cancel(cancelled)
  await expect(answer(cancelled, 'approve')).rejects.toMatchObject({ code: 'invalid_answer' })
  expect(await session.resume(cancelled, () => 1)).toMatchObject({ verdict: 'refused', cause: 'cancelled' })
})

test('identical calls that wait share one hold; one yes runs one of them, the others move to a new one', async () => {
  const { session, gatekeeper, answer } = await house()
  const first = await session.call(PAY, () => 1)
  const second = await session.call(PAY, () => 1)
  const id = held(first)
  expect(held(second)).toBe(id)
  expect(await gatekeeper.hold(id)).toMatchObject({ count: 2 })
  await answer(id, 'approve')
  let runs = 0
  const outcomes = await Promise.all([first, second].map(({ callId }) => session.resume(id, () => (runs += 1), { callId })))
  expect(outcomes.map((one) => one.verdict).sort()).toEqual(['held', 'ran'])
  expect(runs).toBe(1)
  const moved = outcomes.find((one) => one.verdict === 'held')
  expect(moved).toBeDefined()
  expect(moved && held(moved)).not.toBe(id)
})

test('a person is never asked about a call that a precondition or the arguments would refuse', async () => {
  const gates = [...GATES, { gate: 'checked', tools: ['pay'], message: 'Check first.' }]
  const { session, ports } = await house({ gates })
  expect(await session.call(PAY, () => 1)).toMatchObject({ verdict: 'refused', rule: 'checked' })
  await session.mark('checked')
  expect(await session.call({ ...PAY, args: { amount: Number.NaN } }, () => 1)).toMatchObject({ verdict: 'refused', cause: 'arguments' })
  expect(await ports.store.holds.list({ limit: 10 })).toEqual([])
})

test('at the claim everything is judged again: a precondition that no longer stands refuses, and the yes stays unspent', async () => {
  const gates = [...GATES, { gate: 'checked', tools: ['pay'], message: 'Check first.' }]
  const { session, ports, answer, gatekeeper } = await house({ gates })
  await session.mark('checked')
  const id = held(await session.call(PAY, () => 1))
  await answer(id, 'approve')
  await ports.store.marks.reset({ principal: 'p', session: 's' })
  expect(await session.resume(id, () => 1)).toMatchObject({ verdict: 'refused', cause: 'gate' })
  expect(await gatekeeper.hold(id)).toMatchObject({ status: 'approved' })
})

test('a claim whose process ended is an unknown outcome: told once, never run again under the same yes', async () => {
  const { session, gatekeeper, again, answer } = await house({ owner: 'dead' })
  const id = held(await session.call(PAY, () => 1))
  await answer(id, 'approve')
  void session.resume(id, () => new Promise(() => undefined))
  await expect.poll(async () => (await gatekeeper.hold(id))?.status).toBe('claimed')
  const restarted = again({ owner: 'alive', isOwnerGone: (owner) => owner === 'dead' })
  expect(await restarted.recover()).toBe(1)
  expect(await restarted.recover()).toBe(0)
  const after = restarted.session('s2', { principal: 'p' })
  expect(await after.call(PAY, () => 1)).toMatchObject({ verdict: 'refused', cause: 'unknown_outcome' })
  expect(held(await after.call(PAY, () => 1))).not.toBe(id)
})

test('a claim is kept alive while its call runs, and lost only when nobody renews it', async () => {
  const { session, gatekeeper, again, answer, clock } = await house({ owner: 'slow' })
  const id = held(await session.call(PAY, () => 1))
  await answer(id, 'approve')
  let finish = (): void => undefined
  const running = session.resume(id, () => new Promise<void>((resolve) => (finish = resolve)))
  for (let second = 0; second < 60; second += 10) {
    await expect.poll(async () => (await gatekeeper.hold(id))?.claim?.leaseUntil).toBe(clock.now() + 30_000)
    clock.advance(10_000)
  }
  expect(await again().recover()).toBe(0)
  finish()
  expect((await running).verdict).toBe('ran')
})

test('a failed run is recorded as failed, its error thrown on, and its yes is spent', async () => {
  const { session, gatekeeper, answer } = await house()
  const id = held(await session.call(PAY, () => 1))
  await answer(id, 'approve')
  await expect(session.resume(id, () => Promise.reject(new Error('bank down')))).rejects.toThrow('bank down')
  expect(await gatekeeper.hold(id)).toMatchObject({ status: 'failed' })
  expect(await session.resume(id, () => 1)).toMatchObject({ verdict: 'refused', cause: 'used' })
})

test('a yes survives a restart with the schema that the call was judged with, and is stale under another', async () => {
  const { session, again, answer } = await house()
  const schema = { schemaId: 'pay', version: '1' }
  const first = held(await session.call({ ...PAY, schema, definition: 'd1' }, () => 1))
  await answer(first, 'approve')
  expect((await again().session('s2', { principal: 'p' }).resume(first, () => 1)).verdict).toBe('ran')
  const second = held(await session.call({ ...PAY, schema, definition: 'd1' }, () => 1))
  await answer(second, 'approve')
  const changed = { schema: { schemaId: 'pay', version: '2' } }
  expect(await again().session('s3', { principal: 'p' }).resume(second, () => 1, changed)).toMatchObject({ verdict: 'refused', cause: 'stale' })
})
