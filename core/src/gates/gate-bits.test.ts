import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileGates } from './compile-gates.ts'
import { createGateBits } from './gate-bits.ts'
import type { GateRules } from './gate-rule.ts'
import { constant, viewOf } from './gates.fixture.ts'
import { judgeGates } from './judge-gates.ts'
import { prepareCall } from './prepare-call.ts'

const rule = { gate: 'g', tools: ['t'], message: 'm' }
const isClear = (rules: Partial<GateRules>, marked: readonly string[] = ['g'], tool = 't'): boolean => {
  const bits = createGateBits(compileGates({ rules: [rule], ...rules }))
  const marks = bits.createMarked()
  for (const gate of marked) bits.mark(marks, gate)
  return bits.isClear(tool, marks)
}

test('a tool is clear when all of its gates are marked', () => {
  const rules = [rule, { ...rule, gate: 'h', tools: ['t', 'u'] }]
  expect(isClear({ rules }, [])).toBe(false)
  expect(isClear({ rules }, ['g'])).toBe(false)
  expect(isClear({ rules }, ['h', 'g', 'h', 'unknown'])).toBe(true)
  expect(isClear({ rules }, ['h'], 'u')).toBe(true)
  expect(isClear({ rules }, [], 'v')).toBe(true)
  expect(isClear({ rules: [{ ...rule, tools: ['t*'] }] }, [], 'task')).toBe(false)
})

test.each<[string, Partial<GateRules>]>([
  ['a condition', { rules: [{ ...rule, condition: 'c' }] }],
  ['a key', { rules: [{ ...rule, key: constant(1) }] }],
  ['a requirement', { rules: [{ ...rule, require: constant(true) }] }],
  ['a when', { rules: [{ ...rule, when: constant(false) }] }],
  ['a question', { rules: [{ ...rule, gate: 'confirm' }] }],
  ['annotations', { rules: [{ ...rule, annotations: { readOnlyHint: true }, unannotated: true }] }],
  ['annotations of some other tool', { rules: [rule, { ...rule, annotations: { readOnlyHint: true }, unannotated: false }] }],
  ['a limit', { limits: [{ calls: 1 }] }],
  ['a clear', { marks: [{ gate: 'h', tools: ['t'], clear: true }] }],
  ['a deny', { deny: ['t'] }],
  ['an allow of others', { allow: ['u'] }],
  ['a default that refuses', { rules: [], default: 'refuse' }],
  ['a default that asks', { rules: [], default: 'confirm' }],
])('a tool with %s is never clear: it must be judged', (_what, rules) => {
  expect(isClear(rules)).toBe(false)
})

test.each<[string, Partial<GateRules>]>([
  ['otherwise: hold', { rules: [{ ...rule, otherwise: 'hold' }] }],
  ['an allow of it', { allow: ['t'] }],
  ['an allow of it alone', { rules: [], allow: ['t'] }],
  ['a default about others', { default: 'refuse' }],
  ['a default that allows', { rules: [], default: 'allow' }],
  ['a mark', { marks: [{ gate: 'h', tools: ['t'], uses: 1 }] }],
])('a tool with %s is clear', (_what, rules) => {
  expect(isClear(rules)).toBe(true)
})

test('any number of gates is told apart', () => {
  const rules = Array.from({ length: 100 }, (_, at) => ({ gate: `g${at}`, tools: ['all', `t${at}`], message: 'm' }))
  const bits = createGateBits(compileGates(rules))
  for (let at = 0; at < 100; at += 1) {
    const one = bits.createMarked()
    bits.mark(one, `g${at}`)
    expect(rules.map(({ tools }) => bits.isClear(tools[1] as string, one)).filter(Boolean)).toHaveLength(1)
    expect(bits.isClear(`t${at}`, one)).toBe(true)
    const others = bits.createMarked()
    for (const { gate } of rules) if (gate !== `g${at}`) bits.mark(others, gate)
    expect(bits.isClear('all', others)).toBe(false)
    bits.mark(others, `g${at}`)
    expect(bits.isClear('all', others)).toBe(true)
  }
})

test('marks of one session are not those of another', () => {
  const bits = createGateBits(compileGates([rule]))
  const [one, other] = [bits.createMarked(), bits.createMarked()]
  bits.mark(one, 'g')
  expect([bits.isClear('t', one), bits.isClear('t', other)]).toEqual([true, false])
})

test('a clear tool is one that the judge lets run', () => {
  const names = fc.constantFrom('t', 'u', 'v', 't*', '*')
  const gates = fc.constantFrom('a', 'b', 'c', 'confirm')
  const rules = fc.array(fc.record({ gate: gates, tools: fc.uniqueArray(names, { minLength: 1 }), message: fc.constant('m'), condition: fc.constantFrom('a', 'b') }, { requiredKeys: ['gate', 'tools', 'message'] }))
  fc.assert(fc.property(rules, fc.subarray(['a', 'b', 'c']), (list, marked) => {
    const compiled = compileGates(list)
    const bits = createGateBits(compiled)
    const marks = bits.createMarked()
    for (const gate of marked) bits.mark(marks, gate)
    for (const tool of ['t', 'u', 'v', 'w']) {
      const { unmet, confirms } = judgeGates(compiled, prepareCall(compiled, { tool, args: {} }), viewOf(marked.map((gate) => ({ gate, at: 0 }))))
      const isPlain = compiled.rulesOf(tool).every((each) => each.rule.condition === undefined && each.rule.gate !== 'confirm')
      expect(bits.isClear(tool, marks)).toBe(isPlain && unmet.length + confirms.length === 0)
    }
  }))
})
