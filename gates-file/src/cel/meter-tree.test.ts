import type { ExpressionInput, JsonValue } from '@callgate/core'
import { expect, test } from 'vitest'
import { compileExpression } from './compile-expression.ts'

const LONG = 4_000_000
const SPENT = /units of work; make it look at less/

const evaluate = (source: string, args: JsonValue, result: JsonValue = null): unknown => {
  const compiled = compileExpression(source, ['args', 'result', 'fact', 'text'])
  if (compiled.kind === 'wrong') throw new Error(`${source}: ${compiled.message}`)
  return compiled.expression.evaluate({ args, result: result ?? {} } as ExpressionInput)
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)
const many = (count: number, value: JsonValue): readonly JsonValue[] => Array.from({ length: count }, () => value)

// Each would go on for many seconds, or fill the memory, were its work not counted.
test.each([
  ['a loop in a loop', 'result.map(a, result.map(b, result.exists(c, c == a + b + 1000000)))', {}, numbers(5_000)],
  ['exists, which goes on after an error', 'result.exists(a, result.exists(b, result.exists(c, a + b == c - 1000000)))', {}, numbers(5_000)],
  ['all, which goes on after an error', 'result.all(a, result.all(b, a != b - 1000000))', {}, numbers(60_000)],
  ['an or, which goes on after an error', 'result.exists(a, result.exists(b, a == b + 1000000) || result.exists(b, b == a + 1000000))', {}, numbers(5_000)],
  ['steps that fail', 'result.exists(a, result.exists(b, b.x == 1))', {}, many(20_000, {})],
  ['steps of which each part fails', 'result.exists(a, a.a || a.b || a.c || a.d || a.e)', {}, many(60_000, {})],
  ['a long list that is looked up', 'result.filter(a, a in args.l)', { l: numbers(9_000) }, numbers(100_000).map((at) => -at - 1)],
  ['maps that are looked up', 'result.filter(a, a in args.l)', { l: numbers(9_000).map((at) => ({ a: 1, b: at })) }, numbers(9_000).map((at) => ({ a: 1, b: -at - 1 }))],
  ['large values that are compared', 'args.l.all(i, args.l.all(j, i == j))', { l: many(200, many(300, { a: 'x' })) }, null],
  ['long texts that are compared', 'args.l.all(i, args.l.all(j, i != j || i == j))', { l: numbers(200).map((at) => `${'x'.repeat(20_000)}${at % 2}`) }, null],
  ['long texts that are joined in loops', 'result.map(i, result.map(j, args.t).join(","))', { t: 'x'.repeat(10_000) }, many(300, 'x')],
  ['texts that double', 'cel.bind(a, args.t + args.t, cel.bind(b, a + a, cel.bind(c, b + b, cel.bind(d, c + c, (d + d).size()))))', { t: 'x'.repeat(LONG) }, null],
  ['lists that grow', 'result.map(a, (result + result).size())', {}, numbers(60_000)],
  ['lists that are flattened', 'result.map(a, result).flatten().map(a, result).flatten()', {}, numbers(9_000)],
  ['long lists of parts', 'result.map(a, args.t.split(""))', { t: 'x'.repeat(60_000) }, numbers(9_000)],
  ['what stands there often', 'result.map(r, {"id": r, "all": result})', {}, numbers(3_000)],
  ['long texts that stand there often', 'result.map(r, {"id": r, "text": args.t})', { t: 'x'.repeat(1_000_000) }, numbers(3_000)],
  ['replacing that grows', 'result.map(a, args.t.replace("a", args.t).size())', { t: 'a'.repeat(6_000) }, numbers(100)],
  ['reading in a loop', 'result.filter(i, args.t.size() > 5)', { t: 'x'.repeat(LONG) }, numbers(900)],
  ['folding in a loop', 'result.filter(i, args.t.lowerAscii() == "x")', { t: 'X'.repeat(LONG) }, numbers(900)],
  ['words in a loop', 'result.exists(i, "zz" in args.t.words())', { t: 'ab '.repeat(20_000) }, numbers(5_000)],
  ['paths in a loop', 'result.map(i, args.t.path())', { t: 'a/'.repeat(30_000) }, numbers(5_000)],
  ['links of a list in a loop', 'result.map(i, args.l.links())', { l: ['a.test '.repeat(9_000)] }, numbers(5_000)],
  ['times in named zones', 'result.map(i, timestamp(i).getHours("Europe/Berlin"))', {}, many(60_000, '2026-01-01T00:00:00Z')],
  ['a pattern that looks on to the end for each match', 'args.t.findAll("x(.*b)?")', { t: 'x'.repeat(200_000) }, null],
  ['a pattern of many parts', 'args.t.findAll("(?:(?:a?){100}){9}b$")', { t: `b${'a'.repeat(LONG)}` }, null],
  ['patterns in a loop', 'result.filter(i, args.t.matches("(a+)+b$"))', { t: `b${'a'.repeat(LONG)}` }, numbers(900)],
] satisfies readonly (readonly [string, string, JsonValue, JsonValue])[])('%s ends soon', (_, source, args, result) => {
  expect(() => evaluate(source, args, result)).toThrow(SPENT)
})

test.each(['contains(args.t)', 'indexOf(args.t)', 'lastIndexOf(args.t)', 'lastIndexOf(args.t, 5)', 'split(args.t)', 'split(args.t, 2)', 'replace(args.t, "")'])(
  '%s of a text that nearly is there everywhere ends soon', (call) => {
    const nearly = `${'x'.repeat(30_000)}y${'x'.repeat(30_000)}`
    expect(() => evaluate(`result.t.${call}`, { t: nearly }, { t: 'x'.repeat(LONG) })).toThrow(SPENT)
  },
)

test('a duration in very many digits is not read', () => {
  expect(() => evaluate('duration(args.t) > duration("1s")', { t: '1'.repeat(60_000) })).toThrow('a duration of more than 100 characters')
  expect(evaluate('duration(args.t) > duration("1h2m3.5s")', { t: '90m' })).toBe(true)
})

const rows = numbers(9_000).map((id) => ({ id, status: id % 2 === 0 ? 'open' : 'paid', note: 'x'.repeat(100) }))

test.each([
  ['result.exists(i, i < 0) || result.exists(i, i < -1)', {}, numbers(150_000), false],
  ['result.exists(i, has(i.x)) || result.size() == 60000', {}, many(60_000, {}), true],
  ['result.filter(r, r.status == "open" && r.id in [2, 4, 5]).map(r, r.id)', {}, rows, [2, 4]],
  ['result.filter(r, r.id == args.id).map(r, r.status)', { id: 7 }, rows, ['paid']],
  ['result.exists(r, r.note == args.note)', { note: 'y'.repeat(100) }, rows, false],
  ['args.ids.all(i, i in result.map(r, r.id))', { ids: numbers(30) }, rows, true],
  ['result.map(i, int(i)).size()', {}, numbers(90_000).map(String), 90_000],
  ['args.t.split("\\n").filter(l, l.matches("^id: [0-9]+$")).size()', { t: 'id: 1\n'.repeat(100_000) }, null, 100_000],
  ['args.t.split("\\n").map(l, l.split(",")).flatten().size()', { t: 'a,b\n'.repeat(60_000) }, null, 120_001],
  ['args.t.findAll("id: ([0-9]+)").size()', { t: 'id: 12345, name: somebody\n'.repeat(120_000) }, null, 120_000],
  ['args.t.emails().size() + args.t.links().size()', { t: 'Write to ada@a.test, or see b.test. '.repeat(100_000) }, null, 2],
  ['args.t.contains(result.t)', { t: 'some page '.repeat(300_000) }, { t: 'a paragraph '.repeat(20) }, false],
  ['args.t.lowerAscii().trim().startsWith("error") || args.t.contains("failed")', { t: 'x'.repeat(LONG) }, null, false],
] satisfies readonly (readonly [string, JsonValue, JsonValue, JsonValue])[])('%s is not too much', (source, args, result, expected) => {
  expect(evaluate(source, args, result)).toEqual(expected)
  expect(evaluate(source, args, result), 'each evaluation has its bounds for itself').toEqual(expected)
})

test('a loop that went on after all was used up yields nothing, whatever the rest says', () => {
  expect(() => evaluate('result.exists(a, result.exists(b, b == a + 1000000)) || true', {}, numbers(20_000))).toThrow(SPENT)
})

test('a loop is counted wherever it stands', () => {
  const loop = 'result.map(a, result.map(b, b))'
  for (const source of [
    `${loop}.size() > 1`, `size(${loop}) > 1`, `[${loop}][0].size() > 1`, `{"a": ${loop}}.size() > 1`, `true ? ${loop} : []`, `!(${loop} == [])`,
    `cel.bind(x, ${loop}, x.size())`, `cel.bind(x, 1, ${loop})`, `args.?x.orValue(${loop})`, `[1].map(x, true, ${loop})`, `[1].filter(x, ${loop} != [])`,
    `[1].exists_one(x, ${loop} != [])`, `${loop}[0]`, `args.?x.or(optional.of(${loop})).hasValue()`, `false || ${loop} != []`, `true && ${loop} != []`,
  ]) expect(() => evaluate(source, {}, numbers(5_000)), source).toThrow(SPENT)
})
