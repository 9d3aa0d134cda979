import { expect, test } from 'vitest'
import { createGatekeeper, GateManager } from '@callgate/core'
import { local } from '@callgate/core/local'

const RULES = [{ gate: 'invoice_listed', tools: ['set_invoice_status'], message: 'Run list_invoices first.' }]
const GATES = { rules: RULES, marks: [{ gate: 'invoice_listed', tools: ['list_invoices'] }] }

const listInvoices = { tool: 'list_invoices', args: {} }
const setStatus = { tool: 'set_invoice_status', args: { id: 'INV-7', status: 'paid' } }

test('a tool does not run until its gate is marked, and the model reads why and the way out', async () => {
  const session = createGatekeeper({ gates: GATES, ...local() }).session('s', { principal: 'p' })
  let runs = 0
  const refused = await session.call(setStatus, () => (runs += 1))
  expect(refused).toMatchObject({ verdict: 'refused', cause: 'gate', rule: 'invoice_listed', unmet: [{ gate: 'invoice_listed' }] })
  expect(refused.verdict === 'refused' && refused.message).toMatch(/^Run list_invoices first\.\n\nNothing was executed\. .*"invoice_listed".*"list_invoices"/)
  expect(runs).toBe(0)
})

test('the prerequisite opens the gate, and the call then runs once with its arguments', async () => {
  const session = createGatekeeper({ gates: GATES, ...local() }).session('s', { principal: 'p' })
  await session.call(listInvoices, () => [])
  const outcome = await session.call(setStatus, (args) => args['id'])
  expect(outcome).toMatchObject({ verdict: 'ran', result: 'INV-7', repaired: false, args: setStatus.args })
})

test('a gate is open in its own session and for its own principal only', async () => {
  const gatekeeper = createGatekeeper({ gates: GATES, ...local() })
  await gatekeeper.session('s', { principal: 'p' }).call(listInvoices, () => [])
  expect((await gatekeeper.session('s', { principal: 'p' }).call(setStatus, () => 1)).verdict).toBe('ran')
  expect((await gatekeeper.session('s', { principal: 'q' }).call(setStatus, () => 1)).verdict).toBe('refused')
  expect((await gatekeeper.session('t', { principal: 'p' }).call(setStatus, () => 1)).verdict).toBe('refused')
})

test('what failed, was incomplete or was refused marks nothing', async () => {
  const gates = { rules: [...RULES, { gate: 'open', tools: ['list_invoices'], message: 'Not yet.' }], marks: GATES.marks }
  const completion = (result: unknown): 'failure' | 'incomplete' => (result === 'task' ? 'incomplete' : 'failure')
  const session = createGatekeeper({ gates, ...local(), completion }).session('s', { principal: 'p' })
  expect((await session.call(listInvoices, () => [])).verdict).toBe('refused')
  await session.mark('open')
  await session.call(listInvoices, () => 'error')
  await session.call(listInvoices, () => 'task')
  await expect(session.call(listInvoices, () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect((await session.call(setStatus, () => 1)).verdict).toBe('refused')
})

test('a result that cannot be read marks nothing and is returned all the same', async () => {
  const warnings: string[] = []
  const completion = (): never => {
    throw new Error('unreadable')
  }
  const session = createGatekeeper({ gates: GATES, ...local(), completion, warn: (text) => warnings.push(text) }).session('s', { principal: 'p' })
  expect(await session.call(listInvoices, () => 'raw')).toMatchObject({ verdict: 'ran', result: 'raw' })
  expect((await session.call(setStatus, () => 1)).verdict).toBe('refused')
  expect(warnings.join()).toContain('unreadable')
})

test('a mark from inside run counts when that call succeeds, and one from outside at once', async () => {
  const gates = { rules: RULES, external: ['invoice_listed'] }
  const session = createGatekeeper({ gates, ...local() }).session('s', { principal: 'p' })
  const marking = async (): Promise<never> => {
    await session.mark('invoice_listed')
    throw new Error('after all')
  }
  await expect(session.call(listInvoices, marking)).rejects.toThrow('after all')
  expect((await session.call(setStatus, () => 1)).verdict).toBe('refused')
  await session.call(listInvoices, (_args, { mark }) => mark('invoice_listed'))
  expect((await session.call(setStatus, () => 1)).verdict).toBe('ran')

  const other = createGatekeeper({ gates, ...local() }).session('s', { principal: 'p' })
  await other.mark('invoice_listed')
  expect((await other.call(setStatus, () => 1)).verdict).toBe('ran')
})

test('confirm can be neither marked from inside a run nor from outside', async () => {
  const session = createGatekeeper({ gates: RULES, ...local() }).session('s', { principal: 'p' })
  await expect(session.mark('confirm')).rejects.toMatchObject({ code: 'reserved_gate' })
  await expect(session.call(listInvoices, (_args, { mark }) => mark('confirm'))).rejects.toMatchObject({ code: 'reserved_gate' })
})

test('a gate manager lends its rules', async () => {
  const session = createGatekeeper({ gates: new GateManager(RULES), ...local() }).session('s', { principal: 'p' })
  expect((await session.call(setStatus, () => 1)).verdict).toBe('refused')
})

test('arguments are those of the moment of the call, whatever the caller does to them later', async () => {
  const session = createGatekeeper({ gates: [], ...local() }).session('s', { principal: 'p' })
  const args = { to: 'ann' }
  const outcome = session.call({ tool: 'send', args }, (admitted) => admitted['to'])
  args.to = 'eve'
  expect(await outcome).toMatchObject({ verdict: 'ran', result: 'ann' })
})

test.each([
  [{ tool: '' }],
  [{ tool: 'a\ud800' }],
  [{ tool: 'a', callId: '' }],
  [{ tool: 'a', turn: '' }],
])('a call that names nothing is a programming error: %j', async (call) => {
  const session = createGatekeeper({ gates: [], ...local() }).session('s', { principal: 'p' })
  await expect(session.call(call, () => 1)).rejects.toMatchObject({ code: 'invalid_call' })
})

test.each(['', 'a\ud800'])('a session without an identity cannot be made: %j', (text) => {
  const gatekeeper = createGatekeeper({ gates: [], ...local() })
  expect(() => gatekeeper.session(text, { principal: 'p' })).toThrow(/session needs/)
  expect(() => gatekeeper.session('s', { principal: text })).toThrow(/session needs/)
})

test('a call that comes in again with its id does not run again', async () => {
  const session = createGatekeeper({ gates: [], ...local() }).session('s', { principal: 'p' })
  let runs = 0
  const call = { tool: 'pay', args: { amount: 5 }, callId: 'c1' }
  const [one, two] = await Promise.all([session.call(call, () => (runs += 1)), session.call(call, () => (runs += 1))])
  const three = await session.call(call, () => (runs += 1))
  expect([one, two, three]).toEqual([one, one, one])
  expect(runs).toBe(1)
  await session.call({ ...call, args: { amount: 6 } }, () => (runs += 1))
  await session.call({ tool: 'pay', args: { amount: 5 } }, () => (runs += 1))
  expect(runs).toBe(3)
})
