import {
  AdmissionKernel, Attempt, Candidate, GateManager, PrimitiveSchema, PrimitiveTypistPolicy, answerHold, createApproverToken, createGatekeeper,
} from '@callgate/core'
import type { AdapterDeclaration, Decision, PrimitiveSchemaOptions } from '@callgate/core'
import { local } from '@callgate/core/local'
import { parseGatesFile } from '@callgate/gates-file'
import { describe, expect, test } from 'vitest'

// What the two founding documents say, sentence by sentence, tried through the public entries alone.

const LISTED = { gate: 'invoice_listed', tools: ['set_invoice_status'], message: "Run list_invoices first so you've actually seen the IDs." }

describe('gates', () => {
  test('until the gate is marked, the tool returns a message instead of running', () => {
    const gates = new GateManager([LISTED])
    expect(gates.check('set_invoice_status')).toBe(LISTED.message)
    gates.mark('invoice_listed')
    expect(gates.check('set_invoice_status')).toBeNull()
  })

  test('the model gets the message back as the tool result, does the prerequisite and tries again', async () => {
    const ran: string[] = []
    const marks = [{ gate: 'invoice_listed', tools: ['list_invoices'] }]
    const session = createGatekeeper({ gates: { rules: [LISTED], marks }, policies: [], ...local() }).session('chat', { principal: 'tenant' })
    const call = (tool: string): Promise<unknown> => session.call({ tool, args: {} }, () => ran.push(tool))
    expect(await call('set_invoice_status')).toMatchObject({ verdict: 'refused', message: expect.stringContaining(LISTED.message) as string })
    expect(await call('list_invoices')).toMatchObject({ verdict: 'ran' })
    expect(await call('set_invoice_status')).toMatchObject({ verdict: 'ran' })
    expect(ran).toEqual(['list_invoices', 'set_invoice_status'])
  })

  test('a condition is another gate: the rule is only enforced once that one is marked', () => {
    const gates = new GateManager([{ gate: 'security_check', tools: ['send_mail'], message: 'Check first.', condition: 'external_recipient' }])
    expect(gates.check('send_mail')).toBeNull()
    gates.mark('external_recipient')
    expect(gates.check('send_mail')).toBe('Check first.')
  })

  test('a manager marks, asks, lists, tracks and forgets', () => {
    const gates = new GateManager([LISTED])
    gates.mark('invoice_listed')
    gates.track('count', 3)
    expect([gates.isMarked('invoice_listed'), [...gates.markedGates], gates.getTracked('count'), gates.getTracked('none', 'default')])
      .toEqual([true, ['invoice_listed'], 3, 'default'])
    gates.reset()
    expect([gates.isMarked('invoice_listed'), [...gates.markedGates], gates.getTracked('count', 0)]).toEqual([false, [], 0])
  })

  test('the file of the document is held, the user is asked, and the call proceeds only on a yes', async () => {
    const parsed = parseGatesFile('gates:\n  rules:\n  - gate: confirm\n    tools: [raise_purchase_order]\n    message: "Raise this purchase order?"\n')
    if (!parsed.ok) throw new Error('the file of the founding document does not load')
    const ports = local()
    const session = createGatekeeper({ gates: parsed.gates.rules, policies: [], ...ports }).session('chat', { principal: 'tenant' })
    const order = { tool: 'raise_purchase_order', args: { amount: 7 } }
    const held = await session.call(order, () => 'ran')
    if (held.verdict !== 'held') throw new Error('the call was not held')
    expect(held.question).toBe('Raise this purchase order?')
    expect(await session.resume(held.holdId, () => 'ran')).toMatchObject({ verdict: 'held' })
    const { token } = await createApproverToken(ports, { name: 'Ada', roles: [] })
    await answerHold(ports, { holdId: held.holdId, verdict: 'approve', token })
    expect(await session.resume(held.holdId, () => 'ran')).toMatchObject({ verdict: 'ran', result: 'ran' })
  })
})

describe('Primitive Typist', () => {
  const INTEGER: PrimitiveSchemaOptions = { schemaId: 'count', version: '1.0.0', expected: 'integer', minimum: -100, maximum: 100 }
  const ABLE: AdapterDeclaration = {
    id: 'example', version: '1', lifecycle: ['pre:tool.call', 'post:tool.failure'], identity: true, completeCandidate: true,
    effects: { deny: true, replace: true, hold: false, observe: true },
  }
  const admit = (argument: unknown, schema: PrimitiveSchemaOptions | undefined, adapter: AdapterDeclaration = ABLE, failed = false): Decision =>
    new AdmissionKernel([new PrimitiveTypistPolicy()]).admit(
      Attempt.create({
        ...(failed ? { phase: 'post', event: 'tool.failure' } as const : { phase: 'pre', event: 'tool.call' } as const),
        target: { adapter: 'example', tool: 'count' }, candidate: Candidate.of({ argument }),
        ...(schema === undefined ? {} : { schema: PrimitiveSchema.create(schema) }),
      }), adapter)

  test.each([['0', 0], ['7', 7], ['-7', -7]])('repairs the canonical decimal string %j', (text, value) => {
    expect(admit(text, INTEGER)).toMatchObject({ verdict: 'run', candidate: { fields: { argument: value } } })
  })

  test.each(['+7', '007', '-0', ' 7', '7.0', '7e0', '1_0', '1,0', '٧', true, '101', 101, null, '', 'seven', '9'.repeat(1024)])('denies %j', (argument) => {
    expect(admit(argument, INTEGER)).toMatchObject({ verdict: 'refuse', candidate: { fields: { argument } } })
  })

  test('accepts an exact integer within its bounds, and repairs true and false only where the schema opts in', () => {
    expect(admit(7, INTEGER)).toMatchObject({ verdict: 'run', reasons: [] })
    const boolean: PrimitiveSchemaOptions = { schemaId: 'flag', version: '1', expected: 'boolean' }
    expect(admit('true', boolean).verdict).toBe('refuse')
    expect(admit('true', { ...boolean, allowLowercaseBoolean: true })).toMatchObject({ verdict: 'run', candidate: { fields: { argument: true } } })
    for (const alias of ['True', 'yes', 1, 0]) expect(admit(alias, { ...boolean, allowLowercaseBoolean: true }).verdict).toBe('refuse')
  })

  test('abstains without a schema', () => {
    expect(admit('7', undefined)).toMatchObject({ verdict: 'run', candidate: { fields: { argument: '7' } } })
  })

  test('a repair degrades to denial where the adapter cannot replace, the original left unchanged', () => {
    const decision = admit('7', INTEGER, { ...ABLE, effects: { ...ABLE.effects, replace: false } })
    expect(decision).toMatchObject({ verdict: 'refuse', candidate: { fields: { argument: '7' } } })
  })

  test('after a failure it observes that a safe cast was there, and nothing is retried or replaced', () => {
    expect(admit('7', INTEGER, ABLE, true)).toMatchObject({
      verdict: 'observe', retry: 'never', candidate: { fields: { argument: '7' } }, reasons: [{ code: 'safe_cast_available' }],
    })
    for (const argument of [7, '+7', '101']) expect(admit(argument, INTEGER, ABLE, true)).toMatchObject({ verdict: 'observe', reasons: [] })
  })

  test('behavioural values are rejected when a candidate is made', () => {
    class Sly extends String {}
    for (const value of [new Sly('7'), new Number(7), { valueOf: () => 7 }]) expect(() => Candidate.of({ argument: value })).toThrow('argument')
  })

  test('nothing that merely looks like a candidate reaches a policy', () => {
    const forged = { ...Candidate.of({ argument: '7' }), fields: { argument: '7' } } as unknown as Candidate
    const attempt = Attempt.create({ phase: 'pre', event: 'tool.call', target: { adapter: 'example', tool: 'count' }, candidate: forged })
    expect(new AdmissionKernel([]).admit(attempt, ABLE)).toMatchObject({ verdict: 'refuse', reasons: [{ code: 'inexact_candidate' }] })
  })
})
