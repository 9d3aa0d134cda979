import type { GateRule, GateRules } from '@callgate/core'
import { expect, test } from 'vitest'
import { brief, named, read, rule } from './check.fixture.ts'
import { checkCycles } from './check-cycles.ts'

const LOOP: GateRules = { rules: [rule('a', ['y']), rule('b', ['x'])], marks: [{ gate: 'a', tools: ['x'] }, { gate: 'b', tools: ['y'] }] }

test('two gates that only open each other are told once, with the way round', () => {
  expect(checkCycles(LOOP)).toMatchObject([{
    code: 'gate_cycle', severity: 'error', pointer: '/gates/rules/0/gate',
    message: '`a` can never be marked: `a` is only marked by `x`, which needs `b`; `b` is only marked by `y`, which needs `a`',
  }])
})

test('a tool that needs the gate which it alone marks never runs', () => {
  expect(checkCycles({ rules: [rule('a', ['x'])], marks: [{ gate: 'a', tools: ['x'] }] })).toMatchObject([{ code: 'gate_cycle' }])
})

test('a chain of three is found from its first gate, and what hangs from it too', () => {
  const rules = {
    rules: [rule('a', ['t1']), rule('b', ['t2']), rule('c', ['t3']), rule('d', ['t4'])],
    marks: [{ gate: 'b', tools: ['t1'] }, { gate: 'c', tools: ['t2'] }, { gate: 'a', tools: ['t3'] }, { gate: 'd', tools: ['t3'] }],
  }
  expect(brief(checkCycles(rules))).toEqual(['error gate_cycle /gates/rules/0/gate', 'error gate_cycle /gates/rules/3/gate'])
})

test('several tools that all wait for each other are counted in the message', () => {
  const rules = { rules: [rule('a', ['x', 'z'])], marks: [{ gate: 'a', tools: ['x', 'z'] }] }
  expect(checkCycles(rules)[0]?.message).toBe('`a` can never be marked: `a` is marked by `x`, which needs `a` (1 more cannot run either)')
})

test('a condition that can never be marked is told where it stands', () => {
  const rules = { rules: [rule('a', ['x']), rule('confirm', ['pay'], { condition: 'a' })], marks: [{ gate: 'a', tools: ['x'] }] }
  expect(brief(checkCycles({ ...rules, rules: rules.rules.toReversed() }))).toEqual(['error gate_cycle /gates/rules/0/condition'])
})

test.each<readonly [string, Partial<GateRules>]>([
  ['another tool marks one of them', { marks: [{ gate: 'a', tools: ['x', 'z'] }, { gate: 'b', tools: ['y'] }] }],
  ["the host's code does", { external: ['a'] }],
  ['the user does', { marks: [{ gate: 'a', tools: ['x'] }, { gate: 'a', from: 'user' }, { gate: 'b', tools: ['y'] }] }],
  ['a pattern that is about a free tool does', { marks: [{ gate: 'a', tools: ['x*'] }, { gate: 'b', tools: ['y'] }] }],
])('there is no cycle where %s', (_, more) => {
  expect(checkCycles({ ...LOOP, ...more })).toEqual([])
})

test.each<readonly [string, Partial<GateRule>]>([
  ['is not always enforced', { condition: 'c' }],
  ['is not about all calls', { when: read('args.x') }],
  ['asks a person instead', { otherwise: 'hold' }],
])('there is no cycle through a rule that %s', (_, more) => {
  expect(checkCycles({ ...LOOP, rules: [rule('a', ['y']), rule('b', ['x'], more)], external: ['c'] })).toEqual([])
})

test('a pattern that is only about tools in the cycle frees nobody, once the tools are known', () => {
  const rules = { ...LOOP, marks: [{ gate: 'a', tools: ['x*'] }, { gate: 'b', tools: ['y'] }] }
  expect(checkCycles(rules, named('x', 'y', 'x2'))).toEqual([])
  expect(brief(checkCycles(rules, named('x', 'y')))).toEqual(['error gate_cycle /gates/rules/0/gate'])
  expect(checkCycles({ ...rules, unlisted: 'allow' }, named('x', 'y'))).toEqual([])
})

test('a rule about annotations closes a cycle for a tool that is known to say so, and for no other', () => {
  const rules = { ...LOOP, rules: [rule('a', ['y']), { gate: 'b', message: 'm', annotations: { readOnlyHint: true }, unannotated: false }] }
  expect(checkCycles(rules)).toEqual([])
  // Who is unknown may say anything, also where the rule is about those that say nothing.
  expect(checkCycles({ ...rules, rules: rules.rules.map((each) => ({ ...each, ...(each.annotations && { unannotated: true }) })) })).toEqual([])
  expect(checkCycles(rules, [{ name: 'x', annotations: { readOnlyHint: false } }, { name: 'y' }])).toEqual([])
  expect(checkCycles(rules, [{ name: 'x', annotations: { readOnlyHint: true } }, { name: 'y' }])).toMatchObject([{ code: 'gate_cycle' }])
})

test.each<readonly [string, string, Partial<GateRules>]>([
  ['deny', 'deny', { deny: ['lo*'] }],
  ['allow', 'allow', { allow: ['x'] }],
  ['default', 'default', { default: 'refuse' }],
])('a gate that only a tool marks which %s refuses can never open', (_, by, more) => {
  expect(checkCycles({ rules: [rule('a', ['x'])], marks: [{ gate: 'a', tools: ['look'] }], ...more })).toMatchObject([{
    code: 'refused_markers', severity: 'error', pointer: '/gates/rules/0/gate',
    message: `\`a\` can never be marked: \`a\` is only marked by \`look\`, which \`${by}\` refuses`,
  }])
})

test.each<readonly [string, Partial<GateRules>]>([
  ['not denied', { deny: ['look_*'] }],
  ['allowed', { allow: ['lo*', 'x'] }],
  ['named by a rule', { default: 'refuse', rules: [rule('a', ['x']), rule('confirm', ['look'])] }],
  ['asked about', { default: 'confirm' }],
])('a tool that is %s may mark', (_, more) => {
  expect(checkCycles({ rules: [rule('a', ['x'])], marks: [{ gate: 'a', tools: ['look'] }], ...more })).toEqual([])
})

test('a pattern that another one may let in is not taken as refused', () => {
  const rules = { rules: [rule('a', ['x'])], marks: [{ gate: 'a', tools: ['get_*'] }] }
  expect(checkCycles({ ...rules, allow: ['*_all', 'x'] })).toEqual([])
  expect(checkCycles({ ...rules, allow: ['x'] })).toMatchObject([{ code: 'refused_markers' }])
  expect(checkCycles({ ...rules, default: 'refuse' })).toMatchObject([{ code: 'refused_markers' }])
})
