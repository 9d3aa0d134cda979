import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clientDefect, foldKey } from './client-defect.ts'
import { isOwnId } from './raw-id.ts'
import { readLossyMessage, readMessage } from './read-message.ts'

const read = (text: string): ReturnType<typeof readMessage> => readMessage(Buffer.from(`${text}\n`))

test.each([
  ['{"id":1,"method":"a"}', { kind: 'request', method: 'a', id: { text: '1', key: 'n1' } }],
  ['{"id":"\\u0061","method":"tools\\/call"}', { kind: 'request', method: 'tools/call', id: { text: '"\\u0061"', key: 'sa' } }],
  ['{"id":1.0,"method":"a"}', { kind: 'request', id: { text: '1.0', key: 'n1' } }],
  ['{"id":9007199254740993,"method":"a"}', { kind: 'request', id: { text: '9007199254740993', key: 'n9007199254740992' } }],
  ['{"method":"a"}', { kind: 'notification', hasNullId: false }],
  ['{"id":null,"method":"a"}', { kind: 'notification', hasNullId: true }],
  ['{"id":1,"result":null}', { kind: 'response', id: { key: 'n1' } }],
  ['{"id":null,"error":{}}', { kind: 'response', id: undefined }],
  ['{"id":1,"id":2,"method":"a","method":"b"}', { kind: 'request', method: 'b', id: { key: 'n2' } }],
  ['[{"method":"a"}]', { kind: 'batch' }],
  ['', { kind: 'blank' }],
  ['\r', { kind: 'blank' }],
  ['{}', { kind: 'invalid', code: -32_600 }],
  ['{"id":true,"method":"a"}', { kind: 'invalid', code: -32_600 }],
  ['{"id":7,"method":null}', { kind: 'invalid', code: -32_600, id: { text: '7' } }],
  ['"x"', { kind: 'invalid', code: -32_600 }],
  ['{"id":1', { kind: 'invalid', code: -32_700 }],
  ['\ufeff{"id":1,"method":"a"}', { kind: 'invalid', code: -32_700, why: 'The message begins with a byte order mark.' }],
])('%s', (text, expected) => {
  expect(read(text)).toMatchObject(expected)
})

test('reading is total: any bytes are some message', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => void readMessage(Buffer.from(bytes))))
})

test('a text that is read names its bytes exactly', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
      const line = Buffer.concat([Buffer.from('{"method":"'), bytes, Buffer.from('"}\n')])
      const message = readMessage(line)
      expect('text' in message ? Buffer.from(message.text).equals(line) : true).toBe(true)
    }),
  )
})

test.each([
  ['{"id":1,"result":"caf\xe9"}', { kind: 'response', id: { key: 'n1' }, isLossy: true }],
  ['[{"method":"\xff"}]', { kind: 'batch', isLossy: true }],
  ['caf\xe9', { kind: 'invalid', code: -32_700 }],
])('a line that is no UTF-8 still shows its envelope to who asks for no more: %j', (latin1, expected) => {
  const bytes = Buffer.from(`${latin1}\n`, 'latin1')
  expect(readLossyMessage(bytes)).toMatchObject(expected)
  expect(readMessage(bytes)).toMatchObject({ kind: 'invalid', why: 'The message is not UTF-8.' })
})

test('a line of UTF-8 reads the same either way', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const bytes = Buffer.from(`{"method":${JSON.stringify(text.toWellFormed())}}\n`)
      expect(readLossyMessage(bytes)).toEqual(readMessage(bytes))
    }),
  )
})

test.each(['METHOD', 'Method', 'ｍethod'])('%s is a form of method', (key) => {
  expect(foldKey(key)).toBe('method')
})

test('letters that lenient decoders take for others are folded', () => {
  expect([foldKey('paramſ'), foldKey('toKen')]).toEqual(['params', 'token'])
})

test('unknown members are nobody’s business', () => {
  const message = read('{"x":{"a":1,"a":2},"y":1,"id":1,"method":"tools/list","params":{"z":{"q":1,"q":2}}}')
  expect(message.kind === 'request' && clientDefect(message)).toBeUndefined()
})

test('an answer of the client may bear any id', () => {
  const message = read('{"id":"callgate:1","result":{}}')
  expect(message.kind === 'response' && clientDefect(message)).toBeUndefined()
  expect(message.kind === 'response' && message.id !== undefined && isOwnId(message.id)).toBe(true)
})
