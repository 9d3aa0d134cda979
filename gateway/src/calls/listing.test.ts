import { expect, test } from 'vitest'
import { startGateway } from '../stdio/gateway.fixture.ts'
import type { RunningGateway } from '../stdio/gateway.fixture.ts'

const LIST = '{"jsonrpc":"2.0","id":"l","method":"tools/list"}'
const lists = (gateway: RunningGateway): readonly string[] => gateway.forwarded().filter((line) => line.includes('tools/list'))
const textOf = async (gateway: RunningGateway, id: number | string): Promise<string> =>
  (await gateway.answer(id)).result?.content?.[0]?.text ?? ''
const change = async (gateway: RunningGateway): Promise<void> => {
  gateway.send('{"jsonrpc":"2.0","method":"notifications/test/change"}')
  await gateway.next(({ method }) => method === 'notifications/tools/list_changed')
}

test('a call that comes first makes the gateway list the tools once, unseen by the client', async () => {
  const gateway = startGateway()
  gateway.call(1, 'look')
  gateway.call(2, 'look')
  await gateway.answer(1)
  await gateway.answer(2)
  expect(lists(gateway)).toHaveLength(1)
  expect(gateway.messages().map(({ id }) => id)).toEqual([1, 2])
})

test('the client’s own listing is learnt from', async () => {
  const gateway = startGateway()
  gateway.send(LIST)
  await gateway.answer('l')
  gateway.call(1, 'look')
  await gateway.answer(1)
  expect(lists(gateway)).toEqual([LIST])
})

test('the gateway follows every page', async () => {
  const gateway = startGateway(['--pages', '4'])
  gateway.call(1, 'raw', '{"text":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":$ID,\\"result\\":{}}\\n"}')
  await gateway.answer(1)
  expect(lists(gateway)).toHaveLength(4)
})

test('a listing of the client that lacks pages is not taken for the whole', async () => {
  const gateway = startGateway(['--pages', '2'])
  gateway.send(LIST)
  await gateway.answer('l')
  gateway.call(1, 'look')
  expect(await textOf(gateway, 1)).toBe('look done')
  expect(lists(gateway)).toHaveLength(3)
})

test('the client’s pages add up', async () => {
  const gateway = startGateway(['--pages', '2'])
  gateway.send(LIST)
  await gateway.answer('l')
  gateway.send('{"jsonrpc":"2.0","id":"m","method":"tools/list","params":{"cursor":"\\u0031"}}')
  await gateway.answer('m')
  gateway.call(1, 'look')
  await gateway.answer(1)
  expect(lists(gateway)).toHaveLength(2)
})

test('a listing that asks for less than all is not learnt from', async () => {
  const gateway = startGateway()
  gateway.send('{"jsonrpc":"2.0","id":"l","method":"tools/list","params":{"category":"x"}}')
  await gateway.answer('l')
  gateway.call(1, 'look')
  await gateway.answer(1)
  expect(lists(gateway)).toHaveLength(2)
})

test('a server that says its tools have changed is asked anew', async () => {
  const gateway = startGateway()
  gateway.call(1, 'look')
  await gateway.answer(1)
  await change(gateway)
  gateway.call(2, 'look')
  await gateway.answer(2)
  expect(lists(gateway)).toHaveLength(2)
})

test('a tool that the server does not list is refused with the nearest names, recorded, and never forwarded', async () => {
  const gateway = startGateway()
  gateway.call(1, 'wriet')
  expect(await textOf(gateway, 1)).toBe('The server lists no tool "wriet". Its nearest names: "write".\n\nNothing was executed.')
  expect(gateway.forwarded().join()).not.toContain('wriet')
  expect((await gateway.store.record.read(0, 10))[0]?.data).toMatchObject({
    verdict: 'refuse',
    tool: 'wriet',
    reasons: [{ code: 'unlisted_tool' }],
  })
})

test.each([
  ['a server without tools', ['--no-tools'], 'is not known: the server answered tools/list with an error: Method not found.'],
  ['a server that does not answer', ['--silent'], 'is not known: the server did not answer tools/list within 1500 ms.'],
  ['a name that stands twice', ['--twice'], 'more than once'],
])('%s: the call is refused, saying so', async (_, flags, said) => {
  const gateway = startGateway(flags, { timings: { listMs: 1_500 } })
  gateway.call(1, 'write')
  expect(await textOf(gateway, 1)).toContain(said)
  expect(gateway.forwarded().join()).not.toContain('tools/call')
})
