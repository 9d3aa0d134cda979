import { expect, test } from 'vitest'
import { callLine, cancelLine, line, list, LISTED, outcomes, wire } from './relay.fixture.ts'
import type { Wired } from './relay.fixture.ts'

async function pass(wired: Wired, ms: number, stepMs = 200): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    wired.clock.advance(stepMs)
    await wired.settle()
  }
}

test('a held call waits 45 s without a progress token', async () => {
  const wired = wire()
  list(wired)
  wired.relay.fromClient(callLine(1, 'ask'))
  await wired.settle()
  await pass(wired, 44_800)
  expect(wired.toClient).toEqual([])
  await pass(wired, 400)
  expect(wired.toClient.join()).toContain('Waiting for approval')
})

test('and 240 s with one, telling so at once and every 10 s', async () => {
  const wired = wire()
  list(wired)
  wired.relay.fromClient(callLine(1, 'ask', ',"_meta":{"progressToken":7}'))
  await wired.settle()
  await pass(wired, 239_800)
  expect(wired.toClient).toHaveLength(24)
  expect(wired.toClient[23]).toContain('"progressToken":7,"progress":24e-9,')
  await pass(wired, 400)
  expect(wired.toClient.at(-1)).toContain('"isError":true')
})

test('a hold whose deadline passes while its call waits is told as expired', async () => {
  const wired = wire()
  list(wired)
  wired.relay.fromClient(callLine(1, 'ask', ',"_meta":{"progressToken":7}'))
  await wired.settle()
  const [hold] = await wired.store.holds.list({ limit: 1 })
  if (hold !== undefined) await wired.store.holds.apply(hold.id, { kind: 'expire', at: hold.expiresAt })
  await pass(wired, 400)
  expect(wired.toClient.at(-1)).toContain('"cause":"expired"')
})

test('a server that is silent on tools/list is waited for 10 s, all pages together', async () => {
  const wired = wire()
  wired.relay.fromClient(callLine(1, 'do'))
  await pass(wired, 9_000)
  const id = /"id":("[^"]+")/.exec(wired.toServer[0] ?? '')?.[1]
  wired.relay.fromServer(line(`{"jsonrpc":"2.0","id":${id},"result":{"tools":[],"nextCursor":"2"}}`))
  await wired.settle()
  expect([wired.toServer.length, wired.toClient]).toEqual([2, []])
  await pass(wired, 1_200)
  expect(wired.toClient[0]).toContain('did not answer tools/list')
  wired.relay.fromServer(line(`{"jsonrpc":"2.0","id":${id},${LISTED}}`))
  expect(wired.toClient).toHaveLength(1)
})

test('plain requests may share an id: both pass, both answers pass, and each is answered when the server goes', () => {
  const wired = wire()
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  for (let count = 0; count < 3; count += 1) wired.relay.fromClient(line(ping))
  wired.relay.fromServer(line('{"jsonrpc":"2.0","id":1,"result":{}}'))
  expect([wired.toServer.length, wired.toClient.length]).toEqual([3, 1])
  wired.relay.serverGone('Gone.')
  expect(wired.toClient.slice(1).map((text) => /"message":"(.*?)"/.exec(text)?.[1])).toEqual(
    Array.from({ length: 2 }, () => 'Gone. Whether the request was carried out is unknown.'),
  )
})

test('a listing under an id that was in flight twice is not learnt from', async () => {
  const wired = wire()
  wired.relay.fromClient(line('{"jsonrpc":"2.0","id":1,"method":"prompts/list"}'))
  wired.relay.fromClient(line('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'))
  wired.relay.fromServer(line(`{"jsonrpc":"2.0","id":1,${LISTED}}`))
  wired.relay.fromClient(callLine(2, 'do'))
  await wired.settle()
  expect(wired.toServer.at(-1)).toContain('"id":"callgate:id-')
})

test('calls over the bound on bytes are refused', () => {
  const wired = wire({ callBytes: 150 })
  wired.relay.fromClient(callLine(1, 'do'))
  wired.relay.fromClient(callLine(2, 'do', `,"x":"${'y'.repeat(100)}"`))
  expect(wired.toClient.join()).toMatch(/"id":2,"error".*Too many requests/)
})

test('of the calls that were cancelled and never answered the oldest beyond a thousand is given up', async () => {
  const wired = wire()
  list(wired)
  for (let id = 0; id <= 1_000; id += 1) wired.relay.fromClient(callLine(id, 'do'))
  await wired.settle()
  for (let id = 0; id < 1_000; id += 1) wired.relay.fromClient(cancelLine(id))
  await wired.settle()
  expect(await outcomes(wired)).toEqual([])
  wired.relay.fromClient(cancelLine(1_000))
  await wired.settle()
  expect([await outcomes(wired), wired.toClient]).toEqual([['unknown'], []])
  wired.relay.fromClient(callLine(0, 'do'))
  await wired.settle()
  expect(wired.toServer.at(-1)).toContain('"requestId":1000')
  expect(wired.toClient.join()).toContain('The id 0 is not new')
})

test('a cancel while the gatekeeper decides keeps the call from running, and it gets no answer', async () => {
  const wired = wire()
  list(wired)
  wired.relay.fromClient(callLine(1, 'do'))
  wired.relay.fromClient(cancelLine(1))
  await wired.settle()
  expect([wired.toServer, wired.toClient]).toEqual([[], []])
})

test('nothing is forwarded once the connection to the server ends', async () => {
  const wired = wire()
  list(wired)
  wired.relay.fromClient(callLine(1, 'do'))
  wired.relay.serverClosing('It ends.')
  await wired.settle()
  wired.relay.fromClient(callLine(2, 'do'))
  expect(wired.toServer).toEqual([])
  expect(wired.toClient.map((text) => /"message":"(.*?)"/.exec(text)?.[1])).toEqual([
    'It ends. Nothing was executed.',
    'It ends. Nothing was executed.',
  ])
})
