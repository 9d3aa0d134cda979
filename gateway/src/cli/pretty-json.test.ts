import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prettyJson } from './pretty-json.ts'

test.each([
  ['{}', '{}'],
  ['[]', '[]'],
  ['7', '7'],
  ['{"a":1,"b":[]}', '{\n  "a": 1,\n  "b": []\n}'],
  ['[{"a":{}},2]', '[\n  {\n    "a": {}\n  },\n  2\n]'],
  ['{"a":"{[,:]} \\" \\\\"}', '{\n  "a": "{[,:]} \\" \\\\"\n}'],
  ['{"n":9007199254740993,"x":1e400}', '{\n  "n": 9007199254740993,\n  "x": 1e400\n}'],
])('%s is laid out over lines', (text, laidOut) => {
  expect(prettyJson(text)).toBe(laidOut)
})

test('any JSON is laid out as JSON.stringify does, so nothing is lost', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(prettyJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
    }),
  )
})
