import { Candidate } from '@callgate/core'
import { expect, test } from 'vitest'
import { JsonText, jsonText } from './json-text.ts'
import type { Answer } from './json-text.ts'

test.each<[string, Answer, string]>([
  ['a string with quotes and controls', 'a"\n', '"a\\"\\n"'],
  ['an integer beyond the safe range', 9007199254740993n, '9007199254740993'],
  ['text of JSON, digit for digit', new JsonText('{"n":1e400}'), '{"n":1e400}'],
  ['members that are absent', { a: undefined, b: null, c: [true, 1.5] }, '{"b":null,"c":[true,1.5]}'],
  ['a key named __proto__', Object.fromEntries([['__proto__', 1]]), '{"__proto__":1}'],
  ['a control that terminals obey', ['\u009b2J\u007f', new JsonText('"\u0085"')], '["\\u009b2J\\u007f","\\u0085"]'],
  ['nothing', [], '[]'],
])('%s is written exactly', (_what, answer, text) => {
  expect(jsonText(answer)).toBe(text)
})

test('a number from the wire keeps its text', () => {
  const { n = null } = Candidate.ofWire('{"n":0.10000000000000000001}').fields['arguments'] as { n?: Answer }
  expect(jsonText({ n })).toBe('{"n":0.10000000000000000001}')
})
