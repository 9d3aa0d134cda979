import { expect, test } from 'vitest'
import { compileGates } from './compile-gates.ts'
import type { GateRules } from './gate-rule.ts'

const rule = { gate: 'g', tools: ['t'], message: 'm' }

test('rules are found by tool in file order, a tool named twice once', () => {
  const second = { gate: 'h', tools: ['u', 't', 't'], message: 'n', condition: 'c', line: 7 }
  const gates = compileGates({ rules: [rule, second] })
  expect(gates.rulesFor('t')).toEqual([rule, second])
  expect(gates.rulesFor('u')).toEqual([second])
  expect(gates.rulesFor('v')).toEqual([])
  expect(gates.isCondition('c')).toBe(true)
  expect(gates.isCondition('g')).toBe(false)
})

test('marks are found by tool and by gate, and external gates by name', () => {
  const marks = [{ gate: 'a', tools: ['t', 'u'] }, { gate: 'b', tools: ['t'], line: 3 }, { gate: 'a', tools: ['w', 'u'] }]
  const gates = compileGates({ rules: [rule], marks, external: ['x'] })
  expect(gates.marksOf('t')).toEqual(['a', 'b'])
  expect(gates.marksOf('v')).toEqual([])
  expect(gates.markersOf('a')).toEqual(['t', 'u', 'w'])
  expect(gates.markersOf('x')).toEqual([])
  expect(gates.isExternal('x')).toBe(true)
  expect(gates.isExternal('a')).toBe(false)
  expect(gates.source).toEqual({ rules: [rule], marks, external: ['x'] })
})

test('a list of rules alone is enough', () => {
  expect(compileGates([rule]).rulesFor('t')).toEqual([rule])
})

test('what the caller changes afterwards changes no rule', () => {
  const tools = ['t']
  const gates = compileGates([{ ...rule, tools }])
  tools[0] = 'u'
  expect(gates.rulesFor('t')).toHaveLength(1)
  expect(gates.source.rules[0]?.tools).toEqual(['t'])
})

test.each([
  ['nothing', undefined, /rules must be a list/],
  ['null', null, /rules must be a list/],
  ['a text', 'rules', /rules must be a list/],
  ['rules that are no list', { rules: {} }, /rules must be a list/],
  ['a rule that is null', { rules: [null] }, /rule 1: gate must be text/],
  ['no gate', { rules: [{ ...rule, gate: undefined }] }, /rule 1: gate must be text that is not empty, not undefined/],
  ['an empty gate', { rules: [rule, { ...rule, gate: '' }] }, /rule 2: gate must be text that is not empty, not an empty text/],
  ['tools that are no list', { rules: [{ ...rule, tools: 't' }] }, /rule 1: tools must be a list/],
  ['no tools', { rules: [{ ...rule, tools: [] }] }, /rule 1: tools is empty/],
  ['a tool that is no text', { rules: [{ ...rule, tools: ['t', 7] }] }, /rule 1: tools must be text.*number/],
  ['no message', { rules: [{ ...rule, message: '' }] }, /rule 1: message must be text/],
  ['half a character', { rules: [{ ...rule, message: 'a\ud800' }] }, /rule 1: message must be text.*lone surrogate/],
  ['a condition that is no text', { rules: [{ ...rule, condition: 1 }] }, /rule 1: condition must be text/],
  ['marks that are no list', { rules: [], marks: {} }, /marks must be a list/],
  ['a mark that is null', { rules: [], marks: [null] }, /mark 1: gate must be text/],
  ['a mark without tools', { rules: [], marks: [{ gate: 'a', tools: [] }] }, /mark 1: tools is empty/],
  ['external that is no list', { rules: [], external: 'x' }, /external must be a list/],
  ['an external gate that is no text', { rules: [], external: [7] }, /external: gate must be text/],
])('%s is refused by name', (_what, gates, message) => {
  const compile = (): unknown => compileGates(gates as unknown as GateRules)
  expect(compile).toThrow(message)
  expect(compile).toThrow(expect.objectContaining({ code: 'invalid_rules' }))
})

test.each([
  ['marked by a tool', { rules: [], marks: [{ gate: 'confirm', tools: ['t'] }] }, /^mark 1: the gate "confirm"/],
  ['external', { rules: [], external: ['confirm'] }, /^external: the gate "confirm"/],
  ['a condition', { rules: [{ ...rule, condition: 'confirm' }] }, /^rule 1: the gate "confirm" is never marked/],
])('confirm cannot be %s', (_what, gates, message) => {
  expect(() => compileGates(gates)).toThrow(message)
  expect(() => compileGates(gates)).toThrow(expect.objectContaining({ code: 'reserved_gate' }))
})
