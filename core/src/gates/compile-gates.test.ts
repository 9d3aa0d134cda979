import { expect, test } from 'vitest'
import { compileGates } from './compile-gates.ts'
import type { GateRule, GateRules } from './gate-rule.ts'
import { constant, equals, member } from './gates.fixture.ts'

const rule = { gate: 'g', tools: ['t'], message: 'm' }
const rulesOf = (gates: GateRules | readonly GateRule[], ...call: [string, object?]): readonly GateRule[] => compileGates(gates).rulesOf(...call).map((each) => each.rule)

test('rules are found by tool in file order, a tool named twice once', () => {
  const second = { gate: 'h', tools: ['u', 't', 't'], message: 'n', condition: 'c', line: 7 }
  expect(rulesOf({ rules: [rule, second] }, 't')).toEqual([rule, second])
  expect(rulesOf({ rules: [rule, second] }, 'u')).toEqual([second])
  expect(rulesOf({ rules: [rule, second] }, 'v')).toEqual([])
  const gates = compileGates([rule, second])
  expect(gates.isCondition('c')).toBe(true)
  expect(gates.isCondition('g')).toBe(false)
})

test('rules with a star stand in file order among those that spell the tool out', () => {
  const rules = ['t*', 't', 'u*', '*'].map((name, at) => ({ ...rule, tools: [name], line: at + 1 }))
  expect(rulesOf(rules, 't').map(({ line }) => line)).toEqual([1, 2, 4])
  expect(rulesOf(rules, 'unit').map(({ line }) => line)).toEqual([3, 4])
  expect(rulesOf([{ ...rule, tools: ['t', 't*'] }], 't')).toHaveLength(1)
  expect(rulesOf([{ ...rule, tools: ['x', 't*'] }], 'x')).toHaveLength(1)
})

test.each<[GateRule['annotations'], boolean, object | undefined, boolean]>([
  [{ destructiveHint: true }, false, { destructiveHint: true }, true],
  [{ destructiveHint: true }, false, { destructiveHint: false }, false],
  [{ destructiveHint: true }, true, { destructiveHint: false }, false],
  [{ destructiveHint: true }, false, { readOnlyHint: true }, false],
  [{ destructiveHint: true }, true, { readOnlyHint: true }, true],
  [{ destructiveHint: true }, false, undefined, false],
  [{ destructiveHint: true }, true, undefined, true],
  [{ destructiveHint: true }, true, { destructiveHint: 'yes' }, true],
  [{ destructiveHint: true }, false, { destructiveHint: 'yes' }, false],
  [{ readOnlyHint: false, openWorldHint: true }, false, { readOnlyHint: false, openWorldHint: true }, true],
  [{ readOnlyHint: false, openWorldHint: true }, false, { readOnlyHint: true, openWorldHint: true }, false],
  [{ readOnlyHint: false, openWorldHint: true }, true, { readOnlyHint: false }, true],
  [{ readOnlyHint: false, idempotentHint: false }, false, { readOnlyHint: false, idempotentHint: true }, false],
])('a rule about %j (unannotated: %s) is about a tool that says %j: %s', (annotations, unannotated, said, expected) => {
  const about = { gate: 'g', message: 'm', annotations, unannotated } as GateRule
  expect(rulesOf([about], 't', said)).toHaveLength(expected ? 1 : 0)
  expect(rulesOf([{ ...about, tools: ['t*'] }], 't', said)).toHaveLength(expected ? 1 : 0)
  expect(rulesOf([{ ...about, tools: ['u'] }], 't', said)).toHaveLength(0)
})

test('what a server says anew of a tool is heard, and the same terms are found for the same words', () => {
  const about = { gate: 'g', message: 'm', annotations: { readOnlyHint: false }, unannotated: false }
  const gates = compileGates([about, rule])
  const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']
  const said = hints.flatMap((hint) => [{ [hint]: true }, { [hint]: false }]).concat({})
  const found = said.map((each) => gates.termsOf('t', each))
  expect(new Set(found).size).toBe(9)
  expect(said.map((each) => gates.termsOf('t', each))).toEqual(found)
  expect(gates.rulesOf('t', { readOnlyHint: false })).toHaveLength(2)
  expect(gates.rulesOf('t', { readOnlyHint: true })).toHaveLength(1)
  expect(gates.termsOf('t')).toBe(gates.termsOf('t', {}))
})

test('a rule looks at arguments where it has a key, a requirement or a when', () => {
  const words = [{}, { key: member('args', 'id') }, { require: equals('fact', 's', 1) }, { when: equals('args', 'n', 1) }, { condition: 'c', otherwise: 'hold' as const }]
  expect(compileGates(words.map((each) => ({ ...rule, ...each }))).rulesOf('t').map((each) => each.looksAtArguments)).toEqual([false, true, true, true, false])
  expect(words.map((each) => compileGates([{ ...rule, ...each }]).termsOf('t').looksAtArguments)).toEqual([false, true, true, true, false])
})

test('a tool looks at arguments where a sum or a clear of it does', () => {
  const looks = (more: Partial<GateRules>): boolean => compileGates({ rules: [], ...more }).termsOf('t').looksAtArguments
  expect(looks({ limits: [{ calls: 1 }] })).toBe(false)
  expect(looks({ limits: [{ sum: member('args', 'n'), max: 1 }] })).toBe(true)
  expect(looks({ limits: [{ tools: ['u'], sum: member('args', 'n'), max: 1 }] })).toBe(false)
  expect(looks({ marks: [{ gate: 'g', tools: ['t'], clear: true }] })).toBe(false)
  expect(looks({ marks: [{ gate: 'g', tools: ['t'], clear: true, keys: member('args', 'id') }] })).toBe(true)
  expect(looks({ marks: [{ gate: 'g', tools: ['t'], keys: member('args', 'id') }] })).toBe(false)
})

test('marks are found by tool and by gate, and external gates by name', () => {
  const marks = [{ gate: 'a', tools: ['t', 'u'] }, { gate: 'b', tools: ['t'], line: 3 }, { gate: 'a', tools: ['w*', 'u'] }, { gate: 'a', tools: ['t'] }]
  const gates = compileGates({ rules: [rule], marks, external: ['x'] })
  expect(gates.gatesMarkedBy('t')).toEqual(['a', 'b'])
  expect(gates.gatesMarkedBy('work')).toEqual(['a'])
  expect(gates.gatesMarkedBy('v')).toEqual([])
  expect(gates.markersOf('a')).toEqual(['t', 'u', 'w*'])
  expect(gates.markersOf('x')).toEqual([])
  expect([gates.mayMark('a', 'work'), gates.mayMark('b', 'work'), gates.mayMark('a', 'v')]).toEqual([true, false, false])
  expect(gates.isExternal('x')).toBe(true)
  expect(gates.isExternal('a')).toBe(false)
  expect(gates.source).toEqual({ rules: [rule], marks, external: ['x'] })
})

test('what clears marks nothing, and what the user writes is no tool', () => {
  const marks: GateRules['marks'] = [{ gate: 'a', tools: ['t'], clear: true }, { gate: 'b', from: 'user', keys: member('args', 'id') }, { gate: 'c', tools: ['t'], from: 'tool' }]
  const gates = compileGates({ rules: [], marks })
  expect([gates.mayMark('a', 't'), gates.mayMark('b', 't'), gates.mayMark('c', 't')]).toEqual([false, false, true])
  expect([gates.markersOf('a'), gates.markersOf('b'), gates.gatesMarkedBy('t')]).toEqual([[], [], ['c']])
  expect([gates.isMarkedByUser('a'), gates.isMarkedByUser('b'), gates.readsUserText]).toEqual([false, true, true])
  expect(compileGates({ rules: [], marks: [{ gate: 'c', tools: ['t'] }] }).readsUserText).toBe(false)
})

test.each<[string, Partial<GateRules>, boolean]>([
  ['nothing changes', {}, false],
  ['carries keys', { marks: [{ gate: 'g', tools: ['t'], keys: member('result', 'id') }] }, false],
  ['expires', { marks: [{ gate: 'g', tools: ['t'], expiresMs: 1 }] }, true],
  ['is used up', { marks: [{ gate: 'g', tools: ['t'], uses: 1 }] }, true],
  ['is cleared', { marks: [{ gate: 'g', tools: ['t'], clear: true }] }, true],
  ['is not cleared', { marks: [{ gate: 'g', tools: ['t'], clear: false }] }, false],
  ['keeps facts', { marks: [{ gate: 'g', tools: ['t'], keep: member('result', 'id') }] }, true],
  ['is asked about facts', { rules: [{ ...rule, require: equals('fact', 's', 1) }] }, true],
  ['is another one', { marks: [{ gate: 'h', tools: ['t'], uses: 1 }] }, false],
])('a gate that %s is volatile or not', (_what, more, expected) => {
  expect(compileGates({ rules: [rule], ...more }).isVolatile('g')).toBe(expected)
})

test('a list of rules alone is enough, and compiled rules can be compiled again', () => {
  expect(rulesOf([rule], 't')).toEqual([rule])
  const gates = compileGates({ rules: [rule], allow: ['t'], deny: [], limits: [{ calls: 1 }], default: 'confirm', unlisted: 'allow' })
  expect(compileGates(gates.source).source).toEqual(gates.source)
})

test('where the rules stand on a tool: deny before allow, and a name that some rule or allow is about', () => {
  const standing = (tool: string, more: Partial<GateRules>): string => compileGates({ rules: [rule], ...more }).termsOf(tool).standing
  expect([standing('t', {}), standing('u', {})]).toEqual(['named', 'unnamed'])
  expect([standing('t', { allow: ['u*'] }), standing('user', { allow: ['u*'] }), standing('t', { allow: [] })]).toEqual(['outside', 'named', 'outside'])
  expect([standing('t', { deny: ['t'], allow: ['t'] }), standing('drop_it', { deny: ['t', 'drop_*'] }), standing('t', { deny: [] })]).toEqual(['denied', 'denied', 'named'])
})

test('the version is what the rules say: expressions by their source, and no lines', () => {
  const key = member('args', 'id')
  const file: GateRules = { rules: [{ ...rule, key, line: 3 }], marks: [{ gate: 'g', tools: ['t'], keys: key, line: 9 }], limits: [{ calls: 1, line: 12 }], deny: ['d'], default: 'refuse' }
  const version = compileGates(file).version
  expect(version).toEqual({
    rules: [{ ...rule, key: { expression: 'args.id' } }],
    marks: [{ gate: 'g', tools: ['t'], keys: { expression: 'args.id' } }],
    limits: [{ calls: 1 }],
    external: [],
    deny: ['d'],
    default: 'refuse',
  })
  const gates = compileGates(file)
  expect(gates.version).toBe(gates.version)
  expect(compileGates([rule]).version).toEqual({ rules: [rule], marks: [], limits: [], external: [] })
})

test('limits that count the same are one, the strictest, wherever it stands', () => {
  const sum = member('args', 'n')
  const limitsOf = (...limits: NonNullable<GateRules['limits']>): readonly object[] => compileGates({ rules: [], limits }).termsOf('t').limits.map((each) => each.rule)
  expect(limitsOf({ calls: 3 }, { calls: 2 }, { calls: 4 })).toEqual([{ calls: 2 }])
  expect(limitsOf({ sum, max: 3 }, { sum, max: 2 }, { sum: constant(1), max: 9 })).toEqual([{ sum, max: 2 }, { sum: expect.anything(), max: 9 }])
  expect(limitsOf({ repeats: 3 }, { repeats: 2 })).toEqual([{ repeats: 2 }])
  expect(limitsOf({ calls: 3 }, { calls: 3, perMs: 1 }, { calls: 3, perMs: 2 }, { repeats: 3 }, { calls: 3, tools: ['t'] })).toHaveLength(5)
  expect(limitsOf({ calls: 3, tools: ['t', 'u', 't'] }, { calls: 2, tools: ['u', 't'] })).toEqual([{ calls: 2, tools: ['u', 't'] }])
  const calls = { source: 'calls', evaluate: () => 1 }
  expect(limitsOf({ calls: 3 }, { sum: calls, max: 1 })).toHaveLength(2)
  expect([compileGates({ rules: [], limits: [{ repeats: 1 }] }).countsRepeats, compileGates({ rules: [], limits: [{ calls: 1 }] }).countsRepeats, compileGates([]).countsRepeats])
    .toEqual([true, false, false])
})

test('a hundred thousand rules are found by name: what is about other tools costs nothing', () => {
  const rules = Array.from({ length: 100_000 }, (_, at) => ({ gate: `g${at}`, tools: [`t${at % 10_000}`], message: 'm' }))
  expect(rulesOf(rules, 't7').map(({ gate }) => gate)).toEqual(Array.from({ length: 10 }, (_, at) => `g${at * 10_000 + 7}`))
})
