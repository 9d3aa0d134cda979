import { readFileSync } from 'node:fs'
import type { Expression, GateRule, GateRules } from '@callgate/core'
import { expect, test } from 'vitest'
import { checkRules } from './check-rules.ts'
import type { CheckOptions } from './check-rules.ts'
import { FINDING_CODES } from './finding.ts'

const rule = (gate: string, tools: readonly string[], more: Partial<GateRule> = {}): GateRule => ({ gate, tools, message: 'Do it first.', ...more })
const read = (source: string): Expression => ({ source, evaluate: () => undefined })
const found = async (rules: Partial<GateRules>, options: CheckOptions = {}): Promise<readonly string[]> =>
  (await checkRules({ rules: [], ...rules }, options)).map(({ severity, code, pointer }) => `${severity} ${code} ${pointer}`)

const names = (...list: readonly string[]): CheckOptions => ({ tools: list.map((name) => ({ name })) })

test('rules without a fault have no finding', async () => {
  const rules = { rules: [rule('read', ['write']), rule('confirm', ['pay'])], marks: [{ gate: 'read', tools: ['look'] }] }
  expect(await found(rules, names('look', 'write', 'pay'))).toEqual([])
})

test('each code has a section in docs/errors.md', () => {
  const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
  expect(FINDING_CODES.filter((code) => !page.includes(`\n### \`${code}\`\n`))).toEqual([])
})

test('a name that the server does not have is an error wherever it stands, with the nearest one', async () => {
  const rules: GateRules = {
    rules: [rule('read', ['wirte'])], marks: [{ gate: 'read', tools: ['look', 'Look'] }], allow: ['lok'], deny: ['x'], limits: [{ tools: ['pya'], calls: 1 }],
  }
  expect(await found(rules, names('look', 'write', 'pay'))).toEqual(expect.arrayContaining([
    'error unknown_tool /gates/rules/0/tools/0', 'error unknown_tool /gates/marks/0/tools/1', 'error unknown_tool /gates/allow/0',
    'error unknown_tool /gates/deny/0', 'error unknown_tool /gates/limits/0/tools/0',
  ]))
  const hints = (await checkRules(rules, names('look', 'write', 'pay'))).map(({ hint }) => hint)
  expect(hints.slice(0, 3)).toEqual(['did you mean `write`?', 'did you mean `look`?', 'did you mean `look`?'])
})

test('a name with its server before it is told the bare one', async () => {
  const [finding] = await checkRules({ rules: [rule('confirm', ['mcp__filesystem__delete'])] }, names('delete', 'read'))
  expect(finding).toMatchObject({ code: 'unknown_tool', hint: 'did you mean `delete`?' })
})

test('a tool that only looks like one of the rules is another tool, and a warning says so', async () => {
  const [finding] = await checkRules({ rules: [rule('confirm', ['verify_user'])] }, names('verify_user', 'verify_u\u0455er'))
  expect(finding).toMatchObject({ code: 'confusable_tool', severity: 'warning', message: expect.stringContaining('verify_u\\u{455}er') as string })
})

test('a pattern about nothing is an error, one about everything a warning', async () => {
  expect(await found({ rules: [rule('confirm', ['drop_*', '*', 'a*'])] }, names('ab', 'ac'))).toEqual([
    'error pattern_matches_nothing /gates/rules/0/tools/0', 'warning pattern_matches_all /gates/rules/0/tools/1', 'warning pattern_matches_all /gates/rules/0/tools/2',
  ])
})

test('two gates that only open each other are told once, with the way round', async () => {
  const rules = { rules: [rule('a', ['y']), rule('b', ['x'])], marks: [{ gate: 'a', tools: ['x'] }, { gate: 'b', tools: ['y'] }] }
  const findings = await checkRules(rules)
  expect(findings).toMatchObject([{ code: 'gate_cycle', severity: 'error', pointer: '/gates/rules/0/gate' }])
  expect(findings[0]?.message).toBe('`a` can never be marked: `a` is only marked by `x`, which needs `b`; `b` is only marked by `y`, which needs `a`')
})

test.each<readonly [string, Partial<GateRules>]>([
  ['another tool marks one of them', { marks: [{ gate: 'a', tools: ['x', 'z'] }, { gate: 'b', tools: ['y'] }] }],
  ["the host's code does", { marks: [{ gate: 'a', tools: ['x'] }, { gate: 'b', tools: ['y'] }], external: ['a'] }],
  ['the user does', { marks: [{ gate: 'a', tools: ['x'] }, { gate: 'a', from: 'user' }, { gate: 'b', tools: ['y'] }] }],
  ['a pattern that is about a free tool does', { marks: [{ gate: 'a', tools: ['x*'] }, { gate: 'b', tools: ['y'] }] }],
])('there is no cycle where %s', async (_, more) => {
  expect(await found({ rules: [rule('a', ['y']), rule('b', ['x'])], ...more })).toEqual([])
})

test.each<readonly [string, Partial<GateRule>]>([
  ['is not always enforced', { condition: 'c' }],
  ['is not about all calls', { when: read('args.x') }],
  ['asks a person instead', { otherwise: 'hold' }],
])('there is no cycle through a rule that %s', async (_, more) => {
  const rules = { rules: [rule('a', ['y']), rule('b', ['x'], more)], marks: [{ gate: 'a', tools: ['x'] }, { gate: 'b', tools: ['y'] }], external: ['c'] }
  expect(await found(rules)).toEqual([])
})

test('a chain of three is found from its first gate, and what hangs from it too', async () => {
  const rules = {
    rules: [rule('a', ['t1']), rule('b', ['t2']), rule('c', ['t3']), rule('d', ['t4'])],
    marks: [{ gate: 'b', tools: ['t1'] }, { gate: 'c', tools: ['t2'] }, { gate: 'a', tools: ['t3'] }, { gate: 'd', tools: ['t3'] }],
  }
  expect(await found(rules)).toEqual(['error gate_cycle /gates/rules/0/gate', 'error gate_cycle /gates/rules/3/gate'])
})

test('a rule that an earlier one hides can never matter', async () => {
  const marks = [{ gate: 'a', tools: ['look'] }]
  expect(await found({ marks, rules: [rule('a', ['x', 'y']), rule('a', ['y'])] })).toEqual(['warning shadowed_rule /gates/rules/1'])
  expect(await found({ marks, rules: [rule('a', ['x*']), rule('a', ['xy'], { when: read('args.n > 1') })] })).toEqual(['warning shadowed_rule /gates/rules/1'])
  expect(await found({ rules: [rule('confirm', ['x'], { quorum: 2 }), rule('confirm', ['x'], { quorum: 2 })] })).toEqual(['warning shadowed_rule /gates/rules/1'])
})

test.each<readonly [string, GateRule, GateRule]>([
  ['more tools', rule('a', ['x']), rule('a', ['x', 'y'])],
  ['all its calls', rule('a', ['x'], { when: read('args.n > 1') }), rule('a', ['x'])],
  ['a key', rule('a', ['x']), rule('a', ['x'], { key: read('args.id') })],
  ['another gate', rule('a', ['x']), rule('confirm', ['x'])],
  ['more people', rule('confirm', ['x']), rule('confirm', ['x'], { quorum: 2 })],
])('a rule about %s is not hidden', async (_, first, second) => {
  expect((await found({ rules: [first, second], external: ['a'] })).filter((text) => text.includes('shadowed_rule'))).toEqual([])
})

test('a rule whose tools are denied, or not allowed, can never matter', async () => {
  expect(await found({ rules: [rule('confirm', ['drop_table']), rule('confirm', ['drop_table', 'x'])], deny: ['drop_*'] })).toEqual(['warning denied_rule /gates/rules/0'])
  expect(await found({ rules: [rule('confirm', ['x']), rule('confirm', ['get_*']), rule('confirm', ['get_a'], { quorum: 2 })], allow: ['get_*'] })).toEqual(['warning outside_allow /gates/rules/0'])
})

test('a key that no mark carries, and a fact that none keeps, can never be met', async () => {
  const rules = [rule('a', ['x'], { key: read('args.id') }), rule('a', ['x'], { require: read('fact.open') })]
  expect(await found({ rules, marks: [{ gate: 'a', tools: ['look'] }] })).toEqual(['error no_keys_marked /gates/rules/0/key', 'error no_fact_kept /gates/rules/1/require'])
  expect(await found({ rules, marks: [{ gate: 'a', tools: ['look'], keys: read('result.id'), keep: read('result') }] })).toEqual([])
  expect(await found({ rules, marks: [{ gate: 'a', tools: ['look'] }], external: ['a'] })).toEqual([])
})

test('keys that no rule asks for are doubtful', async () => {
  expect(await found({ rules: [rule('a', ['x'])], marks: [{ gate: 'a', tools: ['look'], keys: read('result.id') }] })).toEqual(['warning unused_keys /gates/marks/0/keys'])
})

test('an example that comes out otherwise is an error that says how', async () => {
  const rules: GateRules = { rules: [rule('a', ['x']), rule('confirm', ['pay'])], marks: [{ gate: 'a', tools: ['look'] }], deny: ['drop'] }
  const examples = [
    { call: { tool: 'x' }, expect: 'refuse', by: 'a' }, { call: { tool: 'pay' }, expect: 'hold', by: 'confirm' },
    { call: { tool: 'drop' }, expect: 'refuse', by: 'deny' }, { call: { tool: 'look' }, expect: 'run' },
    { call: { tool: 'x' }, expect: 'run' }, { call: { tool: 'pay' }, expect: 'hold', by: 'a' },
  ] as const
  const findings = await checkRules(rules, { examples })
  expect(findings.map(({ pointer, message }) => [pointer, message])).toEqual([
    ['/examples/4', 'the call of `x` is to run, and the rules say refuse by `a`'],
    ['/examples/5', 'the call of `pay` is to hold by `a`, and the rules say hold by `confirm`'],
  ])
})

test('names of the prototype are names', async () => {
  const rules = { rules: [rule('__proto__', ['constructor'])], marks: [{ gate: '__proto__', tools: ['toString'] }], deny: ['__proto__'] }
  expect(await found(rules, names('constructor', 'toString', '__proto__'))).toEqual([])
})

test('ten thousand rules are checked in a fraction of a second', async () => {
  const rules = Array.from({ length: 10_000 }, (_, at) => rule(`g${at % 500}`, [`t${at % 1_000}`], { when: read(`args.n > ${at}`) }))
  const marks = Array.from({ length: 500 }, (_, at) => ({ gate: `g${at}`, tools: [`r${at}`] }))
  const start = performance.now()
  expect(await found({ rules, marks })).toEqual([])
  expect(performance.now() - start).toBeLessThan(2_000)
})
