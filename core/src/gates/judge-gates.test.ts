import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileGates } from './compile-gates.ts'
import { judgeGates } from './judge-gates.ts'

const NAMES = ['a', 'b', 'c', '__proto__', 'confirm']
const rules = fc.array(
  fc.record(
    {
      gate: fc.constantFrom(...NAMES),
      tools: fc.uniqueArray(fc.constantFrom('t', 'u', 'v'), { minLength: 1 }),
      message: fc.constant('m'),
      condition: fc.constantFrom('a', 'b', 'c', '__proto__'),
    },
    { requiredKeys: ['gate', 'tools', 'message'] },
  ),
  { maxLength: 8 },
)
const marked = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', '__proto__'))
const view = (names: readonly string[]): { isMarked(gate: string): boolean; isConditionLive(gate: string): boolean } => ({
  isMarked: (gate) => names.includes(gate),
  isConditionLive: (gate) => names.includes(gate),
})

test('the compiled look-up agrees with a plain reading of the contract', () => {
  fc.assert(
    fc.property(rules, marked, (list, names) => {
      for (const tool of ['t', 'u', 'v', 'w']) {
        const applying = list.filter((rule) => rule.tools.includes(tool as 't') && (rule.condition === undefined || names.includes(rule.condition)))
        const judged = judgeGates(compileGates(list), tool, view(names))
        expect(judged.confirms).toEqual(applying.filter((rule) => rule.gate === 'confirm'))
        expect(judged.unmet).toEqual(applying.filter((rule) => rule.gate !== 'confirm' && !(names as string[]).includes(rule.gate)))
      }
    }),
  )
})

test('adding a rule never lets a call run that was refused before', () => {
  fc.assert(
    fc.property(rules, rules, marked, (list, more, names) => {
      const before = judgeGates(compileGates(list), 't', view(names))
      const after = judgeGates(compileGates([...list, ...more]), 't', view(names))
      expect(after.unmet.length).toBeGreaterThanOrEqual(before.unmet.length)
      expect(after.confirms.length).toBeGreaterThanOrEqual(before.confirms.length)
    }),
  )
})

test('a condition is judged by its own view, which may be wider than what is marked', () => {
  const gates = compileGates([{ gate: 'g', tools: ['t'], message: 'm', condition: 'c' }])
  expect(judgeGates(gates, 't', { isMarked: () => false, isConditionLive: () => true }).unmet).toHaveLength(1)
  expect(judgeGates(gates, 't', { isMarked: () => false, isConditionLive: () => false }).unmet).toHaveLength(0)
})
