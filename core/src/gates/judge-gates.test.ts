import { expect, test } from 'vitest'
import type { JsonObject } from '../model/json-value.ts'
import { compileGates } from './compile-gates.ts'
import type { GateRule, GateRules } from './gate-rule.ts'
import { constant, equals, member, throwing, viewOf } from './gates.fixture.ts'
import { judgeGates } from './judge-gates.ts'
import type { GateJudgement, MarkView } from './judge-gates.ts'
import type { Mark } from './ledger.ts'
import { prepareCall } from './prepare-call.ts'
import type { GateCall } from './prepare-call.ts'

const rule = { gate: 'g', tools: ['t'], message: 'm' }
const id = member('args', 'id')
const isOpen = equals('fact', 's', 'open')

const judge = (rules: GateRules | readonly GateRule[], marks: readonly Mark[] | MarkView = [], call: Partial<GateCall> = {}): GateJudgement => {
  const gates = compileGates(rules)
  const view: MarkView = 'marksOf' in marks ? marks : viewOf(marks)
  return judgeGates(gates, prepareCall(gates, { tool: 't', args: {}, ...call }), view)
}
const verdict = { unmet: [], holds: [], confirms: [], needs: [], needing: [] }
const mark = (part: Partial<Mark> = {}): Mark => ({ gate: 'g', at: 0, ...part })
const withId = (value: JsonObject[string]): Partial<GateCall> => ({ args: { id: value } })

test('a call passes when every rule that applies has its gate marked', () => {
  const rules = [rule, { ...rule, gate: 'h' }, { ...rule, gate: 'i', tools: ['u'] }]
  expect(judge(rules, [mark(), mark({ gate: 'h' })])).toEqual(verdict)
  expect(judge(rules, [mark()])).toEqual({ ...verdict, unmet: [{ rule: rules[1], why: 'unmarked' }] })
})

test('all unmet rules are listed, in file order', () => {
  const rules = ['c', 'a', 'b'].map((gate) => ({ ...rule, gate }))
  expect(judge(rules).unmet.map((each) => each.rule.gate)).toEqual(['c', 'a', 'b'])
})

test('a rule with a condition applies once that gate is marked, by a view that may be wider', () => {
  const rules = [{ ...rule, condition: 'c' }]
  expect(judge(rules)).toEqual(verdict)
  expect(judge(rules, [mark({ gate: 'c', key: '"any"' })]).unmet).toHaveLength(1)
  expect(judge(rules, { marksOf: () => [], isConditionLive: () => true }).unmet).toHaveLength(1)
  expect(judge(rules, { marksOf: () => [], isConditionLive: () => false }).unmet).toHaveLength(0)
})

test('a condition is judged before when: what does not apply cannot fail', () => {
  const rules = [{ ...rule, condition: 'c', when: throwing() }]
  expect(judge(rules)).toEqual(verdict)
  expect(judge(rules, [mark({ gate: 'c' })]).unmet).toEqual([{ rule: rules[0], why: 'rule_error', detail: 'broken(): no such overload' }])
})

test('a rule is only about calls for which its when is true', () => {
  const rules = [{ ...rule, when: equals('args', 'id', 'x') }]
  expect(judge(rules, [], withId('y'))).toEqual(verdict)
  expect(judge(rules, [], withId('x')).unmet).toEqual([{ rule: rules[0], why: 'unmarked' }])
  expect(judge(rules, [mark()], withId('x'))).toEqual(verdict)
})

test('a rule that asks for a key is met by a mark that carries it, and by no other', () => {
  const rules = [{ ...rule, key: id }]
  const missing = (key: string): GateJudgement => ({ ...verdict, unmet: [{ rule: rules[0] as GateRule, why: 'missing_key', key }] })
  expect(judge(rules, [mark({ key: '"INV-7"' })], withId('INV-7'))).toEqual(verdict)
  expect(judge(rules, [mark({ key: '"INV-8"' }), mark()], withId('INV-7'))).toEqual(missing('"INV-7"'))
  expect(judge(rules, [mark({ key: '"7"' })], withId(7))).toEqual(missing('7'))
  expect(judge(rules, [mark({ key: '7' })], withId('7'))).toEqual(missing('"7"'))
  expect(judge(rules, [mark({ gate: 'h', key: '7' })], withId(7))).toEqual(missing('7'))
  expect(judge(rules, [], withId(7))).toEqual(missing('7'))
})

test('a key that is a list needs all of them, and the first that is missing is named', () => {
  const rules = [{ ...rule, key: id }]
  expect(judge(rules, [mark({ key: '1' }), mark({ key: '2' })], withId([2, 1, 2]))).toEqual(verdict)
  expect(judge(rules, [mark({ key: '1' })], withId([1, 2, 3])).unmet).toEqual([{ rule: rules[0], why: 'missing_key', key: '2' }])
})

test.each([
  ['a missing value', {}],
  ['null', { id: null }],
  ['an empty list', { id: [] }],
  ['a list with a missing value', { id: ['x', null] }],
])('%s is no key: unmet, whatever is marked', (_what, args) => {
  const rules = [{ ...rule, key: id }]
  expect(judge(rules, [mark(), mark({ key: 'null' }), mark({ key: '"x"' })], { args }).unmet).toEqual([{ rule: rules[0], why: 'no_key', detail: 'args.id' }])
})

test('a rule without a key needs any mark of its gate', () => {
  expect(judge([rule], [mark({ key: '"any"' })])).toEqual(verdict)
})

test('a fact is asked for under the key, and without one of the first made mark of which it is true', () => {
  const keyed = [{ ...rule, key: id, require: isOpen }]
  const open = mark({ key: '"x"', fact: '{"s":"open"}' })
  const paid = mark({ key: '"y"', fact: '{"s":"paid"}' })
  expect(judge(keyed, [open, paid], withId('x'))).toEqual({ ...verdict, needs: [{ gate: 'g', key: '"x"', fact: '{"s":"open"}' }], needing: keyed })
  expect(judge(keyed, [open, paid], withId('y')).unmet).toEqual([{ rule: keyed[0], why: 'require', key: '"y"' }])
  expect(judge(keyed, [open, paid], withId(['x', 'y'])).unmet).toEqual([{ rule: keyed[0], why: 'require', key: '"y"' }])
  const keyless = [{ ...rule, require: isOpen }]
  expect(judge(keyless, [paid]).unmet).toEqual([{ rule: keyless[0], why: 'require' }])
  expect(judge(keyless, [paid, { ...open, at: 2 }, mark({ key: '"z"', at: 1, fact: '{"s":"open"}' })]).needs).toEqual([{ gate: 'g', key: '"z"', fact: '{"s":"open"}' }])
  expect(judge(keyless, [mark({ fact: '{"s":"open"}' })]).needs).toEqual([{ gate: 'g', fact: '{"s":"open"}' }])
})

test('no fact is unmet, not an error, even for a requirement that would not read it', () => {
  for (const require of [isOpen, constant(true), throwing()]) {
    expect(judge([{ ...rule, key: id, require }], [mark({ key: '"x"' })], withId('x')).unmet).toMatchObject([{ why: 'require', key: '"x"' }])
    expect(judge([{ ...rule, require }], [mark(), mark({ key: '"x"' })]).unmet).toMatchObject([{ why: 'require' }])
    expect(judge([{ ...rule, require }]).unmet).toMatchObject([{ why: 'unmarked' }])
  }
})

test('a requirement sees the arguments too, and a fact that is null or exact beyond a double', () => {
  const rules = [{ ...rule, require: { source: 'same', evaluate: ({ args, fact }: { args?: JsonObject; fact?: unknown }) => args?.['id'] === fact } }]
  expect(judge(rules, [mark({ fact: '9007199254740993' })], withId(9007199254740993n)).unmet).toEqual([])
  expect(judge(rules, [mark({ fact: '9007199254740993' })], withId(9007199254740992n)).unmet).toHaveLength(1)
  expect(judge(rules, [mark({ fact: 'null' })], withId(null)).unmet).toEqual([])
})

test('of two marks of one key the later one counts', () => {
  const rules = [{ ...rule, key: id, require: isOpen }]
  const marks = [mark({ key: '"x"', at: 1, fact: '{"s":"open"}' }), mark({ key: '"x"', at: 2, fact: '{"s":"paid"}' })]
  expect(judge(rules, marks, withId('x')).unmet).toHaveLength(1)
})

test.each([
  ['a when that throws', { when: throwing() }, 'broken(): no such overload'],
  ['a when that throws a text', { when: throwing('no such key') }, 'broken(): no such key'],
  ['a when that throws nothing', { when: throwing(undefined) }, 'broken(): no such overload'],
  ['a when that throws null', { when: throwing(null) }, 'broken(): it failed'],
  ['a when that says too much', { when: throwing(new Error('x'.repeat(201))) }, `broken(): ${'x'.repeat(200)}…`],
  ['a when that says as much as is shown', { when: throwing(new Error('x'.repeat(200))) }, `broken(): ${'x'.repeat(200)}`],
  ['a when about what is not there', { when: equals('args', 'gone', 1) }, 'args.gone == 1: it reads a member that is not there'],
  ['a when that is a text', { when: constant('true') }, 'constant string: it is neither true nor false'],
  ['a when that is null', { when: constant(null) }, 'constant object: it is neither true nor false'],
  ['a key that throws', { key: throwing() }, 'broken(): no such overload'],
  ['a key that is no exact value', { key: constant(NaN) }, 'constant number: a key is no exact JSON value'],
  ['a key that is a promise', { key: constant(Promise.resolve('x')) }, 'constant object: a key is no exact JSON value'],
  ['too many keys', { key: constant(new Array(10_001).fill(1)) }, 'constant object: there are 10001 keys, and a mark carries at most 10000'],
  ['a requirement that throws', { require: throwing() }, 'broken(): no such overload'],
  ['a requirement about what is not there', { require: equals('fact', 'gone', 1) }, 'fact.gone == 1: it reads a member that is not there'],
  ['a requirement that is a text', { require: constant('yes') }, 'constant string: it is neither true nor false'],
])('%s refuses the call, even where the rule would ask a person', (_what, words, detail) => {
  for (const otherwise of ['refuse', 'hold'] as const) {
    const rules = [{ ...rule, ...words, otherwise }]
    const judged = judge(rules, [mark({ fact: '{"s":"open"}' }), mark({ key: '"x"', fact: '{"s":"open"}' })], withId('x'))
    expect(judged).toEqual({ ...verdict, unmet: [{ rule: rules[0], why: 'rule_error', detail }] })
  }
})

test('a requirement that fails under a key says which', () => {
  expect(judge([{ ...rule, key: id, require: throwing() }], [mark({ key: '"x"', fact: '1' })], withId('x')).unmet).toMatchObject([{ why: 'rule_error', key: '"x"', detail: 'broken(): no such overload' }])
})

test.each([
  ['a when', { when: constant(false) }],
  ['a key', { key: constant('x') }],
  ['a requirement', { require: constant(true) }],
])('arguments that do not satisfy the schema are refused by a rule with %s, even one that would ask a person', (_what, words) => {
  const rules = [{ ...rule, ...words, otherwise: 'hold' as const }]
  const marks = [mark({ key: '"x"', fact: '1' })]
  const unmet = (detail: string): object => ({ ...verdict, unmet: [{ rule: rules[0], why: 'arguments', detail }] })
  expect(judge(rules, marks, { argsFault: () => 'amount is no number' })).toEqual(unmet('amount is no number'))
  expect(judge(rules, marks, { args: undefined })).toEqual(unmet('the arguments were not admitted'))
  expect(judge(rules, marks, { argsFault: () => { throw new Error('no validator') } })).toEqual(unmet('the arguments could not be judged: no validator'))
  expect(judge(rules, marks, { argsFault: () => undefined }).unmet).toEqual([])
})

test('a confirm rule that looks at arguments refuses those that do not satisfy the schema', () => {
  const confirm = { ...rule, gate: 'confirm', when: constant(true) }
  expect(judge([confirm], [], { argsFault: () => 'no' })).toEqual({ ...verdict, unmet: [{ rule: confirm, why: 'arguments', detail: 'no' }] })
  expect(judge([{ ...confirm, when: throwing() }]).unmet).toMatchObject([{ why: 'rule_error' }])
  expect(judge([{ ...confirm, when: constant(false) }])).toEqual(verdict)
})

test('an unmet rule may hold instead of refuse, whatever is missing', () => {
  const hold = { ...rule, otherwise: 'hold' as const }
  expect(judge([hold]).holds).toEqual([{ rule: hold, why: 'unmarked' }])
  expect(judge([{ ...hold, key: id }], [], withId('x')).holds).toMatchObject([{ why: 'missing_key', key: '"x"' }])
  expect(judge([{ ...hold, key: id }]).holds).toMatchObject([{ why: 'no_key' }])
  expect(judge([{ ...hold, require: isOpen }], [mark({ fact: '{"s":"paid"}' })]).holds).toMatchObject([{ why: 'require' }])
  expect(judge([hold], [mark()])).toEqual(verdict)
})

test('refusals, holds and questions are all kept, each in file order', () => {
  const rules = ['refuse', 'hold', 'confirm', 'hold', 'refuse', 'confirm'].map((kind, line) => (
    { ...rule, line: line + 1, gate: kind === 'confirm' ? kind : 'g', ...(kind !== 'confirm' && { otherwise: kind as 'hold' }) }))
  const { unmet, holds, confirms } = judge(rules)
  expect([unmet.map((each) => each.rule.line), holds.map((each) => each.rule.line), confirms.map(({ line }) => line)]).toEqual([[1, 5], [2, 4], [3, 6]])
})

test('a confirm is never met by a mark', () => {
  expect(judge([{ ...rule, gate: 'confirm' }], [mark({ gate: 'confirm' })]).confirms).toHaveLength(1)
})

test('what the met rules rest on is a need where it may be gone when the call is claimed, said once', () => {
  const uses = { gate: 'g', tools: ['list'], uses: 1 }
  const rules = [rule, { ...rule, key: id }, { ...rule, key: constant(['x', 'y']) }, rule, { ...rule, gate: 'steady' }, { ...rule, gate: 'confirm' }]
  const marks = [mark({ key: '"x"', fact: '1' }), mark({ key: '"y"' }), mark({ gate: 'steady' })]
  const { needs, needing } = judge({ rules, marks: [uses] }, marks, withId('x'))
  expect(needs).toEqual([{ gate: 'g', key: '"x"' }, { gate: 'g', key: '"y"' }])
  expect(needing.map(({ gate }) => gate)).toEqual(['g', 'g'])
  expect(judge({ rules: [rule], marks: [uses] }, [mark()]).needs).toEqual([{ gate: 'g' }])
  expect(judge({ rules, marks: [{ ...uses, uses: undefined }] } as unknown as GateRules, marks, withId('x')).needs).toEqual([])
  expect(judge({ rules: [{ ...rule, key: id }, { ...rule, when: constant(false) }], marks: [uses] }, [], withId('x')).needs).toEqual([])
})

test.each<[string, Partial<GateRules>, string, boolean, string | undefined]>([
  ['a denied tool', { deny: ['t*'] }, 't', true, 'deny'],
  ['a denied tool that is allowed', { deny: ['t'], allow: ['t'] }, 't', true, 'deny'],
  ['a denied tool that is not listed', { deny: ['t'] }, 't', false, 'deny'],
  ['a tool outside of allow', { allow: ['u'] }, 't', true, 'allow'],
  ['a tool outside of allow that is not listed', { allow: ['u'] }, 't', false, 'allow'],
  ['a tool inside of allow', { allow: ['t'] }, 't', true, undefined],
  ['a tool that is not listed', {}, 't', false, 'unlisted'],
  ['a tool that is not listed and no rule is about', { default: 'refuse' }, 'v', false, 'unlisted'],
  ['an unlisted tool where that is said', { unlisted: 'refuse' }, 't', false, 'unlisted'],
  ['an unlisted tool that may run', { unlisted: 'allow' }, 't', false, undefined],
  ['a tool that no rule is about', { default: 'refuse' }, 'v', true, 'default'],
  ['a tool that no rule is about, allowed by name', { default: 'refuse', allow: ['v'] }, 'v', true, undefined],
  ['a tool that no rule is about, by default', {}, 'v', true, undefined],
  ['a tool that no rule is about, allowed', { default: 'allow' }, 'v', true, undefined],
  ['a tool that a rule is about, by default', { default: 'refuse' }, 't', true, undefined],
])('%s is refused as a tool or not', (_what, more, tool, isListed, kind) => {
  const judged = judge({ rules: [rule], ...more }, [], { tool, isListed })
  expect(judged.blocked).toEqual(kind && { kind })
  expect(judged.unmet).toHaveLength(tool === 't' ? 1 : 0)
})

test('a tool of which nobody says whether it is listed is listed', () => {
  expect(judge([]).blocked).toBeUndefined()
})

test('by default a person may be asked for every tool that no rule is about', () => {
  const file: GateRules = { rules: [{ ...rule, when: constant(false) }], default: 'confirm', allow: ['t', 'u', 'w'] }
  expect(judge({ ...file, allow: ['*'] }, [], { tool: 'v' }).confirms).toEqual([])
  const { allow: _allow, ...open } = file
  expect(judge(open, [], { tool: 'v' }).confirms).toEqual([{ gate: 'confirm', message: 'Run {tool}?' }])
  expect(judge(open).confirms).toEqual([])
  expect(judge(file, [], { tool: 'u' }).confirms).toEqual([])
})

test('a rule about what the server says is a rule about the tool', () => {
  const about = { gate: 'g', message: 'm', annotations: { destructiveHint: true }, unannotated: false }
  expect(judge({ rules: [about], default: 'refuse' }, [mark()], { annotations: { destructiveHint: true } }).blocked).toBeUndefined()
  expect(judge({ rules: [about], default: 'refuse' }, [mark()], { annotations: { destructiveHint: false } }).blocked).toEqual({ kind: 'default' })
})

test('names of JavaScript itself are tools, gates and keys like any other', () => {
  const odd = { gate: '__proto__', tools: ['constructor'], message: 'm', key: constant('toString'), condition: 'hasOwnProperty' }
  const marks = [mark({ gate: 'hasOwnProperty' })]
  expect(judge([odd], marks, { tool: 'constructor' }).unmet).toMatchObject([{ why: 'missing_key', key: '"toString"' }])
  expect(judge([odd], [...marks, mark({ gate: '__proto__', key: '"toString"' })], { tool: 'constructor' })).toEqual(verdict)
  expect(judge([odd], marks, { tool: 'valueOf' })).toEqual(verdict)
})
