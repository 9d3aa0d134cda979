import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMessage } from '../../wire/read-message.ts'
import type { WireMessage } from '../../wire/read-message.ts'
import { readServerLine, renumberCancel, renumberRequest } from './renumber.ts'

type Request = WireMessage & { readonly kind: 'request' }
const request = (text: string): Request => readMessage(Buffer.from(`${text}\n`)) as Request

test('a request gets a number for its id and its token, and nothing else in it changes', () => {
  const { line, names } = renumberRequest(
    request('{ "id" : "é\\u00e9","method":"tools/call","params":{"id":"x","_meta":{"a":1.0,"progressToken": 9007199254740993 },"arguments":{"id":7}} }'),
    12,
  )
  expect(line.toString()).toBe(
    '{ "id" : 12,"method":"tools/call","params":{"id":"x","_meta":{"a":1.0,"progressToken": 12 },"arguments":{"id":7}} }\n',
  )
  expect(names).toEqual({ id: '"é\\u00e9"', token: '9007199254740993' })
})

test('a cancel names the number', () => {
  const cancel = readMessage(Buffer.from('{"method":"notifications/cancelled","params":{"requestId":"a","reason":"a"}}\n'))
  expect(renumberCancel(cancel as WireMessage & { kind: 'notification' }, 3).toString()).toBe(
    '{"method":"notifications/cancelled","params":{"requestId":3,"reason":"a"}}\n',
  )
})

const restored = (bytes: Buffer): unknown => {
  const line = readServerLine(bytes)
  return 'restore' in line ? [line.kind, line.number, line.restore({ id: '"é"', token: '"t"' }).toString('latin1')] : line
}
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

test.each([
  ['an answer', '{"jsonrpc":"2.0","id":3,"result":{"id":3}}', ['answer', 3, '{"jsonrpc":"2.0","id":"Ã©","result":{"id":3}}']],
  ['an answer that is no UTF-8', '{"id":3,"result":"\xff"}', ['answer', 3, '{"id":"Ã©","result":"\xff"}']],
  ['progress', '{"method":"notifications/progress","params":{"progressToken":3,"progress":3}}', ['about', 3, '{"method":"notifications/progress","params":{"progressToken":"t","progress":3}}']],
  ['what a subscription brings', '{"method":"n","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":3}}}', ['about', 3, '{"method":"n","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"Ã©"}}}']],
  ['a request of the server', '{"id":3,"method":"roots/list"}', { kind: 'other', isAsking: true }],
  ['a request that speaks of a token', '{"id":3,"method":"x","params":{"progressToken":3}}', { kind: 'other', isAsking: true }],
  ['a log message', '{"method":"notifications/message"}', { kind: 'other', isAsking: true }],
  ['a change', '{"method":"notifications/tools/list_changed"}', { kind: 'other', isAsking: false }],
  ['an answer to nobody', '{"id":null,"error":{}}', { kind: 'stray' }],
  ['an id that only looks like a number', '{"id":"3","result":{}}', { kind: 'stray' }],
])('%s', (_, text, expected) => {
  expect(restored(latin1(text))).toEqual(expected)
})

test('what was renumbered and echoed comes back as the client wrote it', () => {
  const id = fc.oneof(fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)), fc.maxSafeInteger().map(String), fc.constant('1.50'))
  fc.assert(
    fc.property(id, fc.nat(), (own, number) => {
      const { line, names } = renumberRequest(request(`{"id":${own},"method":"m","params":{}}`), number)
      const echo = readServerLine(Buffer.from(line.toString().replace('"method":"m","params"', '"result"')))
      expect(echo.kind === 'answer' && echo.restore(names).toString()).toBe(`{"id":${own},"result":{}}\n`)
    }),
  )
})
