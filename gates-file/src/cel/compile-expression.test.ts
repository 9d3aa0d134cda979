import { Candidate } from '@callgate/core'
import type { ExpressionInput, JsonObject } from '@callgate/core'
import { parse } from '@marcbachmann/cel-js'
import { expect, test } from 'vitest'
import { boundedSource } from './bounded-source.ts'
import { compileExpression } from './compile-expression.ts'
import { isSameTree } from './same-tree.ts'

const ROOTS = ['args', 'result', 'fact', 'text'] as const
const wire = (text: string): JsonObject => Candidate.ofWire(text).fields['arguments'] as JsonObject

const evaluate = (source: string, input: ExpressionInput = {}): unknown => {
  const compiled = compileExpression(source, ROOTS)
  if (compiled.kind === 'wrong') throw new Error(`${source}: ${compiled.message}`)
  return compiled.expression.evaluate(input)
}

test.each([
  ['args.total >= 1000.0', '{"total":1000}', true],
  ['args.total >= 1000', '{"total":1000.5}', true],
  ['args.total == 1000.0', '{"total":1000}', true],
  ['args.count == 3', '{"count":3.0}', true],
  ['args.big > 9007199254740992', '{"big":9007199254740993}', true],
  ['args.status != "draft"', '{"status":"paid"}', true],
  ['args.tags.exists(t, t == "x")', '{"tags":["y","x"]}', true],
  ['"a" in args.tags', '{"tags":["a"]}', true],
  ['has(args.a) ? args.a : "none"', '{}', 'none'],
  ['args.?a.orValue("none")', '{}', 'none'],
  ['args.n + 1', '{"n":1}', 2],
  ['args["__proto__"].a', '{"__proto__":{"a":1}}', 1],
  ['args.ids', '{"ids":[1,"2",9007199254740993]}', [1, '2', 9_007_199_254_740_993n]],
  ['{"status": args.status}', '{"status":"open"}', { status: 'open' }],
  ['args.items.map(i, i.ok, i.id)', '{"items":[{"ok":true,"id":"a"},{"ok":false,"id":"b"}]}', ['a']],
  ['double(args.n) + 0.5', '{"n":3}', 3.5],
  ['double(args.n) * 2.0', '{"n":1.5}', 3],
  ['args.n == "5"', '{"n":5}', false],
  ['int(args.n) > 3', '{"n":"5"}', true],
  ['args.n / 2', '{"n":5}', 2],
  ['args.n in [5.0]', '{"n":5}', true],
  ['args.iban.replace(" ", "").replace("$&", "-")', '{"iban":"D E$&1"}', 'DE-1'],
  ['args.l.flatten()', '{"l":[[1],2,[[3]]]}', [1, 2, [3]]],
  ['args.l.path()', '{"l":["./a","b/../c"]}', ['a', 'c']],
  ['args.to.emails()', '{"to":["A@b.io","c@d.io, a@b.io"]}', ['a@b.io', 'c@d.io']],
  ['args.t.links() + args.t.ibans() + args.t.words()', '{"t":"https://a.test/"}', ['a.test', 'https', 'a', 'test']],
  ['args.t.numbers()', '{"t":"5 or 7.50"}', [5, 7.5]],
  ['args.text.split("\\n").filter(l, l.startsWith("to: ")).map(l, l.substring(4))', '{"text":"to: a\\nx\\nto: b"}', ['a', 'b']],
])('%s of %s', (source, args, expected) => {
  expect(evaluate(source, { args: wire(args) })).toEqual(expected)
})

test.each(['args.missing', 'args.a.b', 'args.list[3]', 'args.constructor', 'args.a.length', 'fact.status', 'result.text'])(
  'a member that is not there makes %s undefined, whatever a prototype has', (source) => {
    expect(evaluate(source, { args: wire('{"a":{},"list":[1]}') })).toBeUndefined()
  },
)

test.each([
  ['args.a < "x"', 'no such overload'],
  ['args.a + "x"', 'no such overload'],
  ['args.a + 0.5', 'no such overload'],
  ['args.a && true', 'requires bool'],
  ['[args.a].emails()', 'something else than texts'],
  ['1 / 0', 'division by zero'],
  ['duration("1h")', 'no JSON value'],
])('%s throws, which refuses the call', (source, expected) => {
  expect(() => evaluate(source, { args: wire('{"a":1}') })).toThrow(expected)
})

test.each([
  ['args.', 5],
  ['args.a ==', 9],
  ['foo.bar == 1', 0],
  ['args.a == 1 && foo', 15],
  ['args.a.nothing()', 0],
  ['"open', 0],
])('%s is refused where it is wrong', (source, offset) => {
  expect(compileExpression(source, ROOTS)).toMatchObject({ kind: 'wrong', offset })
})

test('only the roots of the place are known', () => {
  expect(compileExpression('result.text', ['args'])).toMatchObject({ kind: 'wrong', message: 'Unknown variable: result' })
})

test('a hostile result ends in an error, soon', () => {
  const result = { text: '', rows: Array.from({ length: 5_000 }, (_, id) => ({ id })) }
  const start = performance.now()
  expect(() => evaluate('result.rows.map(a, result.rows.map(b, result.rows.exists(c, c.id == a.id + b.id)))', { result })).toThrow('steps')
  const long = { text: 'a'.repeat(2_000_000), rows: result.rows }
  expect(() => evaluate('result.rows.filter(r, result.text.matches("(a+)+b"))', { result: long })).toThrow('characters')
  expect(() => evaluate('result.text.matches("^(a|a)*$")', { result: { text: 'a'.repeat(5_000_000) } })).toThrow('characters')
  expect(performance.now() - start).toBeLessThan(3_000)
})

test('brackets and commas inside texts and comments do not disturb how loops are counted', () => {
  const source = 'args.l.filter(i, (i.a == ")") || (i.a == \'",(\')).map(i, [i.a, "x,y)"].exists(k, k == r"\\d") ? 1 : 2) // .map(, (\n'
  expect(evaluate(source, { args: wire('{"l":[{"a":")"},{"a":"z"},{"a":"\\",("}]}') })).toEqual([2, 2])
})

test.each([
  ['a raw text', String.raw`[r"\"].map(x, x)`],
  ['an escaped quote', String.raw`["\")"].map(x, [x].map(y, y))`],
  ['three quotes', `["""a"b)"""].map(x, [x, "]"].map(y, y))`],
  ['three single quotes', "['''it's ('''].map(x, x)"],
  ['bytes', 'b"x(".size() + [1].map(x, x).size()'],
  ['a comment', '[1]//.map(\n.map(x, x)'],
])('%s hides no loop from being counted', (_, source) => {
  const compiled = compileExpression(source, ROOTS)
  if (compiled.kind === 'wrong') return
  const written = parse(source).ast
  expect(isSameTree(written, parse(boundedSource(source)).ast)).toBe(true)
  expect(isSameTree(written, parse(source).ast)).toBe(false)
})

test('each evaluation has its bounds for itself, and what is too much to look at fails', () => {
  const list = { l: Array.from({ length: 60_000 }, (_, id) => id) }
  expect(evaluate('args.l.exists(i, i < 0)', { args: list })).toBe(false)
  expect(evaluate('args.l.exists(i, i < 0)', { args: list })).toBe(false)
  expect(() => evaluate('args.l.exists(i, i < 0) || args.l.exists(i, i < 0)', { args: list })).toThrow('64000000 characters')
  expect(() => evaluate('args.l.exists(i, args.l.exists(j, j < 0))', { args: { l: list.l.slice(0, 400) } })).toThrow('100000 steps')
  expect(evaluate('args.l.all(i, i >= 0)', { args: list })).toBe(true)
  expect(() => evaluate('args.l.size()', { args: { l: Array.from({ length: 200_000 }, () => 0) } })).toThrow('200000 values')
  expect(() => evaluate('args.t.size()', { args: { t: 'x'.repeat(4_194_305) } })).toThrow('4194304 characters')
  expect(compileExpression(`args.x == "${'y'.repeat(4_096)}"`, ROOTS)).toMatchObject({ kind: 'wrong', message: 'it is longer than 4096 characters' })
})

test('what loops and functions make is bounded too, not only what they read', () => {
  const input = { result: Array.from({ length: 9_000 }, (_, at) => at), text: 'a.b/c '.repeat(20_000) } as unknown as ExpressionInput
  const start = performance.now()
  for (const source of [
    'result.map(a, text.split(""))', 'result.map(a, result).flatten().map(a, result).flatten()', 'result.map(a, result + result)',
    'result.map(a, text.links())', 'result.map(a, text.replace("a", text)).size()',
  ]) expect(() => evaluate(source, input), source).toThrow('reads more than')
  expect(performance.now() - start).toBeLessThan(10_000)
})

test.each([
  ['"a,b,c".split(",")', ['a', 'b', 'c']], ['"a,b,c".split(",", 2)', ['a', 'b,c']], ['"a,b,c".split(",", 0)', []],
  ['"a,b".split(",", -1)', ['a', 'b']], ['"a,b".split(",", 5)', ['a', 'b']], ['"ab".split("")', ['a', 'b']],
])('%s splits as CEL does', (source, expected) => {
  expect(evaluate(source)).toEqual(expected)
})

test('a pattern is found in linear time, and its first group is what is found', () => {
  expect(evaluate('args.t.matches("^a+$")', { args: { t: 'aaa' } })).toBe(true)
  expect(evaluate('args.t.findAll("from: ([a-z]+)")', { args: { t: 'from: ada\nfrom: bob' } })).toEqual(['ada', 'bob'])
  expect(() => evaluate('args.t.matches("(")', { args: { t: 'x' } })).toThrow('missing closing )')
})
