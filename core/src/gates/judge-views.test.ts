import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileGates } from './compile-gates.ts'
import type { GateRule } from './gate-rule.ts'
import { constant, equals, member, viewOf } from './gates.fixture.ts'
import { judgeGates } from './judge-gates.ts'
import { judgeViews } from './judge-views.ts'
import type { Mark } from './ledger.ts'
import { prepareCall } from './prepare-call.ts'

const open = equals('fact', 's', 'open')
const variants = [{}, { require: open }, { key: member('args', 'id') }, { key: constant(['x', 'y']), require: open }, { condition: 'c' }]
const ruleOf = fc.record({ gate: fc.constantFrom('g', 'h'), variant: fc.constantFrom(...variants), otherwise: fc.constantFrom('refuse' as const, 'hold' as const) })
  .map(({ variant, ...rule }): GateRule => ({ ...rule, ...variant, tools: ['t'], message: 'm' }))
const markOf = fc.record({ gate: fc.constantFrom('g', 'h', 'c'), at: fc.integer({ min: 0, max: 3 }), key: fc.constantFrom('"x"', '"y"'), fact: fc.constantFrom('{"s":"open"}', '{"s":"shut"}', '1') })
const marksOf = fc.uniqueArray(markOf, { maxLength: 5, selector: ({ gate, key }) => gate + key })
const names = (all: readonly { readonly rule: GateRule }[]): readonly GateRule[] => all.map(({ rule }) => rule)

test('a rule is met where both views meet it, a person is asked where either asks, and the present is what the claim needs', () => {
  fc.assert(
    fc.property(fc.array(ruleOf, { maxLength: 5 }), marksOf, marksOf, (rules, before, now) => {
      const gates = compileGates({ rules, marks: [{ gate: 'g', tools: ['look'], uses: 1 }] })
      const prepared = prepareCall(gates, { tool: 't', args: { id: 'x' } })
      const views = { before: viewOf(before), now: viewOf(now) }
      const judged = judgeViews(gates, prepared, views)
      const [first, second] = [judgeGates(gates, prepared, views.before), judgeGates(gates, prepared, views.now)]
      const inOrder = prepared.rules.map(({ rule }) => rule)
      for (const part of ['unmet', 'holds'] as const) {
        const either = new Set([...names(first[part]), ...names(second[part])])
        expect(names(judged[part])).toEqual(inOrder.filter((rule) => either.has(rule)))
      }
      for (const one of judged.unmet) expect(one.isChanged === true).toBe(!names(first.unmet).includes(one.rule))
      expect(judged.needs).toEqual(second.needs)
      expect(judged.needing.map(({ gate }) => gate)).toEqual(judged.needs.map(({ gate }) => gate))
      expect(judgeViews(gates, prepared, { before: views.before })).toEqual(first)
    }),
    { numRuns: 500 },
  )
})

test('what only the present refuses keeps its own reason, and is told to have changed', () => {
  const rule: GateRule = { gate: 'g', tools: ['t'], message: 'm', key: member('args', 'id'), require: open }
  const gates = compileGates([rule])
  const mark = (fact: string): Mark => ({ gate: 'g', at: 0, key: '"x"', fact })
  const prepared = prepareCall(gates, { tool: 't', args: { id: 'x' } })
  const judge = (before: string, now: string): unknown => judgeViews(gates, prepared, { before: viewOf([mark(before)]), now: viewOf([mark(now)]) }).unmet.map(({ why, isChanged }) => [why, isChanged])
  expect(judge('{"s":"open"}', '{"s":"shut"}')).toEqual([['require', true]])
  expect(judge('{"s":"open"}', '1')).toEqual([['rule_error', true]])
  expect(judge('{"s":"shut"}', '{"s":"open"}')).toEqual([['require', undefined]])
  expect(judge('{"s":"open"}', '{"s":"open","n":2}')).toEqual([])
})
