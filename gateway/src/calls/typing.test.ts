import { expect, test } from 'vitest'
import { startGateway } from '../stdio/gateway.fixture.ts'

const TYPED = { typing: { mode: 'strict' } } as const

test('a repair changes the text of the repaired value alone', async () => {
  const gateway = startGateway([], TYPED)
  const line = (limit: string): string =>
    `{"id":1, "jsonrpc":"2.0","method":"tools/call","params":{ "arguments" : {"big":[1.0,9007199254740993],"l\\u0069mit" :${limit}, "text":"\\u00e9" },"name":"look","x":1e2}}`
  gateway.send(line('"12"'))
  await gateway.answer(1)
  expect(gateway.forwarded().at(-1)).toBe(line('12'))
})

test('a call whose arguments fit is forwarded as it came', async () => {
  const gateway = startGateway([], TYPED)
  gateway.call(1, 'look', '{ "limit" : 12, "text":"12" }')
  await gateway.answer(1)
  expect(gateway.forwarded().at(-1)).toContain('"arguments":{ "limit" : 12, "text":"12" }')
})

test('what cannot be repaired is refused and never forwarded', async () => {
  const gateway = startGateway([], TYPED)
  gateway.call(1, 'look', '{"limit":"twelve"}')
  expect((await gateway.answer(1)).result?._meta?.['dev.callgate/decision']).toMatchObject({
    cause: 'arguments',
    reasons: [{ policy: 'schema-typist', pointer: '/arguments/limit' }],
  })
  expect(gateway.forwarded().join()).not.toContain('twelve')
})

test('without typing no argument is changed', async () => {
  const gateway = startGateway()
  gateway.call(1, 'look', '{"limit":"12"}')
  await gateway.answer(1)
  expect(gateway.forwarded().at(-1)).toContain('{"limit":"12"}')
})

test('the repaired arguments are what a person sees and what runs', async () => {
  const gateway = startGateway([], { ...TYPED, timings: { holdPollMs: 20 } })
  gateway.call(1, 'echo', '{"limit":"12"}')
  const hold = await gateway.hold()
  expect(hold.args).toBe('{"limit":12}')
  await gateway.approve(hold.id)
  await gateway.answer(1)
  expect(gateway.forwarded().at(-1)).toContain('"arguments":{"limit":12}')
})
