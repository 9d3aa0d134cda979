import type { AttemptSchema, GateRules } from '@callgate/core'
import { expect, test } from 'vitest'
import type { TraceEvent } from '../traces/trace.ts'
import { arg, made, shortly, traceOf, verdictsOf } from './replay.fixture.ts'

const LISTED: GateRules = { rules: [{ gate: 'listed', tools: ['pay'], message: 'List first.', line: 3 }], marks: [{ gate: 'listed', tools: ['list'] }] }
const CONFIRM: GateRules = { rules: [{ gate: 'confirm', tools: ['pay'], message: 'Pay?', line: 2 }] }
const done = { text: 'ok' }

test('a call before its mark is refused, one after it runs; the verdict says the trace, the call, the rule and its line', async () => {
  const calls = await verdictsOf(traceOf('a', [made('pay', { to: 'Ada' }, done)], [made('list', {}, done)], [made('pay', {}, done)]), LISTED)
  expect(calls).toMatchObject([
    { trace: 'a', call: 0, tool: 'pay', verdict: 'refused', rule: 'listed', line: 3, args: '{"to":"Ada"}', message: expect.stringContaining('List first.') },
    { trace: 'a', call: 1, tool: 'list', verdict: 'ran' },
    { trace: 'a', call: 2, tool: 'pay', verdict: 'ran' },
  ])
})

test('siblings do not satisfy each other', async () => {
  expect(await shortly(traceOf('a', [made('list', {}, done), made('pay', {}, done)], [made('pay', {}, done)]), LISTED)).toEqual(['ran', 'refused by listed', 'ran'])
})

test('a condition counts as marked for the siblings of its marker, also of one that failed', async () => {
  const gates: GateRules = { rules: [{ gate: 'listed', tools: ['pay'], message: 'No.', condition: 'outside' }], marks: [{ gate: 'outside', tools: ['read'] }, { gate: 'listed', tools: ['list'] }] }
  const failed = { text: 'down', isError: true }
  expect(await shortly(traceOf('a', [made('read', {}, failed), made('pay', {}, done)], [made('pay', {}, done)]), gates)).toEqual(['ran', 'refused by listed', 'ran'])
})

test.each<[string, Parameters<typeof made>[2]]>([
  ['failed', { text: 'down', isError: true }],
  ['has no recorded result', undefined],
])('a call that %s marks nothing', async (_what, result) => {
  expect(await shortly(traceOf('a', [made('list', {}, result)], [made('pay', {}, done)]), LISTED)).toEqual(['ran', 'refused by listed'])
})

test('a refused and a held call are taken as not run: they mark nothing, whatever was recorded of them', async () => {
  const gates: GateRules = { rules: [...LISTED.rules, { gate: 'confirm', tools: ['list'], message: 'List?' }], marks: [...(LISTED.marks ?? []), { gate: 'paid', tools: ['pay'] }] }
  const events = traceOf('a', [made('list', {}, done)], [made('pay', {}, done)])
  expect(await shortly(events, gates)).toEqual(['held by confirm', 'refused by listed'])
  expect(await shortly(events, gates, { hold: 'allow' })).toEqual(['ran', 'ran'])
})

test('with each hold taken as a yes, roles, the requester and the number of people do not matter', async () => {
  const gates: GateRules = { rules: [{ gate: 'confirm', tools: ['pay'], message: 'Pay?', approvers: ['finance'], quorum: 3, notBy: 'requester' }, { gate: 'confirm', tools: ['pay'], message: 'Really?', approvers: ['board'] }] }
  expect(await shortly(traceOf('a', [made('pay', {}, done)]), gates, { hold: 'allow' })).toEqual(['ran'])
})

test('the same held call is held each time, in one turn and in the next', async () => {
  const twice = [made('pay', { to: 1 }, done), made('pay', { to: 1 }, done)]
  expect(await shortly(traceOf('a', twice, twice), CONFIRM)).toEqual(Array.from({ length: 4 }, () => 'held by confirm'))
})

test('traces know nothing of each other: not their marks, their holds or their limits, even where they have one name or overlap', async () => {
  const gates: GateRules = { ...LISTED, limits: [{ tools: ['list'], calls: 1, perMs: 3_600_000 }] }
  const one = traceOf('a', [made('list', {}, done)], [made('list', {}, done)], [made('pay', {}, done)])
  const two = traceOf('a', [made('pay', {}, done)])
  expect(await shortly([...one, ...two, ...one], gates)).toEqual(['ran', 'refused by limits', 'ran', 'refused by listed', 'ran', 'refused by limits', 'ran'])
  const b = traceOf('b', [made('pay', {}, done)], [made('list', {}, done)], [made('pay', {}, done)])
  const mixed = one.flatMap((event, at) => [event, ...(b[at] === undefined ? [] : [b[at]])])
  expect((await verdictsOf(mixed, gates)).filter(({ trace }) => trace === 'b').map(({ verdict, call }) => [verdict, call])).toEqual([['refused', 0], ['ran', 1], ['ran', 2]])
})

test('what the user wrote marks what comes from the user; a result does not', async () => {
  const words = { source: 'words', evaluate: ({ text = '' }) => text.split(' ') }
  const gates: GateRules = { rules: [{ gate: 'named', tools: ['pay'], message: 'Whom?', key: arg('to') }], marks: [{ gate: 'named', from: 'user', keys: words }] }
  const events = traceOf('a', [made('read', {}, { text: 'Eve' })], [made('pay', { to: 'Eve' }, done)], 'pay Ada', [made('pay', { to: 'Ada' }, done)], [made('pay', { to: 'Eve' }, done)])
  expect(await shortly(events, gates)).toEqual(['ran', 'refused by named', 'ran', 'refused by named'])
})

test('keys are read of the recorded result', async () => {
  const ids = { source: 'ids', evaluate: ({ result }: { readonly result?: unknown }) => (result as { readonly ids: unknown }).ids }
  const gates: GateRules = { rules: [{ gate: 'seen', tools: ['pay'], message: 'See it.', key: arg('id') }], marks: [{ gate: 'seen', tools: ['list'], keys: ids, parse: 'json' }] }
  const events = traceOf('a', [made('list', {}, { text: '{"ids":[7]}' })], [made('pay', { id: 7 }, done)], [made('pay', { id: 8 }, done)])
  expect(await shortly(events, gates)).toEqual(['ran', 'ran', 'refused by seen'])
})

test('a trace may have more marks than a process keeps live, and of what cannot be marked it is warned', async () => {
  const ids = { source: 'ids', evaluate: ({ result }: { readonly result?: unknown }) => (result as { readonly ids?: unknown }).ids }
  const gates: GateRules = { rules: [{ gate: 'seen', tools: ['pay'], message: 'See it.', key: arg('id') }], marks: [{ gate: 'seen', tools: ['list'], keys: ids }] }
  const lists = Array.from({ length: 15 }, (_, page) => [made('list', {}, { structured: { ids: Array.from({ length: 10_000 }, (_item, at) => page * 10_000 + at) } })])
  const warnings: string[] = []
  const warn = (message: string): void => void warnings.push(message)
  expect(await shortly(traceOf('a', ...lists, [made('pay', { id: 149_999 }, done)]), gates, { warn })).not.toContain('refused by seen')
  expect(warnings).toEqual([])
  expect(await shortly(traceOf('a', [made('list', {}, { structured: {} })], [made('pay', { id: 7 }, done)]), gates, { warn })).toEqual(['ran', 'refused by seen'])
  expect(warnings).toEqual([expect.stringContaining('seen')])
})

test('what the rules say of a tool itself is named as such, without a line', async () => {
  const gates: GateRules = { rules: [], allow: ['list', 'drop'], deny: ['drop'] }
  expect(await shortly(traceOf('a', [made('drop', {}, done)], [made('pay', {}, done)], [made('list', {}, done)]), gates)).toEqual(['refused by deny', 'refused by allow', 'ran'])
  expect(await shortly(traceOf('a', [made('x', {}, done)]), { rules: [], default: 'refuse' })).toEqual(['refused by default'])
  const [call] = await verdictsOf(traceOf('a', [made('x', {}, done)]), { rules: [], default: 'confirm' })
  expect(call).toMatchObject({ verdict: 'held', rule: 'confirm' })
  expect(call).not.toHaveProperty('line')
})

test('arguments that are no exact JSON object are refused, as live', async () => {
  const turn = ['{"a":', '[1]', '"x"', '', '{"a":1}'].map((text) => ({ tool: 'list', args: { text }, result: { isError: false } }))
  expect(await shortly(traceOf('a', turn), LISTED)).toEqual(['refused by arguments', 'refused by arguments', 'refused by arguments', 'ran', 'ran'])
})

test('a large integer in the text of arguments is not rounded', async () => {
  const gates: GateRules = { rules: [{ gate: 'big', tools: ['pay'], message: 'No.', when: { source: 'big', evaluate: ({ args }) => args?.['n'] === 9007199254740993n } }] }
  const turn = ['9007199254740993', '9007199254740992'].map((n) => ({ tool: 'pay', args: { text: `{"n":${n}}` }, result: { isError: false } }))
  const calls = await verdictsOf(traceOf('a', turn), gates)
  expect(calls.map(({ verdict, args }) => [verdict, args])).toEqual([['refused', '{"n":9007199254740993}'], ['ran', '{"n":9007199254740992}']])
})

test('time is the recorded one, and in a trace without times hardly any passes', async () => {
  const gates: GateRules = { rules: LISTED.rules, marks: [{ gate: 'listed', tools: ['list'], expiresMs: 60_000 }] }
  const at = (minute: number, tool: string): TraceEvent => ({ kind: 'calls', trace: 'a', at: Date.UTC(2020, 0, 1, 0, minute), calls: [made(tool, {}, done)] })
  expect(await shortly([at(0, 'list'), at(0, 'pay'), at(2, 'pay'), at(1, 'pay'), { kind: 'end', trace: 'a' }], gates)).toEqual(['ran', 'ran', 'refused by listed', 'refused by listed'])
  expect(await shortly(traceOf('a', [made('list', {}, done)], ...Array.from({ length: 50 }, () => [made('pay', {}, done)])), gates)).not.toContain('refused by listed')
})

test('the times of one trace are not those of another beside it', async () => {
  const gates: GateRules = { rules: LISTED.rules, marks: [{ gate: 'listed', tools: ['list'], expiresMs: 60_000 }] }
  const at = (trace: string, year: number, tool: string): TraceEvent => ({ kind: 'calls', trace, at: Date.UTC(year, 0, 1), calls: [made(tool, {}, done)] })
  expect(await shortly([at('a', 2020, 'list'), at('b', 2030, 'list'), at('a', 2020, 'pay'), at('b', 2030, 'pay')], gates)).toEqual(['ran', 'ran', 'ran', 'ran'])
})

const SCHEMA: AttemptSchema = { schemaId: 'pay', version: '1', faultOf: ({ to }) => (typeof to === 'string' ? undefined : '`to` must be text.') }

test('with tools, one that is not among them is refused, and arguments that do not fit are refused where a rule looks at them', async () => {
  const gates: GateRules = { rules: [{ gate: 'x', tools: ['pay'], message: 'No.', when: { source: 'never', evaluate: () => false } }] }
  const events = traceOf('a', [made('pay', { to: 'Ada' }, done), made('pay', { to: 7 }, done), made('unknown', {}, done)])
  expect(await shortly(events, gates, { tools: new Map([['pay', { schema: SCHEMA }]]) })).toEqual(['ran', 'refused by x', 'refused by unlisted'])
  expect(await shortly(events, gates)).toEqual(['ran', 'ran', 'ran'])
})

test('annotations are those of the tools', async () => {
  const gates: GateRules = { rules: [{ gate: 'confirm', annotations: { destructiveHint: true }, unannotated: false, message: 'Sure?' }] }
  const tools = new Map([['wipe', { annotations: { destructiveHint: true } }], ['read', {}]])
  expect(await shortly(traceOf('a', [made('wipe', {}, done), made('read', {}, done)]), gates, { tools })).toEqual(['held by confirm', 'ran'])
})

test('rules that cannot be are said at once', async () => {
  await expect(verdictsOf(traceOf('a', [made('x')]), { rules: [], marks: [{ gate: 'confirm', tools: ['x'] }] })).rejects.toMatchObject({ code: 'reserved_gate' })
})

test('a tool with an odd name is a call as any other', async () => {
  expect(await shortly(traceOf('a', [made('', {}, done), made('\ud800', {}, done), made('__proto__', {}, done)]), LISTED)).toEqual(['ran', 'ran', 'ran'])
})

test('thousands of traces leave nothing behind that slows the next', async () => {
  const events = Array.from({ length: 1_000 }, (_, at) => traceOf(`t${at}`, [made('list', {}, done)], [made('pay', {}, done)])).flat()
  expect((await shortly(events, LISTED)).every((verdict) => verdict === 'ran')).toBe(true)
})
