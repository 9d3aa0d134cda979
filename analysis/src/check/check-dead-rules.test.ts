import type { GateRule } from '@callgate/core'
import { expect, test } from 'vitest'
import { brief, named, read, rule } from './check.fixture.ts'
import { checkDeadRules } from './check-dead-rules.ts'

test('a rule whose tools are all denied can never matter', () => {
  expect(brief(checkDeadRules({ rules: [rule('confirm', ['drop_table']), rule('confirm', ['drop_table', 'x'])], deny: ['drop_*'] }))).toEqual(['warning denied_rule /gates/rules/0'])
})

test('a pattern is denied by a wider one, or where each known tool of it is denied', () => {
  const rules = { rules: [rule('confirm', ['drop_a*']), rule('confirm', ['d*'])], deny: ['drop_*'] }
  expect(brief(checkDeadRules(rules))).toEqual(['warning denied_rule /gates/rules/0'])
  expect(brief(checkDeadRules(rules, named('drop_a', 'drop_b')))).toEqual(['warning denied_rule /gates/rules/0', 'warning denied_rule /gates/rules/1'])
  expect(brief(checkDeadRules({ ...rules, unlisted: 'allow' }, named('drop_a', 'drop_b')))).toEqual(['warning denied_rule /gates/rules/0'])
})

test('a rule about no tool that is allowed can never matter', () => {
  const rules = { rules: [rule('confirm', ['x']), rule('confirm', ['get_*']), rule('confirm', ['get_a']), rule('confirm', ['a*'])], allow: ['get_*'] }
  expect(brief(checkDeadRules(rules))).toEqual(['warning outside_allow /gates/rules/0'])
  expect(brief(checkDeadRules(rules, named('x', 'get_a', 'a_b')))).toEqual(['warning outside_allow /gates/rules/0', 'warning outside_allow /gates/rules/3'])
})

test('a rule about annotations can never matter where the tools that say so are denied, or there are none', () => {
  const destructive: GateRule = { gate: 'confirm', message: 'Sure?', annotations: { destructiveHint: true }, unannotated: false }
  const tools = [{ name: 'drop', annotations: { destructiveHint: true } }, { name: 'look', annotations: { destructiveHint: false } }]
  expect(checkDeadRules({ rules: [destructive] })).toEqual([])
  expect(checkDeadRules({ rules: [destructive] }, tools)).toEqual([])
  expect(brief(checkDeadRules({ rules: [destructive], deny: ['drop'] }, tools))).toEqual(['warning denied_rule /gates/rules/0'])
  expect(brief(checkDeadRules({ rules: [destructive] }, tools.slice(1)))).toEqual(['warning no_tool_selected /gates/rules/0'])
  expect(checkDeadRules({ rules: [{ ...destructive, unannotated: true }] }, named('x'))).toEqual([])
})

test('a name that the server does not have is no dead rule: that is another finding', () => {
  expect(checkDeadRules({ rules: [rule('confirm', ['x']), rule('confirm', ['y*'])] }, named('look'))).toEqual([])
})

test('a rule whose condition is its own gate never refuses, unless it asks for more than the mark', () => {
  expect(brief(checkDeadRules({ rules: [rule('a', ['x'], { condition: 'a' })] }))).toEqual(['error own_condition /gates/rules/0/condition'])
  expect(checkDeadRules({ rules: [rule('a', ['x'], { condition: 'a', key: read('args.id') }), rule('a', ['x'], { condition: 'b' })] })).toEqual([])
})
