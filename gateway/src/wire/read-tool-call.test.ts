import { expect, test } from 'vitest'
import { readMessage } from './read-message.ts'
import { readToolCall } from './read-tool-call.ts'
import type { ToolCallMessage } from './read-tool-call.ts'

function read(params: string): ToolCallMessage {
  const line = Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}\n`)
  const message = readMessage(line)
  const call = message.kind === 'request' ? readToolCall(message, line) : undefined
  if (call === undefined || 'kind' in call) throw new Error('no tool call')
  return call
}

test('a call’s parts are what they spell, where they stand', () => {
  const call = read('{"arguments": {"a":1} ,"n\\u0061me":"l\\u006fok"}')
  expect([call.name, call.text.slice(call.args?.start, call.args?.end)]).toEqual(['look', '{"a":1}'])
})

test.each([
  ['{"name":"a"}', ''],
  ['{"name":"a","arguments":{"x":1}}', ''],
  ['{"name":"a","_meta":{}}', ''],
  ['{"name":"a","_meta":{"progressToken":1}}', ''],
  ['{"name":"a","inputResponses":{},"requestState":"s"}', ''],
  ['{"name":"a","_meta":{"progressToken":1,"k": 1.0 }}', '{"_meta":{"k": 1.0}}'],
  ['{"name":"a","_meta":{"traceparent":"00-1-2-01","tracestate":"a=b","baggage":"c=d"}}', ''],
  ['{"name":"a","_meta":{"claudecode/toolUseId":"toolu_1","x-codex-turn-metadata":"{}","tenant":"t"}}', '{"_meta":{"tenant":"t"}}'],
  ['{"name":"a","task":{"ttl":1},"_meta":{"k":1}}', '{"task":{"ttl":1},"_meta":{"k":1}}'],
  ['{"name":"a","_meta":7}', '{"_meta":7}'],
])('what an approval is bound to beside the arguments: %s', (params, beside) => {
  expect(read(params).beside).toBe(beside)
})

test.each([
  ['"2026-07-28"', true],
  ['"2027-01-01"', true],
  ['"2025-11-25"', false],
  ['"zzz"', false],
  ['20260728', false],
])('whether a result says its type follows the protocol version %s', (version, expected) => {
  expect(read(`{"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":${version}}}`).needsResultType).toBe(expected)
})

test.each([
  ['"a\\u0062"', '"a\\u0062"'],
  ['1.0', '1.0'],
  ['null', undefined],
  ['{}', undefined],
])('a progress token keeps its text: %s', (token, text) => {
  expect(read(`{"name":"a","_meta":{"progressToken":${token}}}`).progressToken?.text).toBe(text)
})
