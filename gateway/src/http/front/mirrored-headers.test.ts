import { expect, test } from 'vitest'
import { readMessage } from '../../wire/read-message.ts'
import type { WireMessage } from '../../wire/read-message.ts'
import { readModernHead } from '../message-head.ts'
import { mirrorDefect } from './mirrored-headers.ts'

type Named = Extract<WireMessage, { readonly kind: 'request' | 'notification' }>
const META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}'
const CALL = `{"id":1,"method":"tools/call","params":{"name":"é","arguments":{"limit":10,"deep":[{"on":true}],"who":"ann"},${META}}}`
const LEGACY = '{"id":1,"method":"tools/call","params":{"name":"refund","arguments":{}}}'
const good = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': '=?base64?w6k=?=' }

function defect(text: string, headers: Record<string, string>): string | undefined {
  const message = readMessage(Buffer.from(`${text}\n`)) as Named
  return mirrorDefect(headers, message, readModernHead(message))
}

test.each([
  ['all that is wanted', CALL, good],
  ['arguments, as they are printed', CALL, { ...good, 'mcp-param-limit': '10', 'mcp-param-on': 'true', 'mcp-param-who': '=?base64?YW5u?=' }],
  ['a number in another form', CALL, { ...good, 'mcp-param-limit': '10.0' }],
  ['a method without a name', `{"id":1,"method":"ping","params":{${META}}}`, { ...good, 'mcp-method': 'ping', 'mcp-name': undefined as unknown as string }],
  ['no headers, in the era with sessions', LEGACY, {}],
  ['a version of its session', LEGACY, { 'mcp-protocol-version': '2025-11-25' }],
  ['headers that are not wanted but agree', LEGACY, { 'mcp-method': 'tools/call', 'mcp-name': 'refund' }],
  ['a notification without headers', `{"method":"notifications/cancelled","params":{"requestId":1,${META}}}`, {}],
])('%s: no defect', (_, text, headers) => {
  expect(defect(text, headers)).toBeUndefined()
})

const without = (name: keyof typeof good): Record<string, string> =>
  Object.fromEntries(Object.entries(good).filter(([key]) => key !== name))

test.each<readonly [string, string, Record<string, string>, string]>([
  ['another name', CALL, { ...good, 'mcp-name': 'list_orders' }, 'Mcp-Name says "list_orders", and the message says "é"'],
  ['another method', CALL, { ...good, 'mcp-method': 'ping' }, 'Mcp-Method says "ping"'],
  ['a method in other letters', CALL, { ...good, 'mcp-method': 'Tools/Call' }, 'Mcp-Method says "Tools/Call"'],
  ['another version', CALL, { ...good, 'mcp-protocol-version': '2027-01-01' }, 'MCP-Protocol-Version says "2027-01-01"'],
  ['no method', CALL, without('mcp-method'), 'Mcp-Method is missing'],
  ['no name', CALL, without('mcp-name'), 'Mcp-Name is missing'],
  ['no version', CALL, without('mcp-protocol-version'), 'MCP-Protocol-Version is missing'],
  ['a name for what has none', `{"id":1,"method":"ping","params":{${META}}}`, { ...good, 'mcp-method': 'ping' }, 'does not say it'],
  ['broken base64', CALL, { ...good, 'mcp-name': '=?base64?w6k?=' }, 'no text in base64'],
  ['a forged argument', CALL, { ...good, 'mcp-param-who': 'bob' }, 'mcp-param-who says what no argument'],
  ['an empty argument', CALL.replace('10', '0'), { ...good, 'mcp-param-limit': '' }, 'says what no argument'],
  ['a text for what is no number', CALL.replace('"ann"', '"NaN"'), { ...good, 'mcp-param-who': 'bob' }, 'says what no argument'],
  ['an argument without any', LEGACY, { 'mcp-param-who': 'bob' }, 'mcp-param-who says what no argument'],
  ['a forged name, in the era with sessions', LEGACY, { 'mcp-name': 'list_orders' }, 'Mcp-Name says "list_orders"'],
  ['a message that does not say its era', LEGACY, good, 'MCP-Protocol-Version says "2026-07-28", and the message does not say it'],
  ['a forged method of a notification', `{"method":"tools/call","params":{${META}}}`, { 'mcp-method': 'ping' }, 'Mcp-Method says "ping"'],
])('%s is a defect', (_, text, headers, said) => {
  expect(defect(text, headers)).toContain(said)
})
