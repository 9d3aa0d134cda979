import fc from 'fast-check'
import { expect, test } from 'vitest'
import { oneLine } from './one-line.ts'

test('a text of several lines is one line with the same meaning', () => {
  const text = '{\r\n "a": "x\\ny",\n "b": 1\r}\n'
  const line = oneLine(Buffer.from(text)).toString()
  expect(line).toBe('{   "a": "x\\ny",  "b": 1 } \n')
  expect(JSON.parse(line)).toEqual(JSON.parse(text))
})

test('no text leaves a CR, or an LF but the last', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('\n', '\r', 'a', 'é') }), (text) => {
      const line = oneLine(Buffer.from(text)).toString()
      expect(line).toBe(`${text.replaceAll(/[\r\n]/g, ' ')}\n`)
    }),
  )
})
