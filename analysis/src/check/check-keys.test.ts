import type { GateRules } from '@callgate/core'
import { expect, test } from 'vitest'
import { brief, read, rule } from './check.fixture.ts'
import { checkKeys } from './check-keys.ts'

const keys = read('result.id')
const keep = read('result')
const RULES = [rule('a', ['x'], { key: read('args.id') }), rule('a', ['x'], { require: read('fact.open') })]

test('a key that no mark carries, and a fact that none keeps, can never be met', () => {
  expect(brief(checkKeys({ rules: RULES, marks: [{ gate: 'a', tools: ['look'] }] }))).toEqual(['error no_keys_marked /gates/rules/0/key', 'error no_fact_kept /gates/rules/1/require'])
})

test.each<readonly [string, Partial<GateRules>]>([
  ['one mark has both', { marks: [{ gate: 'a', tools: ['look'], keys, keep }] }],
  ['two marks have one each', { marks: [{ gate: 'a', tools: ['look'], keys }, { gate: 'a', tools: ['see'], keep }] }],
  ["the host's code marks too", { marks: [{ gate: 'a', tools: ['look'] }], external: ['a'] }],
  ['nothing marks the gate, which is another finding', {}],
])('nothing is missing where %s', (_, more) => {
  expect(checkKeys({ rules: RULES, ...more })).toEqual([])
})

test('a fact about a key must be kept under a key', () => {
  const rules = [rule('a', ['x'], { key: read('args.id'), require: read('fact.open') })]
  const marks = [{ gate: 'a', tools: ['look'], keys }, { gate: 'a', tools: ['see'], keep }]
  expect(checkKeys({ rules, marks })).toMatchObject([{ code: 'no_fact_kept', pointer: '/gates/rules/0/require', hint: 'put `keys` and `keep` on one mark' }])
  expect(checkKeys({ rules, marks: [{ gate: 'a', tools: ['look'], keys, keep }] })).toEqual([])
})

test('what only clears a gate carries nothing', () => {
  expect(brief(checkKeys({ rules: RULES.slice(0, 1), marks: [{ gate: 'a', tools: ['look'] }, { gate: 'a', tools: ['x'], keys, clear: true }] }))).toEqual(['error no_keys_marked /gates/rules/0/key'])
})

test('keys that no rule asks for are doubtful, but not on the mark of a condition, where they say when it is made', () => {
  const marks = [{ gate: 'a', tools: ['look'], keys }]
  expect(brief(checkKeys({ rules: [rule('a', ['x'])], marks }))).toEqual(['warning unused_keys /gates/marks/0/keys'])
  expect(checkKeys({ rules: [rule('confirm', ['x'], { condition: 'a' })], marks })).toEqual([])
})

test('keys that a rule joins by the fact are asked for', () => {
  const marks = [{ gate: 'a', tools: ['look'], keys: read('args.id'), keep: read('result') }]
  expect(checkKeys({ rules: [rule('a', ['x'], { require: read('fact.id == args.id') })], marks })).toEqual([])
})
