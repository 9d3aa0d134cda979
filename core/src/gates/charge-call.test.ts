import { expect, test } from 'vitest'
import type { JsonObject } from '../model/json-value.ts'
import { parseWire } from '../model/parse-wire.ts'
import { chargeCall } from './charge-call.ts'
import type { CallCharge } from './charge-call.ts'
import { compileGates } from './compile-gates.ts'
import type { GateRules, LimitRule, MarkRule } from './gate-rule.ts'
import { constant, member, throwing } from './gates.fixture.ts'
import { prepareCall } from './prepare-call.ts'

const amount = member('args', 'amount')
const charge = (rules: Partial<GateRules>, args: JsonObject = {}, tool = 't', fault?: string): CallCharge => {
  const gates = compileGates({ rules: [], ...rules })
  return chargeCall(gates, prepareCall(gates, { tool, args, argsFault: () => fault }), args, 'digest')
}
const nothing = { charges: [], limits: [], clears: [], faults: [] }

test('a call of a tool without limits and clears takes nothing', () => {
  expect(charge({})).toEqual(nothing)
  expect(charge({ limits: [{ tools: ['u'], calls: 1 }], marks: [{ gate: 'g', tools: ['u'], clear: true }, { gate: 'g', tools: ['t'] }] })).toEqual(nothing)
})

test('each limit about the tool is charged, with its bound and its window', () => {
  const limits: LimitRule[] = [{ calls: 5, perMs: 60 }, { tools: ['t*'], sum: amount, max: 500 }, { tools: ['t'], calls: 9, line: 3 }]
  const { charges, limits: rules } = charge({ limits }, { amount: 12.5 })
  expect(rules).toEqual(limits)
  expect(charges).toEqual([
    { limit: expect.stringMatching(/^[0-9a-f]{64}$/), calls: 5, perMs: 60 },
    { limit: expect.stringMatching(/^[0-9a-f]{64}$/), sum: { amount: '12.5', max: '500' } },
    { limit: expect.stringMatching(/^[0-9a-f]{64}$/), calls: 9 },
  ])
  expect(new Set(charges.map(({ limit }) => limit)).size).toBe(3)
})

test('a limit has the same name in every set of rules, whatever its bound and its line', () => {
  const nameOf = (limit: LimitRule): string | undefined => charge({ limits: [limit] }, { amount: 1 }).charges[0]?.limit
  expect(nameOf({ calls: 5, perMs: 60, line: 1 })).toBe(nameOf({ calls: 4, perMs: 60 }))
  expect(nameOf({ calls: 5 })).not.toBe(nameOf({ calls: 5, perMs: 60 }))
  expect(nameOf({ calls: 5, tools: ['t', 'u'] })).toBe(nameOf({ calls: 5, tools: ['u', 't'] }))
  expect(nameOf({ calls: 5 })).not.toBe(nameOf({ calls: 5, tools: ['t'] }))
})

test.each<[string, JsonObject[string], string]>([
  ['a number', 12.5, '12.5'],
  ['nothing', 0, '0'],
  ['a large number', 1e21, '1e+21'],
  ['an integer outside the safe range', 9007199254740993n, '9007199254740993'],
  ['a number that keeps its text', parseWire('0.10000000000000000001', ''), '0.10000000000000000001'],
])('%s is an amount', (_what, value, text) => {
  expect(charge({ limits: [{ sum: amount, max: 1 }] }, { amount: value }).charges).toMatchObject([{ sum: { amount: text, max: '1' } }])
})

test.each<[string, unknown]>([
  ['a negative number', -0.01],
  ['a negative integer outside the safe range', -9007199254740993n],
  ['a text', '12.5'],
  ['an empty text', ''],
  ['true', true],
  ['null', null],
  ['a missing member', undefined],
  ['a list', [1]],
  ['an object', {}],
  ['no number', NaN],
  ['a number without end', Infinity],
  ['a number too long to add', parseWire(`1e-999`, '')],
])('a sum over %s refuses', (_what, value) => {
  const limit = { sum: constant(value), max: 1, line: 4 }
  expect(charge({ limits: [limit] })).toEqual({ ...nothing, faults: [{ limit, kind: 'rule_error', why: `constant ${typeof value} is no number, or a negative one` }] })
})

test('a sum that fails refuses, and the other limits are charged all the same', () => {
  const limit = { sum: throwing(), max: 1 }
  expect(charge({ limits: [limit, { calls: 1 }] })).toMatchObject({ charges: [{ calls: 1 }], limits: [{ calls: 1 }], faults: [{ limit, kind: 'rule_error', why: 'broken(): no such overload' }] })
})

test('arguments that do not satisfy the schema are neither summed nor cleared by', () => {
  const limit = { sum: amount, max: 1 }
  const mark = { gate: 'g', tools: ['t'], clear: true, keys: member('args', 'id') }
  expect(charge({ limits: [limit, { calls: 1 }], marks: [mark, { gate: 'h', tools: ['t'], clear: true }] }, { amount: 1, id: 'x' }, 't', 'no')).toMatchObject({
    charges: [{ calls: 1 }],
    clears: [{ gate: 'h' }],
    faults: [{ limit, kind: 'arguments', why: 'no' }, { mark, kind: 'arguments', why: 'no' }],
  })
})

test('repeats are counted by the strictest limit about the tool', () => {
  const limits = [{ repeats: 5 }, { repeats: 3, tools: ['t'] }, { repeats: 4, tools: ['t*'] }, { repeats: 1, tools: ['u'] }]
  expect(charge({ limits })).toEqual({ ...nothing, repeat: { digest: 'digest', max: 3 }, repeatLimit: limits[1] })
})

test('a call of a tool without a limit on repeats breaks the row of others', () => {
  expect(charge({ limits: [{ repeats: 1, tools: ['u'] }] })).toEqual({ ...nothing, repeat: { digest: 'digest', max: Number.MAX_SAFE_INTEGER } })
})

test('of two equally strict limits on repeats the first is named', () => {
  const limits = [{ repeats: 2, tools: ['t'], line: 1 }, { repeats: 2, tools: ['t*'], line: 2 }]
  expect(charge({ limits }).repeatLimit).toEqual(limits[0])
})

const clearing = (words: Partial<MarkRule>, args: JsonObject = {}): CallCharge => charge({ marks: [{ gate: 'g', tools: ['t'], clear: true, ...words }] }, args)

test('a call clears all marks of a gate, or those of the keys that it names', () => {
  const keys = member('args', 'id')
  expect(clearing({}).clears).toEqual([{ gate: 'g' }])
  expect(clearing({ keys }, { id: 'x' }).clears).toEqual([{ gate: 'g', keys: ['"x"'] }])
  expect(clearing({ keys }, { id: ['x', 7, 'x'] }).clears).toEqual([{ gate: 'g', keys: ['"x"', '7'] }])
  expect(clearing({ keys }, { id: [] }).clears).toEqual([])
})

test('a call that does not say which keys it touches clears all of them', () => {
  const keys = member('args', 'id')
  for (const args of [{}, { id: null }, { id: ['x', null] }] as JsonObject[]) expect(clearing({ keys }, args).clears).toEqual([{ gate: 'g' }])
})

test('a clear that fails refuses', () => {
  const refused = (keys: MarkRule['keys'], why: string): void => {
    const { clears, faults } = clearing({ keys: keys as NonNullable<typeof keys>, line: 2 })
    expect({ clears, faults }).toEqual({ clears: [], faults: [{ mark: { gate: 'g', tools: ['t'], clear: true, keys, line: 2 }, kind: 'rule_error', why }] })
  }
  refused(throwing(), 'broken(): no such overload')
  refused(constant(NaN), 'constant number: a key is no exact JSON value')
})
