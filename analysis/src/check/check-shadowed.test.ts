import type { GateRule } from '@callgate/core'
import { expect, test } from 'vitest'
import { brief, read, rule } from './check.fixture.ts'
import { checkShadowed } from './check-shadowed.ts'

const when = read('args.n > 1')
const key = read('args.id')
const require = read('fact.open')
const destructive: GateRule = { gate: 'a', message: 'm', annotations: { destructiveHint: true }, unannotated: true }

test.each<readonly [string, GateRule, GateRule]>([
  ['the same of fewer tools', rule('a', ['x', 'y']), rule('a', ['y'])],
  ['the same of what a wider pattern is about', rule('a', ['x*']), rule('a', ['xy*', 'xz'])],
  ['the same of some calls', rule('a', ['x']), rule('a', ['x'], { when })],
  ['the same under a condition', rule('a', ['x']), rule('a', ['x'], { condition: 'c' })],
  ['the same of some calls under a condition', rule('a', ['x'], { when }), rule('a', ['x'], { when, condition: 'c' })],
  ['the same of tools with annotations', rule('a', ['x*']), { ...destructive, tools: ['xy'] }],
  ['the same of annotations', destructive, destructive],
  ['a mark, after a key', rule('a', ['x'], { key }), rule('a', ['x'])],
  ['a key, after its fact', rule('a', ['x'], { key, require }), rule('a', ['x'], { key })],
  ['a person, after a refusal', rule('a', ['x']), rule('a', ['x'], { otherwise: 'hold' })],
  ['the same person', rule('confirm', ['x'], { quorum: 2 }), rule('confirm', ['x'], { quorum: 2 })],
])('a rule that asks for %s is hidden by the one before', (_, first, second) => {
  expect(brief(checkShadowed({ rules: [first, second], external: ['a'] }))).toEqual(['warning shadowed_rule /gates/rules/1'])
})

test.each<readonly [string, GateRule, GateRule]>([
  ['more tools', rule('a', ['x']), rule('a', ['x', 'y'])],
  ['a wider pattern', rule('a', ['xy*']), rule('a', ['x*'])],
  ['another question', rule('confirm', ['x']), rule('confirm', ['x'], { message: 'And is it the right person?' })],
  ['all calls', rule('a', ['x'], { when }), rule('a', ['x'])],
  ['other calls', rule('a', ['x'], { when }), rule('a', ['x'], { when: read('args.n < 1') })],
  ['all times', rule('a', ['x'], { condition: 'c' }), rule('a', ['x'])],
  ['tools without annotations', destructive, rule('a', ['x'])],
  ['a key', rule('a', ['x']), rule('a', ['x'], { key })],
  ['another key', rule('a', ['x'], { key }), rule('a', ['x'], { key: read('args.other') })],
  ['a fact', rule('a', ['x'], { key }), rule('a', ['x'], { key, require })],
  ['another gate', rule('a', ['x']), rule('b', ['x'])],
  ['a person', rule('a', ['x']), rule('confirm', ['x'])],
  ['more people', rule('confirm', ['x']), rule('confirm', ['x'], { quorum: 2 })],
  ['a person about some calls, in other words', rule('confirm', ['x']), rule('confirm', ['x'], { when })],
])('a rule that asks for %s is not hidden', (_, first, second) => {
  expect(checkShadowed({ rules: [first, second], external: ['a'] })).toEqual([])
})

test('a rule that holds is hidden by one that refuses, also by a later one', () => {
  const held = rule('a', ['x'], { otherwise: 'hold' })
  expect(brief(checkShadowed({ rules: [held, rule('a', ['x'])] }))).toEqual(['warning shadowed_rule /gates/rules/0'])
  expect(checkShadowed({ rules: [{ ...held, key }, rule('a', ['x'])], external: ['a'] })).toEqual([])
})

test('several rules together hide one, and the message names the last that it takes, by its line', () => {
  const rules = [rule('a', ['x'], { line: 4 }), rule('a', ['y'], { line: 7 }), rule('a', ['x', 'y'], { line: 9 })]
  expect(checkShadowed({ rules })).toMatchObject([{ pointer: '/gates/rules/2', message: 'the rule in line 7 asks no less of the same tools: this rule can never matter' }])
})

test('names of the prototype hide nothing', () => {
  expect(checkShadowed({ rules: [rule('__proto__', ['constructor']), rule('constructor', ['__proto__'])] })).toEqual([])
})

test('a rule that asks a person is hidden by one whose gate nothing marks, wherever that stands', () => {
  const asks = rule('confirm', ['x'])
  const closed = rule('a', ['x*'])
  for (const [rules, at] of [[[closed, asks], 1], [[asks, closed], 0]] as const) {
    expect(checkShadowed({ rules })).toMatchObject([{ code: 'shadowed_rule', pointer: `/gates/rules/${at}`, message: expect.stringContaining('always refuses') as string }])
    expect(checkShadowed({ rules, marks: [{ gate: 'a', tools: ['y'] }] })).toEqual([])
  }
  expect(checkShadowed({ rules: [rule('a', ['x'], { when }), asks] })).toEqual([])
  expect(checkShadowed({ rules: [rule('a', ['x'], { condition: 'c' }), asks] })).toEqual([])
})
