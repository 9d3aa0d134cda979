import { expect, test } from 'vitest'
import { callLine, cancelLine, line, list, LISTED, outcomes, wire } from './relay.fixture.ts'
import type { Wired } from './relay.fixture.ts'

const ping = (id: number | string): Buffer => line(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"ping"}`)
const done = (id: number | string, result = '{"content":[]}'): Buffer =>
  line(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`)

/** Whether the gate that a success of `do` marks is open. */
async function isMarked(wired: Wired): Promise<boolean> {
  wired.relay.fromClient(callLine('probe', 'write'))
  await wired.settle()
  return wired.toServer.join().includes('"probe"')
}

/** What went before: the client's request and what became of it. */
const BEFORE: readonly (readonly [string, (wired: Wired) => Promise<void> | void])[] = [
  [
    'a plain request that was cancelled',
    ({ relay }) => {
      relay.fromClient(ping(5))
      relay.fromClient(cancelLine(5))
    },
  ],
  [
    'a plain request that was answered',
    ({ relay }) => {
      relay.fromClient(ping(5))
      relay.fromServer(done(5, '{}'))
    },
  ],
  [
    'a call that was cancelled',
    async ({ relay, settle }) => {
      relay.fromClient(callLine(5, 'do'))
      await settle()
      relay.fromClient(cancelLine(5))
    },
  ],
  [
    'a call that failed',
    async ({ relay, settle }) => {
      relay.fromClient(callLine(5, 'do'))
      await settle()
      relay.fromServer(done(5, '{"isError":true}'))
      await settle()
    },
  ],
]

test.each(BEFORE)('a call under the id of %s is refused, and no answer to that one opens a gate', async (_, before) => {
  const wired = wire()
  list(wired)
  await before(wired)
  const sent = wired.toServer.length
  wired.relay.fromClient(callLine(5, 'do'))
  await wired.settle()
  wired.relay.fromServer(done(5))
  await wired.settle()
  expect(wired.toServer).toHaveLength(sent)
  expect(wired.toClient.filter((text) => text.includes('"id":5,"error"')).join()).toMatch(/not new|still in flight/)
  expect(await isMarked(wired)).toBe(false)
})

test('an id is the same however it is written', async () => {
  const wired = wire()
  list(wired)
  wired.relay.fromClient(ping('a'))
  wired.relay.fromServer(done('a'))
  wired.relay.fromClient(line('{"jsonrpc":"2.0","id":"\\u0061","method":"tools/call","params":{"name":"do"}}'))
  await wired.settle()
  expect(wired.toServer).toHaveLength(1)
  expect(wired.toClient.at(-1)).toContain('"id":"\\u0061","error"')
})

test('the refusal of a used id follows the first answer, where that waits for its turn', async () => {
  const wired = wire()
  list(wired)
  wired.relay.fromClient(callLine(1, 'do'))
  wired.relay.fromClient(ping(2))
  await wired.settle()
  wired.relay.fromServer(done(1))
  wired.relay.fromServer(done(2, '{}'))
  wired.relay.fromClient(callLine(2, 'do'))
  expect(wired.toClient).toEqual([])
  await wired.settle()
  expect(wired.toClient.map((text) => text.slice(17, 31))).toEqual(['"id":1,"result', '"id":2,"result', '"id":2,"error"'])
})

test('an id whose call was refused before it was taken is still new', async () => {
  const wired = wire({ inFlight: 1 })
  list(wired)
  wired.relay.fromClient(ping(1))
  wired.relay.fromClient(callLine(2, 'do'))
  wired.relay.fromServer(done(1))
  wired.relay.fromClient(callLine(2, 'do'))
  await wired.settle()
  expect(wired.toServer.at(-1)).toContain('"id":2')
})

test('a listing under an id that is not new is not learnt from', async () => {
  const wired = wire()
  wired.relay.fromClient(line('{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"9"}}'))
  wired.relay.fromClient(cancelLine(1))
  wired.relay.fromClient(line('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'))
  wired.relay.fromServer(line(`{"jsonrpc":"2.0","id":1,${LISTED}}`))
  wired.relay.fromClient(callLine(2, 'do'))
  await wired.settle()
  expect(wired.toServer.at(-1)).toContain('"id":"callgate:id-')
})

test('the success of a call that was cancelled meanwhile is recorded, delivered to nobody, and marks nothing', async () => {
  const wired = wire()
  list(wired)
  wired.relay.fromClient(callLine(1, 'do'))
  await wired.settle()
  wired.relay.fromClient(cancelLine(1))
  wired.relay.fromServer(done(1))
  wired.relay.fromServer(line('{"jsonrpc":"2.0","method":"after"}'))
  await wired.settle()
  expect([await outcomes(wired), wired.toClient]).toEqual([['incomplete'], ['{"jsonrpc":"2.0","method":"after"}\n']])
  expect(await isMarked(wired)).toBe(false)
})

test('an answer that came before its cancel is not delivered either, once that is read', async () => {
  const wired = wire()
  list(wired)
  wired.relay.fromClient(callLine(1, 'do'))
  await wired.settle()
  wired.relay.fromServer(done(1))
  wired.relay.fromClient(cancelLine(1))
  await wired.settle()
  expect([await outcomes(wired), wired.toClient]).toEqual([['ran'], []])
})
