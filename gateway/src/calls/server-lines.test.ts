import { expect, test } from 'vitest'
import { callLine, line, list, LISTED, outcomes, wire } from './relay.fixture.ts'

const latin1 = (text: string): Buffer => Buffer.from(`${text}\n`, 'latin1')

test.each([
  '{"level":"info"}',
  '{"jsonrpc":"2.0"}',
  '{"jsonrpc":"2.0","id":1}',
  '{"jsonrpc":"2.0","id":true,"result":{}}',
  '{"jsonrpc":"2.0","id":[1],"method":"ping"}',
  '{"jsonrpc":"2.0","id":1,"method":7}',
  '{}',
  '[]',
  '[1]',
  '[{"level":"info"},[]]',
  'null',
  'Listening …',
])('%s of the server’s is no message: it is shown, not passed on', (text) => {
  const wired = wire()
  expect(wired.relay.fromServer(line(text))).toBe(false)
  expect(wired.toClient).toEqual([])
  expect(wired.logged).toEqual([`the server wrote to stdout what is no message: ${text}`])
})

test.each([
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}',
  '{"jsonrpc":"2.0","id":7,"result":{}}',
  '{"jsonrpc":"2.0","id":7,"method":"roots/list"}',
  '{"jsonrpc":"2.0","method":"x"}',
  '[1,{"jsonrpc":"2.0","method":"x"}]',
])('%s of the server’s is a message: it passes as it came', (text) => {
  const wired = wire()
  expect(wired.relay.fromServer(line(text))).toBe(true)
  expect([wired.toClient, wired.logged]).toEqual([[`${text}\n`], []])
})

test('an answer with a byte that is no UTF-8 settles its call and passes as it came', async () => {
  const wired = wire()
  list(wired)
  wired.relay.fromClient(callLine(1, 'do'))
  await wired.settle()
  const answer = latin1('{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"caf\xe9"}]}}')
  expect(wired.relay.fromServer(answer)).toBe(true)
  await wired.settle()
  expect(await outcomes(wired)).toEqual(['ran'])
  expect(wired.toClientBytes.at(-1)?.equals(answer)).toBe(true)
})

test('any other message of the server’s passes with such a byte too', () => {
  const wired = wire()
  const note = latin1('{"jsonrpc":"2.0","method":"log","params":"caf\xe9"}')
  wired.relay.fromServer(note)
  expect(wired.toClientBytes).toEqual([note])
})

test.each(['', '[', 'the client’s own'])('a listing with such a byte is not learnt from: %j', async (how) => {
  const wired = wire()
  const listed = LISTED.replace('"name":"do"', '"name":"do","description":"caf\xe9"')
  const isOwn = how === 'the client’s own'
  if (isOwn) wired.relay.fromClient(line('{"jsonrpc":"2.0","id":"l","method":"tools/list"}'))
  else wired.relay.fromClient(callLine(1, 'do'))
  await wired.settle()
  const id = /"id":("[^"]+")/.exec(wired.toServer[0] ?? '')?.[1]
  const answer = `{"jsonrpc":"2.0","id":${id},${listed}}`
  wired.relay.fromServer(latin1(how === '[' ? `[${answer}]` : answer))
  if (isOwn) wired.relay.fromClient(callLine(1, 'do'))
  await wired.settle()
  if (isOwn) expect(wired.toServer.at(-1)).toContain('"id":"callgate:')
  else expect(wired.toClient.join()).toContain('the server answered tools/list with bytes that are not UTF-8.')
})

test('of endless lines that are no messages a thousand are shown', () => {
  const wired = wire()
  for (let count = 0; count < 1_010; count += 1) wired.relay.fromServer(line('{"level":"info"}'))
  expect(wired.logged).toHaveLength(1_001)
  expect(wired.logged.at(-1)).toContain('no more of it is shown')
})
