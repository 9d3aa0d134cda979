import { expect, test } from 'vitest'
import { readMessage } from '../wire/read-message.ts'
import { readCompletion } from './read-completion.ts'

test.each([
  ['"result":{"content":[]}', 'success'],
  ['"result":{"content":[],"isError":false}', 'success'],
  ['"result":{"content":[],"resultType":"c\\u006fmplete"}', 'success'],
  ['"result":{"content":[],"isError":true}', 'failure'],
  ['"result":{"content":[],"is\\u0045rror":true}', 'failure'],
  ['"result":{"isError":false,"isError":true}', 'failure'],
  ['"result":{"isError":true,"isError":false}', 'failure'],
  ['"result":{"isError":"true"}', 'failure'],
  ['"result":{"isError":1}', 'failure'],
  ['"result":null', 'failure'],
  ['"result":[]', 'failure'],
  ['"error":{"code":1}', 'failure'],
  ['"result":{"content":[]},"error":{"code":1}', 'failure'],
  ['"result":{"resultType":"input_required"}', 'incomplete'],
  ['"result":{"resultType":"task"}', 'incomplete'],
  ['"result":{"resultType":"new"}', 'incomplete'],
  ['"result":{"resultType":null}', 'incomplete'],
  ['"result":{"task":{"taskId":"1"}}', 'incomplete'],
  ['"result":{"resultType":"task","isError":true}', 'failure'],
])('%s is a %s', (text, completion) => {
  const message = readMessage(Buffer.from(`{"jsonrpc":"2.0","id":1,${text}}\n`))
  expect(message.kind === 'response' && readCompletion(message)).toBe(completion)
})
