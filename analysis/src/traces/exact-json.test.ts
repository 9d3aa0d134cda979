import { Candidate, WireNumber } from '@callgate/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exactNumber, exactText, parseExactJson } from './exact-json.ts'

test.each<[string, unknown]>([
  ['9007199254740993', 9007199254740993n],
  ['-9007199254740993', -9007199254740993n],
  ['9007199254740991', 9007199254740991],
  ['1e23', 10n ** 23n],
  ['1.5', 1.5],
  ['0.1000000000000000055', new WireNumber('0.1000000000000000055', 0.1)],
  ['1e400', Infinity],
])('%s is read as it is meant, wherever it stands', (number, value) => {
  expect(exactNumber(number)).toEqual(value)
  expect(parseExactJson(number)).toEqual(value)
  expect(parseExactJson(`{"a":[${number}, ${number}],"b" : ${number}}`)).toEqual({ a: [value, value], b: value })
})

test('what is no number is none', () => {
  for (const text of ['', 'x', '1,"n":2', '1 ', '0x1']) expect(exactNumber(text)).toBeNaN()
})

test('digits in texts and keys are text, also beside quotes, backslashes and what looks like a mark', () => {
  const text = '{"9007199254740993":"9007199254740993","a\\\\":"\\"9007199254740993\\\\","#":"##9007199254740993","n":9007199254740993,"__proto__":9007199254740995}'
  const value = parseExactJson(text) as Record<string, unknown>
  expect(Object.entries(value)).toEqual([
    ['9007199254740993', '9007199254740993'],
    ['a\\', '"9007199254740993\\'],
    ['#', '##9007199254740993'],
    ['n', 9007199254740993n],
    ['__proto__', 9007199254740995n],
  ])
})

test('what JSON.parse takes beside large numbers is taken likewise', () => {
  expect(parseExactJson('{"n":1,"n":9007199254740993,"s":"\\ud800"}')).toEqual({ n: 9007199254740993n, s: '\ud800' })
  for (const text of ['9007199254740993,', '{"n":09007199254740993}', '"9007199254740993', '']) expect(() => parseExactJson(text)).toThrow(SyntaxError)
})

test('any JSON, with large numbers among it, is read as the core reads it, and its text keeps the digits', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ depthSize: 'small' }, fc.bigInt().map(String), fc.double({ noNaN: true, noDefaultInfinity: true }).map(String), fc.string().map((text) => JSON.stringify(text)),
      fc.array(tie('any')).map((items) => `[${items.join(', ')}]`),
      fc.dictionary(fc.string(), tie('any')).map((members) => `{${Object.entries(members).map(([key, member]) => `${JSON.stringify(key)}:${String(member)}`).join(',')}}`)),
  })).any
  fc.assert(fc.property(value, (text) => {
    const exact = Candidate.ofWire(`{"v":${String(text)}}`)
    const read = parseExactJson(String(text))
    expect(Candidate.ofArguments({ v: read }).digest).toBe(exact.digest)
    expect(Candidate.ofWire(`{"v":${exactText(read)}}`).digest).toBe(exact.digest)
  }), { numRuns: 500 })
})
