import { WireNumber } from '@callgate/core'
import { expect, test } from 'vitest'
import { readLossyMessage } from '../wire/read-message.ts'
import { readResult } from './read-result.ts'

const bytesOf = (text: string): Buffer => Buffer.from(`{"jsonrpc":"2.0","id":1,${text}}\n`)
const read = (bytes: Buffer): unknown => {
  const message = readLossyMessage(bytes)
  return message.kind === 'response' ? readResult(message) : message.kind
}

test.each([
  ['its structured content', '"result":{"structuredContent":{"a":[1,"x"]}}', { structured: { a: [1, 'x'] } }],
  ['its text blocks, a line each', '"result":{"content":[{"type":"text","text":"a"},{"type":"image","data":"x"},{"type":"text","text":"b"}]}', { text: 'a\nb' }],
  ['both', '"result":{"content":[{"type":"text","text":"a"}],"structuredContent":[1]}', { structured: [1], text: 'a' }],
  ['no text of a block of another type', '"result":{"content":[{"type":"resource","text":"a"}]}', { text: '' }],
  ['no text that is none', '"result":{"content":[{"type":"text","text":7},null,"x",[]]}', { text: '' }],
  ['nothing of an empty result', '"result":{}', {}],
  ['nothing of an error', '"error":{"code":1,"message":"m"}', {}],
  ['nothing where two readers could read it in two ways', '"result":{"content":[],"structuredContent":{"id":1,"id":2}}', {}],
  ['null as no structured content', '"result":{"structuredContent":null}', {}],
])('of an answer is read: %s', (_, text, expected) => {
  expect(read(bytesOf(text))).toEqual(expected)
})

test('numbers of a result are exact', () => {
  expect(read(bytesOf('"result":{"structuredContent":{"id":9007199254740993,"x":1.0000000000000000001}}'))).toEqual({
    structured: { id: 9_007_199_254_740_993n, x: new WireNumber('1.0000000000000000001', 1) },
  })
})

test('nothing is read of bytes that are no UTF-8', () => {
  const bytes = bytesOf('"result":{"content":[{"type":"text","text":"?"}]}')
  bytes[bytes.indexOf('?')] = 0xff
  expect(read(bytes)).toEqual({})
})
