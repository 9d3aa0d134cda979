import { readFileSync } from 'node:fs'
import type { GateRule, GateRules, MarkRule } from '@callgate/core'
import { expect, test } from 'vitest'
import { brief, named, read, rule } from './check.fixture.ts'
import { checkRules } from './check-rules.ts'
import type { CheckOptions } from './check-rules.ts'
import { FINDING_CODES } from './finding.ts'

test('rules without a fault have no finding', async () => {
  const rules = { rules: [rule('read', ['write']), rule('confirm', ['pay'])], marks: [{ gate: 'read', tools: ['look'] }] }
  expect(await checkRules(rules, { tools: named('look', 'write', 'pay') })).toEqual([])
})

test('each code has a section in docs/errors.md', () => {
  const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
  expect(FINDING_CODES.filter((code) => !page.includes(`\n### \`${code}\`\n`))).toEqual([])
})

test('each check is asked', async () => {
  const rules: GateRules = {
    rules: [rule('never', ['pya']), rule('a', ['x'], { key: read('args.id') }), rule('a', ['x'], { when: read('args.n') }), rule('confirm', ['drop']), rule('b', ['y'])],
    marks: [{ gate: 'a', tools: ['look'] }, { gate: 'b', tools: ['y'] }],
    deny: ['drop'],
  }
  const findings = await checkRules(rules, { tools: named('look', 'x', 'y', 'drop'), examples: [{ call: { tool: 'look' }, expect: 'refuse' }], names: [{ name: 'z', pointer: '/typing/tools/z' }] })
  expect(brief(findings)).toEqual([
    'error unknown_tool /gates/rules/0/tools/0', 'error unknown_tool /typing/tools/z', 'error gate_never_marked /gates/rules/0/gate',
    'error gate_cycle /gates/rules/4/gate', 'warning denied_rule /gates/rules/3', 'warning shadowed_rule /gates/rules/2',
    'error no_keys_marked /gates/rules/1/key', 'error failing_example /examples/0',
  ])
})

test('rules that cannot be compiled are rejected', async () => {
  await expect(checkRules({ rules: [rule('', ['x'])] })).rejects.toMatchObject({ code: 'invalid_rules' })
})

test('names of the prototype are names', async () => {
  const rules = { rules: [rule('__proto__', ['constructor'])], marks: [{ gate: '__proto__', tools: ['toString'] }], deny: ['__proto__'] }
  expect(await checkRules(rules, { tools: named('constructor', 'toString', '__proto__') })).toEqual([])
})

const COUNT = 10_000
const many = <T>(make: (at: number) => T, count = COUNT): readonly T[] => Array.from({ length: count }, (_, at) => make(at))
const TOOLS: CheckOptions = { tools: named(...many((at) => `tool_${at}`, 1_000), 'read') }
const READ: readonly MarkRule[] = [{ gate: 'g', tools: ['read'] }]

test.each<readonly [string, readonly GateRule[], readonly MarkRule[]]>([
  ['of a thousand tools', many((at) => rule(`g${at % 500}`, [`tool_${at % 1_000}`], { when: read(`args.n > ${at}`) })), many((at) => ({ gate: `g${at}`, tools: ['read'] }), 500)],
  ['of unknown tools', many((at) => rule('g', [`xool_name_${at}`])), READ],
  ['of patterns that begin otherwise', many((at) => rule('g', [`tool_${at}_*`])), READ],
  ['of patterns that end otherwise', many((at) => rule('g', [`*_${at}x`])), READ],
  ['of every tool', many((at) => rule(`g${at}`, ['*'])), many((at) => ({ gate: `g${at}`, tools: ['read'] }))],
  ['in one cycle', many((at) => rule(`g${at}`, [`tool_${(at + 1) % COUNT}`])), many((at) => ({ gate: `g${at}`, tools: [`tool_${at}`] }))],
  ['marked by ten thousand patterns', many((at) => rule('g', [`tool_${at % 1_000}`])), many((at) => ({ gate: 'g', tools: [`read_*_${at}`] }))],
])('ten thousand rules %s are checked without a scan of all by each', async (_, rules, marks) => {
  const start = performance.now()
  await checkRules({ rules, marks }, TOOLS)
  // A few tenths of a second; one comparison of each with each takes ten times the bound.
  expect(performance.now() - start).toBeLessThan(3_000)
})
