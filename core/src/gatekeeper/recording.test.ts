import { expect, test } from 'vitest'
import { createGatekeeper } from '@callgate/core'
import type { Entry, Outcome, Policy, Store } from '@callgate/core'
import { CallgateError, Candidate, definePolicy } from '@callgate/core'
import { local } from '@callgate/core/local'

const GATES = {
  rules: [
    { gate: 'listed', tools: ['set'], message: 'List first.', line: 3 },
    { gate: 'confirm', tools: ['pay'], message: 'Pay?' },
  ],
  marks: [{ gate: 'listed', tools: ['list'] }],
}

const numeric: Policy = definePolicy({
  id: 'numeric',
  version: '1',
  owns: ['/arguments/n'],
  evaluate: ({ candidate, event }) => {
    const { n } = candidate.fields['arguments'] as { readonly n?: unknown }
    if (event !== 'tool.call') return { kind: 'observe', reasons: [{ code: 'seen', pointer: '/arguments/n' }] }
    if (n === 'ask') return { kind: 'hold', question: 'Is n fine?' }
    if (n === '7') return { kind: 'repair', candidate: Candidate.ofArguments({ n: 7 }), reasons: [{ code: 'digits', pointer: '/arguments/n' }] }
    if (typeof n === 'string') return { kind: 'deny', reasons: [{ code: 'text', message: 'n must be a number.\ud800' }] }
    return { kind: 'accept' }
  },
})

const entriesOf = (store: Store): Promise<readonly Entry[]> => store.record.read(0, 100)
const told = (entries: readonly Entry[]): unknown[] => entries.map(({ kind, data }) => [kind, data['verdict'] ?? data['outcome'] ?? data['gate'] ?? data['event']])

test('a decision is durable before its call runs, marks and the outcome come after', async () => {
  const ports = local()
  const session = createGatekeeper({ gates: GATES, ...ports }).session('s', { principal: 'p' })
  let seen: readonly Entry[] = []
  await session.call({ tool: 'list', args: { page: 1 }, callId: 'c1' }, async () => (seen = await entriesOf(ports.store)))
  expect(told(seen)).toEqual([['decision', 'run']])
  await ports.store.record.flush()
  const entries = await entriesOf(ports.store)
  expect(told(entries)).toEqual([['decision', 'run'], ['mark', 'listed'], ['outcome', 'ran']])
  expect(entries.map((one) => [one.principal, one.session, one.call])).toEqual(Array(3).fill(['p', 's', 'c1']))
  expect(entries[0]?.data).toMatchObject({ tool: 'list', args: { page: 1 }, repaired: false, unmet: [] })
})

test('a refusal is recorded with all unmet rules and what the model read', async () => {
  const ports = local()
  const session = createGatekeeper({ gates: GATES, ...ports }).session('s', { principal: 'p' })
  await session.call({ tool: 'set', args: { id: 1 } }, () => 1)
  const [entry] = await entriesOf(ports.store)
  expect(entry?.data).toMatchObject({ verdict: 'refuse', rule: 'listed', line: 3, unmet: ['listed'], cause: 'gate', args: { id: 1 } })
  expect(entry?.data['message']).toMatch(/^List first\./)
})

test('a repair runs as the repaired whole, and the record says what ran and why', async () => {
  const ports = local()
  const session = createGatekeeper({ gates: GATES, policies: [numeric], ...ports }).session('s', { principal: 'p' })
  const outcome = await session.call({ tool: 'list', args: { n: '7' } }, (args, { changes }) => ({ args, changes }))
  expect(outcome).toMatchObject({
    verdict: 'ran',
    repaired: true,
    args: { n: 7 },
    result: { args: { n: 7 }, changes: [{ pointer: '/arguments/n', before: '7', after: 7 }] },
    reasons: [{ policy: 'numeric', code: 'digits' }],
  })
  await ports.store.record.flush()
  const entries = await entriesOf(ports.store)
  expect(entries[0]?.data).toMatchObject({ args: { n: 7 }, repaired: true, reasons: [{ policy: 'numeric', code: 'digits', pointer: '/arguments/n' }] })
  expect(entries.at(-1)?.data).toMatchObject({ outcome: 'ran', observations: [{ policy: 'numeric', code: 'seen' }] })
})

test('a failed call is observed after the fact, and nothing is retried', async () => {
  const ports = local()
  const session = createGatekeeper({ gates: GATES, policies: [numeric], ...ports }).session('s', { principal: 'p' })
  let runs = 0
  const run = (): never => {
    runs += 1
    throw new Error('no such row')
  }
  await expect(session.call({ tool: 'list', args: { n: 1 } }, run)).rejects.toThrow('no such row')
  await ports.store.record.flush()
  expect((await entriesOf(ports.store)).at(-1)?.data).toMatchObject({ outcome: 'failed', observations: [{ policy: 'numeric', code: 'seen', pointer: '/arguments/n' }] })
  expect(runs).toBe(1)
})

test('one refusal names the gate and the arguments, the gate first, and the record stays well-formed', async () => {
  const ports = local()
  const session = createGatekeeper({ gates: GATES, policies: [numeric], ...ports }).session('s', { principal: 'p' })
  const outcome = await session.call({ tool: 'set', args: { n: 'x' } }, () => 1)
  expect(outcome).toMatchObject({ verdict: 'refused', cause: 'gate', reasons: [{ policy: 'numeric', code: 'text' }] })
  expect(outcome.verdict === 'refused' && outcome.message).toMatch(/^List first\.[^]*n must be a number\.[^]*Correct the arguments/)
  const [entry] = await entriesOf(ports.store)
  expect(JSON.stringify(entry).isWellFormed()).toBe(true)
})

test('what is not exact is refused by name, with the gate judged all the same', async () => {
  const session = createGatekeeper({ gates: GATES, ...local() }).session('s', { principal: 'p' })
  const outcome = await session.call({ tool: 'set', args: { id: undefined } }, () => 1)
  expect(outcome).toMatchObject({ verdict: 'refused', cause: 'gate', unmet: [{ gate: 'listed', line: 3 }], reasons: [{ policy: 'kernel', code: 'inexact_candidate' }] })
  expect(outcome.verdict === 'refused' && outcome.message).toContain('/arguments/id')
})

test('arguments over the budget are refused and kept out of the record', async () => {
  const ports = local()
  const session = createGatekeeper({ gates: [], budget: { bytes: 100, depth: 4 }, ...ports }).session('s', { principal: 'p' })
  const outcome = await session.call({ tool: 'any', args: { text: 'x'.repeat(100) } }, () => 1)
  expect(outcome).toMatchObject({ verdict: 'refused', cause: 'arguments', reasons: [{ policy: 'kernel', code: 'over_budget' }] })
  expect((await entriesOf(ports.store))[0]?.data).toMatchObject({ args: null, omitted: 'over_budget' })
})

test('a policy may ask a person, after the rules that do', async () => {
  const session = createGatekeeper({ gates: GATES, policies: [numeric], ...local() }).session('s', { principal: 'p' })
  expect(await session.call({ tool: 'list', args: { n: 'ask' } }, () => 1)).toMatchObject({ verdict: 'held', question: 'Is n fine?' })
  expect(await session.call({ tool: 'pay', args: { n: 'ask' } }, () => 1)).toMatchObject({ verdict: 'held', question: 'Pay?\nIs n fine?' })
})

const broken = (part: 'marks' | 'record' | 'holds', method: string): { store: Store; warnings: string[]; session: (policies?: Policy[]) => ReturnType<ReturnType<typeof createGatekeeper>['session']> } => {
  const ports = local()
  const warnings: string[] = []
  const fail = async (): Promise<never> => {
    throw new Error('disk full')
  }
  const store = { ...ports.store, [part]: { ...ports.store[part], [method]: fail } } as Store
  const gatekeeper = createGatekeeper({ gates: GATES, ...ports, store, warn: (text) => warnings.push(text) })
  return { store, warnings, session: () => gatekeeper.session('s', { principal: 'p' }) }
}

test.each([
  ['marks', 'list', 'set', 'store'],
  ['record', 'append', 'list', 'record'],
  ['holds', 'open', 'pay', 'store'],
] as const)('a failing %s.%s closes the gate for %s, and says that it is the installation', async (part, method, tool, cause) => {
  const { session, warnings } = broken(part, method)
  let runs = 0
  const outcome: Outcome<number> = await session().call({ tool }, () => (runs += 1))
  expect(outcome).toMatchObject({ verdict: 'refused', cause })
  expect(outcome.verdict === 'refused' && outcome.message).toMatch(/Nothing was executed\. This is a fault of the installation/)
  expect(runs).toBe(0)
  expect(warnings.join()).toContain('disk full')
})

test('a refusal that cannot be recorded stays a refusal', async () => {
  const { session, warnings } = broken('record', 'append')
  expect(await session().call({ tool: 'set' }, () => 1)).toMatchObject({ verdict: 'refused', cause: 'gate' })
  expect(warnings.join()).toContain('could not be recorded')
})

test('a mark that cannot be written leaves its gate closed, and the result of the call that ran is kept', async () => {
  const { session, warnings } = broken('marks', 'add')
  const one = session()
  expect(await one.call({ tool: 'list' }, () => 'rows')).toMatchObject({ verdict: 'ran', result: 'rows' })
  expect((await one.call({ tool: 'set' }, () => 1)).verdict).toBe('refused')
  expect(warnings.join()).toContain('marks could not be written')
})

test('the mark of a gate that is a condition is durable before the answer, any other may come soon after', async () => {
  const ports = local()
  const durabilities: unknown[] = []
  const marks: Store['marks'] = {
    ...ports.store.marks,
    add: (scope, added, durability) => {
      durabilities.push([added.map(({ gate }) => gate), durability])
      return ports.store.marks.add(scope, added, durability)
    },
  }
  const gates = {
    rules: [{ gate: 'checked', tools: ['mail'], message: 'Check first.', condition: 'external' }],
    marks: [{ gate: 'checked', tools: ['check'] }, { gate: 'external', tools: ['add'] }],
  }
  const session = createGatekeeper({ gates, ...ports, store: { ...ports.store, marks } }).session('s', { principal: 'p' })
  await session.call({ tool: 'check' }, () => 1)
  await session.call({ tool: 'add' }, () => 1)
  await session.mark('external')
  expect(durabilities).toEqual([[['checked'], 'soon'], [['external'], 'now'], [['external'], 'now']])
})

test('a run that does not know whether it took effect is an unknown outcome, for the record and for its hold', async () => {
  const ports = local()
  const approver = { ask: async () => ({ verdict: 'approve', approver: 'Ann' }) as const }
  const session = createGatekeeper({ gates: GATES, approver, ...ports }).session('s', { principal: 'p' })
  const run = (): never => {
    throw new CallgateError('unknown_outcome', 'the server ended')
  }
  await expect(session.call({ tool: 'list' }, run)).rejects.toThrow('the server ended')
  await expect(session.call({ tool: 'pay' }, run)).rejects.toThrow('the server ended')
  expect((await session.call({ tool: 'set' }, () => 1)).verdict).toBe('refused')
  await ports.store.record.flush()
  const outcomes = (await entriesOf(ports.store)).filter(({ kind }) => kind === 'outcome').map(({ data }) => data['outcome'])
  expect(outcomes).toEqual(['unknown', 'unknown'])
  expect(await session.call({ tool: 'pay' }, run)).toMatchObject({ verdict: 'refused', cause: 'unknown_outcome' })
})

test('arguments that could not be read from the wire are refused with the error that says why, after the gate', async () => {
  const session = createGatekeeper({ gates: GATES, ...local() }).session('s', { principal: 'p' })
  const args = new CallgateError('inexact_candidate', '/arguments/n is 1e400')
  const outcome = await session.call({ tool: 'set', args }, () => 1)
  expect(outcome).toMatchObject({ verdict: 'refused', cause: 'gate', reasons: [{ code: 'inexact_candidate' }] })
  expect(outcome.verdict === 'refused' && outcome.message).toMatch(/^List first\.[^]*1e400/)
})

test('a run that never reached the tool is neither a failure nor a use of the yes that anyone must check', async () => {
  const ports = local()
  const approver = { ask: async () => ({ verdict: 'approve', approver: 'Ann' }) as const }
  const session = createGatekeeper({ gates: GATES, policies: [numeric], approver, ...ports }).session('s', { principal: 'p' })
  const run = (): never => {
    throw new CallgateError('not_run', 'the client cancelled')
  }
  await expect(session.call({ tool: 'pay', args: { n: 1 } }, run)).rejects.toThrow('the client cancelled')
  expect(await ports.store.holds.list({ limit: 10 })).toMatchObject([{ status: 'cancelled' }])
  await ports.store.record.flush()
  const outcome = (await entriesOf(ports.store)).find(({ kind }) => kind === 'outcome')
  expect(outcome?.data).toMatchObject({ outcome: 'not_run' })
  expect(outcome?.data['observations']).toBeUndefined()
})
