import { expect, test } from 'vitest'
import { createApproverToken, createGatekeeper } from '@callgate/core'
import type { Approver, ToolCall } from '@callgate/core'
import { local } from '@callgate/core/local'

const GATES = [{ gate: 'confirm', tools: ['pay'], message: 'Pay?' }]

test.each([
  ['a JSON Schema itself', { tool: 'a', schema: { type: 'object', properties: {} } }, /ArgumentsSchema\.create/],
  ['a server that is no text', { tool: 'a', server: 5 }, /server is well-formed text/],
  ['an empty definition', { tool: 'a', definition: '' }, /definition is/],
  ['what is sent as a number', { tool: 'a', sent: 5 }, /sent is/],
  ['annotations that are none', { tool: 'a', annotations: null }, /annotations are an object/],
  ['a listing that is no yes or no', { tool: 'a', isListed: null }, /isListed is true or false/],
  ['no object at all', null, /an object with a tool/],
])('a call with %s is the host\'s mistake, and says so', async (_what, call, message) => {
  const session = createGatekeeper({ gates: GATES, ...local() }).session('s', { principal: 'p' })
  const calling = session.call(call as unknown as ToolCall, () => 1)
  await expect(calling).rejects.toThrow(message)
  await expect(calling).rejects.toMatchObject({ code: 'invalid_call' })
})

test.each([
  ['true', true],
  ['a yes without a name', { verdict: 'approve' }],
  ['a yes by nobody', { verdict: 'approve', approver: '  ' }],
  ['another word than yes or no', { verdict: 'ok', approver: 'Ann' }],
  ['a reason that is no text', { verdict: 'deny', approver: 'Ann', reason: 5 }],
  ['null', null],
])('an approver that answers %s has not answered', async (_what, reply) => {
  const approver = { ask: async () => reply } as unknown as Approver
  const session = createGatekeeper({ gates: GATES, approver, ...local() }).session('s', { principal: 'p' })
  expect((await session.call({ tool: 'pay' }, () => 1)).verdict).toBe('held')
})

test.each(['Ann\u202e', 'Ann\n', '\u200b'])('an approver cannot be named with what nobody sees: %j', async (name) => {
  await expect(createApproverToken(local(), { name, roles: [] })).rejects.toMatchObject({ code: 'invalid_option' })
})

test.each([
  ['keys that are no list', { keys: 'INV-7' }],
  ['a key that is missing', { keys: ['INV-7', null] }],
  ['more facts than keys', { keys: ['INV-7'], facts: [1, 2] }],
  ['a key that is no exact JSON', { keys: [Number.NaN] }],
])('%s mark nothing and are told', async (_, detail) => {
  const session = createGatekeeper({ gates: [{ gate: 'listed', tools: ['set'], message: 'List first.' }], ...local() }).session('s', { principal: 'p' })
  await expect(session.mark('listed', detail as never)).rejects.toMatchObject({ code: 'invalid_call' })
  await expect(session.said(7 as never)).rejects.toMatchObject({ code: 'invalid_call' })
  expect((await session.call({ tool: 'set' }, () => 1)).verdict).toBe('refused')
})

test('without a scope a mark while calls are in flight is refused, since it might outlive their failure', async () => {
  const { scope: _scope, ...ports } = local()
  const session = createGatekeeper({ gates: [{ gate: 'ok', tools: ['set'], message: 'Not yet.' }], ...ports }).session('s', { principal: 'p' })
  const marking = session.call({ tool: 'list' }, () => session.mark('ok'))
  await expect(marking).rejects.toMatchObject({ code: 'invalid_call' })
  expect((await session.call({ tool: 'set' }, () => 1)).verdict).toBe('refused')
  await session.mark('ok')
  expect((await session.call({ tool: 'set' }, () => 1)).verdict).toBe('ran')
})
