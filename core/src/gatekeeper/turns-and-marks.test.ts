import { expect, test } from 'vitest'
import type { GateRule, MarkRule } from '../gates/gate-rule.ts'
import type { JsonObject } from '../model/json-value.ts'
import type { Outcome } from './call.ts'
import type { Session } from './session.ts'
import { call, ex, stage } from './stage.fixture.ts'

const id = ex('args.id', ({ args }) => args['id'])
const edit: GateRule = { gate: 'read', tools: ['edit'], message: 'Read it first.', key: id }
const look: MarkRule = { gate: 'read', tools: ['look'], keys: id }
const openEdit: GateRule = { ...edit, require: ex('fact.open', ({ fact }) => fact['open']) }
const keepOpen: MarkRule = { ...look, keep: ex('result', ({ result }) => ({ open: result['open'] })) }

const inTurn = (session: Session, turn: string, tool: string, args: JsonObject = {}, result: unknown = {}): Promise<Outcome<unknown>> =>
  session.call({ tool, args, turn }, () => result)

test('a key that a sibling has read does not count for its siblings, even one after the other', async () => {
  const { session } = stage({ rules: [edit], marks: [look] })
  await call(session, 'look', { id: 'a' })
  await inTurn(session, 't', 'look', { id: 'b' })
  expect((await inTurn(session, 't', 'edit', { id: 'a' })).verdict).toBe('ran')
  expect((await inTurn(session, 't', 'edit', { id: 'b' })).verdict).toBe('refused')
  expect((await inTurn(session, 'u', 'edit', { id: 'b' })).verdict).toBe('ran')
})

test("a refusal names no key as marked that counts only for the turn's successors", async () => {
  const { session } = stage({ rules: [edit], marks: [look] })
  await call(session, 'look', { id: 'a' })
  await inTurn(session, 't', 'look', { id: 'b' })
  const { message } = await inTurn(session, 't', 'edit', { id: 'b' })
  expect(message).toContain('not marked for "b" (it is marked for "a")')
})

test('a fact that a sibling made worse refuses, and says that another call changed it; one that it made better satisfies nobody beside it', async () => {
  const { session } = stage({ rules: [openEdit], marks: [keepOpen] })
  await call(session, 'look', { id: 'a' }, { open: true })
  await inTurn(session, 't', 'look', { id: 'a' }, { open: false })
  const refused = await inTurn(session, 't', 'edit', { id: 'a' })
  expect(refused).toMatchObject({ verdict: 'refused', cause: 'gate', rule: 'read', unmet: [{ gate: 'read', why: 'require', key: '"a"' }] })
  expect(refused.message).toMatch(/^Read it first\.\n\nNothing was executed\. Another call changed what this rule reads while this one was judged or waited\. The gate "read" asks for fact\.open, .*look again first with "look"/)
  expect(await inTurn(session, 'u', 'edit', { id: 'a' })).toMatchObject({ verdict: 'refused', cause: 'gate', unmet: [{ why: 'require' }] })
  await inTurn(session, 'v', 'look', { id: 'a' }, { open: true })
  expect(await inTurn(session, 'v', 'edit', { id: 'a' })).toMatchObject({ verdict: 'refused', cause: 'gate', unmet: [{ why: 'require' }] })
})

test('a fact that a sibling made another, which satisfies the rule too, lets its siblings run', async () => {
  const { session } = stage({ rules: [openEdit], marks: [{ ...look, keep: ex('result', ({ result }) => result) }] })
  await call(session, 'look', { id: 'a' }, { open: true, n: 1 })
  await inTurn(session, 't', 'look', { id: 'a' }, { open: true, n: 2 })
  expect((await inTurn(session, 't', 'edit', { id: 'a' })).verdict).toBe('ran')
})

test('where a rule asks a person, either fact has it ask: the one before the turn, or the one that a sibling made', async () => {
  for (const [before, after] of [[true, false], [false, true]]) {
    const { session } = stage({ rules: [{ ...openEdit, otherwise: 'hold' }], marks: [keepOpen] })
    await call(session, 'look', { id: 'a' }, { open: before })
    await inTurn(session, 't', 'look', { id: 'a' }, { open: after })
    expect(await inTurn(session, 't', 'edit', { id: 'a' })).toMatchObject({ verdict: 'held', rule: 'read' })
  }
})

test.each<readonly [string, GateRule]>([['any mark', { gate: 'ok', tools: ['pay'], message: 'Ask first.' }], ['a fact', { gate: 'ok', tools: ['pay'], message: 'Ask first.', require: ex('fact.yes', ({ fact }) => fact['yes']) }]])(
  'uses that a sibling marks anew serve no sibling, whatever the rule asks: %s', async (_, rule) => {
    const keep = ex('{yes: true}', () => ({ yes: true }))
    for (const again of ['ask', 'ask_more', 'ask_ever']) {
      const { session } = stage({ rules: [rule], marks: [{ gate: 'ok', tools: ['ask'], keep, uses: 1 }, { gate: 'ok', tools: ['ask_more'], keep, uses: 5 }, { gate: 'ok', tools: ['ask_ever'], keep }] })
      await call(session, 'ask')
      await inTurn(session, 't', again)
      const paid = await Promise.all([inTurn(session, 't', 'pay'), inTurn(session, 't', 'pay')])
      for (const each of paid) expect(each).toMatchObject({ verdict: 'refused', cause: 'gate', rule: 'ok' })
      expect((await inTurn(session, 'u', 'pay')).verdict).toBe('ran')
    }
  },
)

test('a use of a mark that a sibling replaced one without uses by is spent by each sibling', async () => {
  const { session } = stage({ rules: [{ gate: 'ok', tools: ['pay'], message: 'Ask first.' }], marks: [{ gate: 'ok', tools: ['ask'] }, { gate: 'ok', tools: ['ask_once'], uses: 1 }] })
  await call(session, 'ask')
  await inTurn(session, 't', 'ask_once')
  expect((await inTurn(session, 't', 'pay')).verdict).toBe('ran')
  expect(await inTurn(session, 't', 'pay')).toMatchObject({ verdict: 'refused', cause: 'gate', rule: 'ok' })
})

test('a use that a sibling brings under another key is not spent in place of one that stood before', async () => {
  const { session } = stage({ rules: [{ gate: 'ok', tools: ['pay'], message: 'Ask first.' }], marks: [{ gate: 'ok', tools: ['ask'], keys: id, uses: 1 }] })
  await call(session, 'ask', { id: 'b' })
  await inTurn(session, 't', 'ask', { id: 'a' })
  expect((await inTurn(session, 't', 'pay')).verdict).toBe('ran')
  expect(await inTurn(session, 't', 'pay')).toMatchObject({ verdict: 'refused', cause: 'gate' })
  expect((await inTurn(session, 'u', 'pay')).verdict).toBe('ran')
})

test('a use is spent of a mark that counts, also where one that does not was made at the same time', async () => {
  const { session } = stage({ rules: [{ gate: 'ok', tools: ['pay'], message: 'Ask first.' }], marks: [{ gate: 'ok', tools: ['ask'], keys: id, uses: 1 }] })
  await call(session, 'ask', { id: 'b' })
  await inTurn(session, 't', 'ask', { id: 'a' })
  const paid = await Promise.all([inTurn(session, 't', 'pay'), inTurn(session, 't', 'pay')])
  expect(paid.map(({ verdict }) => verdict).toSorted()).toEqual(['ran', 'refused'])
})

test('what a sibling has cleared is gone for its siblings, though one of them reads it anew', async () => {
  const { session } = stage({ rules: [edit], marks: [look, { gate: 'read', tools: ['edit'], clear: true, keys: id }] })
  await call(session, 'look', { id: 'a' })
  await inTurn(session, 't', 'look', { id: 'a' })
  expect((await inTurn(session, 't', 'edit', { id: 'a' })).verdict).toBe('ran')
  await inTurn(session, 't', 'look', { id: 'a' })
  expect(await inTurn(session, 't', 'edit', { id: 'a' })).toMatchObject({ verdict: 'refused', cause: 'gate', rule: 'read' })
  expect((await inTurn(session, 'u', 'edit', { id: 'a' })).verdict).toBe('ran')
})

test('a mark that a sibling replaced goes stale at the time it had, not at the later one', async () => {
  const { session, clock } = stage({ rules: [edit], marks: [{ ...look, expiresMs: 1_000 }] })
  await call(session, 'look', { id: 'a' })
  clock.advance(600)
  await inTurn(session, 't', 'look', { id: 'a' })
  expect((await inTurn(session, 't', 'edit', { id: 'a' })).verdict).toBe('ran')
  clock.advance(400)
  expect((await inTurn(session, 't', 'edit', { id: 'a' })).verdict).toBe('refused')
  expect((await inTurn(session, 'u', 'edit', { id: 'a' })).verdict).toBe('ran')
})

test('one reply with the check and the action is refused in whatever order they come (case C5)', async () => {
  for (const order of [['look', 'edit'], ['edit', 'look']]) {
    const { session } = stage({ rules: [edit], marks: [look] })
    const outcomes = await session.turn(order.map((tool) => ({ tool, args: { id: 'a' } })), () => ({}))
    const refused = outcomes[order.indexOf('edit')]
    expect(refused).toMatchObject({ verdict: 'refused', rule: 'read' })
    expect(refused?.message).toContain('"look" is still running. Wait for its result')
    expect(outcomes[order.indexOf('look')]?.verdict).toBe('ran')
  }
})

test('what the user wrote while a turn ran counts for the next turn', async () => {
  const { session } = stage({ rules: [edit], marks: [{ gate: 'read', from: 'user', keys: ex('text', ({ text }) => text) }] })
  await inTurn(session, 't', 'other')
  await session.said('a')
  expect((await inTurn(session, 't', 'edit', { id: 'a' })).verdict).toBe('refused')
  expect((await inTurn(session, 'u', 'edit', { id: 'a' })).verdict).toBe('ran')
})
