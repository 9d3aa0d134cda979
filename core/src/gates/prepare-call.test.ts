import { expect, test } from 'vitest'
import { compileGates } from './compile-gates.ts'
import type { Expression } from './expression.ts'
import type { GateRule, GateRules } from './gate-rule.ts'
import { constant, member, throwing } from './gates.fixture.ts'
import { prepareCall } from './prepare-call.ts'
import type { GateCall, PreparedCall } from './prepare-call.ts'

const rule = { gate: 'g', tools: ['t'], message: 'm' }
const id = member('args', 'id')
const prepare = (rules: GateRules | readonly GateRule[], call: Partial<GateCall> = {}): PreparedCall => prepareCall(compileGates(rules), { tool: 't', args: { id: 'x' }, ...call })

test('the marks to load are those that the rules ask for: conditions whole, keys where only keys are asked for', () => {
  expect(prepare([]).queries).toEqual([])
  expect(prepare([rule, { ...rule, gate: 'h', tools: ['u'] }]).queries).toEqual([{ gate: 'g' }])
  expect(prepare([{ ...rule, key: id }]).queries).toEqual([{ gate: 'g', keys: ['"x"'] }])
  expect(prepare([{ ...rule, key: id }, { ...rule, key: constant(['y', 'x']) }]).queries).toEqual([{ gate: 'g', keys: ['"x"', '"y"'] }])
  expect(prepare([{ ...rule, key: id }, rule]).queries).toEqual([{ gate: 'g' }])
  expect(prepare([rule, { ...rule, key: id }]).queries).toEqual([{ gate: 'g' }])
  expect(prepare([{ ...rule, condition: 'c', key: id }]).queries).toEqual([{ gate: 'c' }, { gate: 'g', keys: ['"x"'] }])
  expect(prepare([{ ...rule, key: id }, { ...rule, gate: 'h', condition: 'g' }]).queries).toEqual([{ gate: 'g' }, { gate: 'h' }])
  expect(prepare([{ ...rule, gate: 'confirm', condition: 'c' }]).queries).toEqual([{ gate: 'c' }])
})

test('what cannot be met whatever is marked, or does not apply, loads nothing', () => {
  const rules = [{ ...rule, when: constant(false) }, { ...rule, key: throwing() }, { ...rule, key: constant(null) }, { ...rule, gate: 'confirm' }]
  expect(prepare(rules).queries).toEqual([])
  expect(prepare([{ ...rule, key: id }], { argsFault: () => 'no' }).queries).toEqual([])
})

test('arguments are judged once, and only where something looks at them', () => {
  let asked = 0
  const argsFault = (): string => {
    asked += 1
    return 'no'
  }
  expect(prepare([rule], { argsFault }).argsFault).toBeUndefined()
  expect(asked).toBe(0)
  expect(prepare([{ ...rule, key: id }, { ...rule, when: constant(true) }], { argsFault }).argsFault).toBe('no')
  expect(asked).toBe(1)
  expect(prepare({ rules: [], limits: [{ sum: id, max: 1 }] }, { argsFault }).argsFault).toBe('no')
  expect(prepare({ rules: [], limits: [{ calls: 1 }] }, { argsFault }).argsFault).toBeUndefined()
})

test('each expression is evaluated once, with the arguments and nothing else', () => {
  const seen: unknown[] = []
  const spy = (value: unknown): Expression => ({
    source: 'spy',
    evaluate(input) {
      seen.push(input)
      return value
    },
  })
  const args = { id: 'x' }
  prepare([{ ...rule, when: spy(true), key: spy('k'), require: spy(true) }], { args })
  expect(seen).toEqual([{ args }, { args }])
  seen.length = 0
  prepare([{ ...rule, when: spy(false), key: spy('k') }], { args })
  expect(seen).toEqual([{ args }])
})

test('an expression keeps its own this', () => {
  class Counter implements Expression {
    readonly source = 'counter'
    readonly #key = 'k'
    evaluate(): string {
      return this.#key
    }
  }
  expect(prepare([{ ...rule, key: new Counter() }]).queries).toEqual([{ gate: 'g', keys: ['"k"'] }])
})

test('the tool and the arguments are kept, none where none were admitted', () => {
  expect(prepare([]).tool).toBe('t')
  expect(prepare([]).args).toEqual({ id: 'x' })
  expect(prepare([], { args: undefined }).args).toEqual({})
})
