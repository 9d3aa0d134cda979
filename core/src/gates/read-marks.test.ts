import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../model/json-value.ts'
import { parseWire } from '../model/parse-wire.ts'
import { compileGates } from './compile-gates.ts'
import type { ExpressionInput } from './expression.ts'
import type { MarkRule } from './gate-rule.ts'
import { constant, equals, member, throwing, words } from './gates.fixture.ts'
import { readMarks, readUserMarks } from './read-marks.ts'
import type { ResultReading, ToolReading } from './read-marks.ts'

const ids = member('result', 'ids')
const read = (marks: MarkRule | readonly MarkRule[], reading: ToolReading | JsonObject = {}, args: JsonObject = {}): ResultReading => {
  const gates = compileGates({ rules: [], marks: Array.isArray(marks) ? marks as readonly MarkRule[] : [marks as MarkRule] })
  const result = 'structured' in reading || 'text' in reading ? reading : { structured: reading as JsonObject }
  return readMarks(gates, { tool: 't', args }, result, 100)
}
const mark = (part: Partial<MarkRule> = {}): MarkRule => ({ gate: 'g', tools: ['t'], ...part })
const marked = (...marks: object[]): ResultReading => ({ failed: false, marks: marks.map((each) => ({ gate: 'g', at: 100, ...each })), problems: [] })
const problem = (why: string, failed = false): ResultReading => ({ failed, marks: [], problems: [`The gate "g" was not marked: ${why}.`] })

test('a success marks the gates of its tool, and of no other', () => {
  expect(read([mark(), mark({ gate: 'h', tools: ['t*'] }), mark({ gate: 'i', tools: ['u'] })]).marks).toEqual([{ gate: 'g', at: 100 }, { gate: 'h', at: 100 }])
})

test('what clears, and what comes from the user, is not marked by a tool', () => {
  expect(read([mark({ clear: true }), { gate: 'h', from: 'user' }])).toEqual(marked())
})

test('a mark carries keys, one mark a key, each with its own end and uses', () => {
  expect(read(mark({ keys: ids, expiresMs: 50, uses: 2 }), { ids: ['a', 7, 'a'] }))
    .toEqual(marked({ key: '"a"', expiresAt: 150, uses: 2 }, { key: '7', expiresAt: 150, uses: 2 }))
  expect(read(mark({ expiresMs: 1 }))).toEqual(marked({ expiresAt: 101 }))
  expect(read(mark({ keys: member('args', 'id') }), {}, { id: 'x' })).toEqual(marked({ key: '"x"' }))
})

test('a listing of nothing marks nothing, and that is no problem', () => {
  expect(read(mark({ keys: ids }), { ids: [] })).toEqual(marked())
  expect(read(mark({ keys: ids }), { ids: null })).toEqual(marked())
  expect(read(mark({ keys: ids }), { ids: ['a', null] })).toEqual(marked({ key: '"a"' }))
})

test('a mark keeps one fact a key, or one for all', () => {
  const keep = member('result', 'facts')
  expect(read(mark({ keys: ids, keep }), { ids: ['a', 'b'], facts: [{ s: 1 }, null] })).toEqual(marked({ key: '"a"', fact: '{"s":1}' }, { key: '"b"', fact: 'null' }))
  expect(read(mark({ keys: ids, keep }), { ids: ['a', 'b'], facts: { s: 1 } })).toEqual(marked({ key: '"a"', fact: '{"s":1}' }, { key: '"b"', fact: '{"s":1}' }))
  expect(read(mark({ keep }), { facts: { s: 1 } })).toEqual(marked({ fact: '{"s":1}' }))
  expect(read(mark({ keep }), { facts: null })).toEqual(marked({ fact: 'null' }))
  expect(read(mark({ keys: ids, keep }), { ids: [null, 'b'], facts: [1, 2] })).toEqual(marked({ key: '"b"', fact: '2' }))
  expect(read(mark({ keys: ids, keep }), { ids: ['a', 'a'], facts: [1, 2] })).toEqual(marked({ key: '"a"', fact: '2' }))
})

test.each<[string, Partial<MarkRule>, JsonObject, string]>([
  ['fewer facts than keys', { keys: ids, keep: member('result', 'facts') }, { ids: ['a', 'b'], facts: [1] }, 'there are 2 keys and 1 facts'],
  ['more facts than keys', { keys: ids, keep: member('result', 'facts') }, { ids: ['a'], facts: [1, 2] }, 'there are 1 keys and 2 facts'],
  ['facts of no keys', { keep: member('result', 'facts') }, { facts: [1] }, 'a list is kept, one fact a key, and there are no keys'],
  ['keys that throw', { keys: throwing() }, {}, 'keys: broken(): no such overload'],
  ['keys that are not there', { keys: ids }, {}, 'keys: result.ids: it reads a member that is not there'],
  ['keys that are no exact JSON', { keys: constant(['a', NaN]) }, {}, 'a key is no exact JSON value'],
  ['too many keys', { keys: constant(new Array(10_001).fill('a')) }, {}, 'there are 10001 keys, and a mark carries at most 10000'],
  ['a fact that throws', { keep: throwing() }, {}, 'keep: broken(): no such overload'],
  ['a fact that is not there', { keep: member('result', 'facts') }, {}, 'keep: result.facts: it reads a member that is not there'],
  ['a fact that is no exact JSON', { keep: constant(new Date(0)) }, {}, 'what is kept is no exact JSON value'],
  ['a fact that is too large', { keep: constant('x'.repeat(65_535)) }, {}, 'what is kept is larger than 65536 bytes or deeper than 64 levels'],
  ['one fact of many that is too large', { keys: ids, keep: constant([1, 'x'.repeat(65_535)]) }, { ids: ['a', 'b'] }, 'what is kept is larger than 65536 bytes or deeper than 64 levels'],
])('%s mark nothing, and the record says so', (_what, words, result, why) => {
  expect(read(mark(words), result)).toEqual(problem(why))
})

test('a problem names the line, and keeps no other item from marking', () => {
  expect(read([mark({ keys: throwing(), line: 7 }), mark({ gate: 'h' })], {})).toEqual({
    failed: false,
    marks: [{ gate: 'h', at: 100 }],
    problems: ['The gate "g" (line 7) was not marked: keys: broken(): no such overload.'],
  })
})

test('of two items that mark the same key the later one counts', () => {
  expect(read([mark({ keys: ids, uses: 1 }), mark({ keys: ids, uses: 9 }), mark(), mark({ keys: constant('b') })], { ids: ['a'] }))
    .toEqual(marked({ key: '"a"', uses: 9 }, {}, { key: '"b"' }))
})

test('a tool that failed although it said otherwise marks nothing, for every mark', () => {
  const failedWhen = equals('result', 'error', true)
  expect(read([mark(), mark({ gate: 'h', failedWhen })], { error: true })).toEqual({ failed: true, marks: [], problems: [] })
  expect(read([mark(), mark({ failedWhen })], { error: false })).toEqual(marked({}))
  expect(read([mark({ tools: ['u'], failedWhen }), mark()], { error: true })).toEqual(marked({}))
})

test.each([
  ['throws', throwing(), 'failedWhen: broken(): no such overload'],
  ['reads what is not there', equals('result', 'error', true), 'failedWhen: result.error == true: it reads a member that is not there'],
  ['is neither true nor false', constant('no'), 'failedWhen: constant string: it is neither true nor false'],
])('a failedWhen that %s counts as a failure: doubt closes', (_what, failedWhen, why) => {
  expect(read(mark({ failedWhen }))).toEqual(problem(why, true))
})

test.each<[string, ToolReading, JsonValue]>([
  ['structured content with the text', { structured: { a: 1 }, text: 'T' }, { a: 1, text: 'T' }],
  ['structured content that pretends another text', { structured: { text: 'fine' }, text: 'Error' }, { text: 'Error' }],
  ['structured content alone', { structured: { a: 1 } }, { a: 1, text: '' }],
  ['structured content alone with a text of its own', { structured: { text: 'T' } }, { text: 'T' }],
  ['structured content that is a list', { structured: [1], text: 'T' }, [1]],
  ['structured content that is null', { structured: null, text: 'T' }, null],
  ['text alone, not parsed', { text: '{"a":1}' }, { text: '{"a":1}' }],
  ['nothing at all', {}, { text: '' }],
])('result is %s', (_what, reading, result) => {
  const seen: ExpressionInput[] = []
  read(mark({ keys: { source: 'spy', evaluate: (input) => seen.push(input) } }), { text: undefined, ...reading }, { id: 'x' })
  expect(seen).toEqual([{ args: { id: 'x' }, result }])
})

test('a key of JavaScript itself stays data in the result', () => {
  const structured = parseWire('{"__proto__":{"ids":["x"]}}', '') as JsonObject
  expect(read(mark({ keys: ids }), { structured, text: 'T' })).toMatchObject({ marks: [], failed: false })
})

test('text is parsed as JSON only where the item says so, and only for that item', () => {
  const text = '{"ids":["a",9007199254740993]}'
  expect(read(mark({ keys: ids, parse: 'json' }), { text })).toEqual(marked({ key: '"a"' }, { key: '9007199254740993' }))
  expect(read(mark({ keys: ids, parse: 'json' }), { text, structured: { ids: ['b'] } }).marks).toMatchObject([{ key: '"a"' }, {}])
  expect(read([mark({ gate: 'h', keys: constant('x'), parse: 'json' }), mark({ keys: ids })], { text }))
    .toEqual({ ...problem('keys: result.ids: it reads a member that is not there'), marks: [{ gate: 'h', at: 100, key: '"x"' }] })
  expect(read(mark({ keys: { source: 'list', evaluate: ({ result }) => result }, parse: 'json' }), { text: '["a"]' })).toEqual(marked({ key: '"a"' }))
  expect(read(mark({ keys: member('result', 'text'), parse: 'json' }), { text: '{"text":"x"}' })).toEqual(marked({ key: JSON.stringify('{"text":"x"}') }))
})

test('text that cannot be parsed marks nothing, and counts as a failure where a failedWhen would read it', () => {
  const why = /^The gate "g" was not marked: the text of the result is no JSON: .+\.$/
  expect(read(mark({ keys: ids, parse: 'json' }), { text: 'Error: gone' })).toEqual({ failed: false, marks: [], problems: [expect.stringMatching(why)] })
  expect(read(mark({ parse: 'json' }), { text: '{"a":1,"a":2}' }).problems).toHaveLength(1)
  for (const text of ['Error: gone', '{"a":1,"a":2}', '{"a":1e400}', '']) expect(read(mark({ parse: 'json' }), { text }).problems.join()).toMatch(/[^.]\.$/)
  expect(read(mark({ keys: ids, parse: 'json' }), { structured: { ids: ['a'] } })).toEqual(problem('the result has no text to parse'))
  expect(read([mark({ failedWhen: constant(false), parse: 'json' }), mark()], { text: 'Error' }).failed).toBe(true)
})

test('what the user wrote marks by its keys, and only there', () => {
  const gates = compileGates({ rules: [], marks: [{ gate: 'g', from: 'user', keys: words, uses: 1 }, { gate: 'h', from: 'user', expiresMs: 5 }, mark()] })
  expect(readUserMarks(gates, 'pay bob', 100)).toEqual({
    marks: [{ gate: 'g', at: 100, key: '"pay"', uses: 1 }, { gate: 'g', at: 100, key: '"bob"', uses: 1 }, { gate: 'h', at: 100, expiresAt: 105 }],
    problems: [],
  })
  expect(readUserMarks(compileGates({ rules: [], marks: [{ gate: 'g', from: 'user', keys: throwing() }] }), 'x', 1).problems).toHaveLength(1)
  expect(readUserMarks(compileGates([]), 'x', 1)).toEqual({ marks: [], problems: [] })
})
