import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventReader } from './event-reader.ts'
import type { EventReader } from './event-reader.ts'

type Read = { readonly reader: EventReader; readonly data: string[]; tooLong: number }

function read(chunks: readonly Buffer[], maxBytes = 1_000): Read {
  const data: string[] = []
  const told = { tooLong: 0 }
  const reader = createEventReader(maxBytes, {
    data: (bytes) => void data.push(bytes.toString()),
    tooLong: () => void (told.tooLong += 1),
  })
  for (const chunk of chunks) reader.push(chunk)
  return { reader, data, tooLong: told.tooLong }
}
const readText = (text: string, maxBytes?: number): Read => read([Buffer.from(text)], maxBytes)

test.each([
  ['one line', 'data: {"a":1}\n\n', ['{"a":1}']],
  ['no space after the colon', 'data:{}\n\n', ['{}']],
  ['only one space is taken', 'data:  x\n\n', [' x']],
  ['lines of one event are one line', 'data: {\ndata: "a":1\ndata: }\n\n', ['{ "a":1 }']],
  ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
  ['CR alone', 'data: a\r\rdata: b\r\r', ['a', 'b']],
  ['comments and unknown fields', ': ping\n\nfoo: bar\ndata: a\n\n', ['a']],
  ['an event of that name', 'event: message\ndata: a\n\n', ['a']],
  ['an event of another name', 'event: endpoint\ndata: /x\n\ndata: a\n\n', ['a']],
  ['an event without data', 'id: 7\ndata:\n\n', []],
  ['an event that is cut off', 'data: a\n\ndata: b\n', ['a']],
  ['a byte order mark', '\ufeffdata: a\n\n', ['a']],
])('%s', (_, text, expected) => {
  expect(readText(text).data).toEqual(expected)
})

test('an id counts from its event on, and stays; a retry is a number of milliseconds', () => {
  const { reader } = readText('id: 1\ndata: a\n\ndata: b\nretry: 250\nretry: soon\n\nid: 2\ndata: c\n')
  expect([reader.lastId, reader.retryMs]).toEqual(['1', 250])
})

test('an id that no header can carry is none', () => {
  expect(readText('id: a\n\nid: b\u0001\n\nid: c\0\n\n').reader.lastId).toBe('a')
})

test('an event over the bound is said once, and nothing after it is read', () => {
  const { data, tooLong } = readText(`data: a\n\ndata: ${'x'.repeat(100)}\n\ndata: b\n\n`, 50)
  expect([data, tooLong]).toEqual([['a'], 1])
  const many = read(
    Array.from({ length: 30 }, () => Buffer.from('data: 12345\n')),
    100,
  )
  expect([many.data, many.tooLong]).toEqual([[], 1])
})

test('wherever the stream is cut into chunks, the same events come', () => {
  const text = 'id: é\r\ndata: {"a":"é"}\r\n\r\n: c\ndata: x\ndata: y\n\nevent: other\ndata: z\r\rdata: last\n\n'
  const whole = readText(text)
  expect(whole.data).toEqual(['{"a":"é"}', 'x y', 'last'])
  const bytes = Buffer.from(text)
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: bytes.length })), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
      const { data, reader } = read(at.slice(1).map((end, index) => bytes.subarray(at[index], end)))
      expect([data, reader.lastId]).toEqual([whole.data, 'Ã©'])
    }),
  )
})
