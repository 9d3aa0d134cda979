import { Candidate } from '@callgate/core'
import type { ExpressionInput, JsonObject } from '@callgate/core'
import { expect, test } from 'vitest'
import { compileExpression } from './compile-expression.ts'

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
  ['args.to.email() + [args.one.email()]', '{"to":["A@b.io"," c@d.io"],"one":"e@f.io"}', ['a@b.io', 'c@d.io', 'e@f.io']],
  ['args.to.split(",").email()', '{"to":"a@b.io, c@d.io"}', ['a@b.io', 'c@d.io']],
  ['[args.l.link(), args.i.iban()]', '{"l":"https://www.a.test/","i":"DE89 3704 0044 0532 0130 00"}', ['a.test', 'DE89370400440532013000']],
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
  ['["a@b.io", "odd"].email()', 'email() of a text that is not one mail address alone'],
  ['"a.test b.test".link()', 'link() of a text that is not one link alone'],
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

test('what is too much to look at fails', () => {
  expect(() => evaluate('args.l.size()', { args: { l: Array.from({ length: 200_000 }, () => 0) } })).toThrow('200000 values')
  expect(() => evaluate('args.t.size()', { args: { t: 'x'.repeat(4_194_305) } })).toThrow('4194304 characters')
  expect(compileExpression(`args.x == "${'y'.repeat(4_096)}"`, ROOTS)).toMatchObject({ kind: 'wrong', message: 'it is longer than 4096 characters' })
})

test('an error does not repeat the whole text that it is about', () => {
  expect(() => evaluate('bool(args.t)', { args: { t: 'x'.repeat(100_000) } })).toThrow(/^.{1,500}$/u)
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
  expect(evaluate('args.t.findAll("a(b)?")', { args: { t: 'ab-a' } })).toEqual(['b', ''])
  expect(evaluate('args.t.findAll("(?i)[^ ]ü")', { args: { t: '😀Ü x' } })).toEqual(['😀Ü'])
})

test.each([
  ['args.t.matches("(")', 'missing closing )', 15],
  ['args.a == 1 || args.t.findAll("a(?=b)").size() > 0', 'invalid', 30],
  ['args.t.matches(args.p)', 'written out', 15],
  ['args.l.exists(p, args.t.findAll(p) == ["x"])', 'written out', 32],
  [`args.t.matches("${'a'.repeat(1_001)}")`, '1000 characters', 15],
])('the pattern of %s is refused before any call', (source, message, offset) => {
  expect(compileExpression(source, ROOTS)).toEqual({ kind: 'wrong', message: expect.stringContaining(message) as unknown, offset })
})

test.each(['args.a.matches("x")', 'args.l.findAll("x")'])('%s is no text, which is said', (source) => {
  expect(() => evaluate(source, { args: { a: 1, l: ['x'] } })).toThrow('no matching overload')
})
