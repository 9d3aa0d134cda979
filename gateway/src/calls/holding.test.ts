import { expect, test } from 'vitest'
import { startGateway } from '../stdio/gateway.fixture.ts'
import type { RunningGateway } from '../stdio/gateway.fixture.ts'

const FAST = { holdWaitMs: 300, holdWaitProgressMs: 600, timings: { holdPollMs: 20, progressMs: 100 } }
const PATIENT = { holdWaitMs: 20_000, holdWaitProgressMs: 20_000, timings: { holdPollMs: 20, progressMs: 100 } }
const TOKEN = ',"_meta":{"progressToken":"\\u0074ok"}'
const echoes = (gateway: RunningGateway): readonly string[] => gateway.forwarded().filter((line) => line.includes('"echo"'))
const textOf = async (gateway: RunningGateway, id: number | string): Promise<string> =>
  (await gateway.answer(id)).result?.content?.[0]?.text ?? ''
const pong = async (gateway: RunningGateway): Promise<void> => {
  gateway.send('{"jsonrpc":"2.0","id":"pong","method":"ping"}')
  await gateway.answer('pong')
}

test('a held call is not forwarded; its wait ends in an error result that names the approval and the way on', async () => {
  const gateway = startGateway([], FAST)
  gateway.call(1, 'echo', '{"text":"a"}')
  const { result } = await gateway.answer(1)
  const { id } = await gateway.hold()
  expect(result?.isError).toBe(true)
  expect(result?.content?.[0]?.text).toBe(
    `Waiting for approval ${id}. Nothing was executed. Call the same tool again with the same arguments after approval.`,
  )
  expect(result?._meta?.['dev.callgate/decision']).toMatchObject({
    verdict: 'held',
    hold: id,
    rule: 'confirm',
    question: 'Echo this?',
  })
  expect(echoes(gateway)).toEqual([])
})

test('the identical call spends a yes once, and the next one is held anew', async () => {
  const gateway = startGateway([], FAST)
  gateway.call(1, 'echo', '{"text":"a"}')
  await gateway.answer(1)
  const { id } = await gateway.hold()
  await gateway.approve(id)
  gateway.call(2, 'echo', '{ "text" : "a" }')
  expect(await textOf(gateway, 2)).toContain('"id":2')
  gateway.call(3, 'echo', '{"text":"a"}')
  expect(await textOf(gateway, 3)).toContain('Waiting for approval')
  expect((await gateway.hold()).id).not.toBe(id)
  expect(echoes(gateway)).toHaveLength(1)
})

test('a yes given while the call waits runs it at once', async () => {
  const gateway = startGateway([], PATIENT)
  gateway.call(1, 'echo', '{"text":"a"}')
  await gateway.approve((await gateway.hold()).id)
  expect(await textOf(gateway, 1)).toContain('"id":1')
  expect(echoes(gateway)).toHaveLength(1)
})

test('a no is told as such, and nothing runs', async () => {
  const gateway = startGateway([], PATIENT)
  gateway.call(1, 'echo')
  await gateway.approve((await gateway.hold()).id, 'deny')
  expect((await gateway.answer(1)).result?._meta?.['dev.callgate/decision']).toMatchObject({
    verdict: 'refused',
    cause: 'denied',
  })
  expect(echoes(gateway)).toEqual([])
})

test('a held call tells a client that listens that it waits, under the token as it was written, in growing steps below any of the server’s', async () => {
  const gateway = startGateway([], FAST)
  gateway.call(1, 'echo', '{}', TOKEN)
  await gateway.answer(1)
  const told = gateway.messages().filter(({ method }) => method === 'notifications/progress')
  expect(told.length).toBeGreaterThanOrEqual(4)
  const steps = told.map(({ params }) => params?.progress ?? 1)
  expect(steps.every((step, index) => step < 1e-6 && step > (steps[index - 1] ?? 0))).toBe(true)
  expect(told[0]?.params?.message).toMatch(/^Waiting for approval \S+: Echo this\?$/)
  expect(gateway.received()).toContain('"progressToken":"\\u0074ok"')
})

test('without a token no progress is told', async () => {
  const gateway = startGateway([], FAST)
  gateway.call(1, 'echo')
  await gateway.answer(1)
  expect(gateway.messages().filter(({ method }) => method === 'notifications/progress')).toEqual([])
})

test('a held call blocks only itself', async () => {
  const gateway = startGateway([], PATIENT)
  gateway.call(1, 'echo')
  await gateway.hold()
  gateway.call(2, 'look')
  expect(await textOf(gateway, 2)).toBe('look done')
})

test('a cancel of a held call ends its hold, is not forwarded, and gets no answer', async () => {
  const gateway = startGateway([], PATIENT)
  gateway.call('h', 'echo')
  const { id } = await gateway.hold()
  gateway.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"\\u0068"}}')
  await expect.poll(async () => (await gateway.store.holds.get(id))?.status).toBe('cancelled')
  await pong(gateway)
  expect(gateway.forwarded().join()).not.toContain('cancelled')
  expect(gateway.messages().filter((message) => message.id === 'h')).toEqual([])
})

test('a cancel before the decision keeps the call from running', async () => {
  const gateway = startGateway()
  gateway.send(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look"}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
  )
  gateway.call(2, 'look')
  await gateway.answer(2)
  expect(gateway.forwarded().filter((line) => line.includes('"look"'))).toHaveLength(1)
  expect(gateway.messages().filter(({ id }) => id === 1)).toEqual([])
})

test('a cancel of a forwarded call goes on as it came; an answer that comes is not passed on, and what comes after it is', async () => {
  const gateway = startGateway()
  gateway.call(1, 'hang')
  await expect.poll(() => gateway.forwarded().join()).toContain('"hang"')
  const cancel = '{"method":"notifications/cancelled","jsonrpc":"2.0","params":{"requestId":1.0}}'
  gateway.send(cancel)
  gateway.call(
    2,
    'raw',
    JSON.stringify({ text: '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}\n{"jsonrpc":"2.0","id":$ID,"result":{}}\n' }),
  )
  await gateway.answer(2)
  expect(gateway.forwarded()).toContain(cancel)
  expect(gateway.messages().map(({ id }) => id)).toEqual([2])
})

test('a tool whose definition changes while a call waits is not run on the old yes', async () => {
  const gateway = startGateway([], PATIENT)
  gateway.call(1, 'echo')
  const { id } = await gateway.hold()
  gateway.send('{"jsonrpc":"2.0","method":"notifications/test/change"}')
  await gateway.next(({ method }) => method === 'notifications/tools/list_changed')
  await gateway.approve(id)
  expect(await textOf(gateway, 1)).toContain('has changed its tool "echo"')
  expect((await gateway.store.holds.get(id))?.count).toBe(0)
  expect(echoes(gateway)).toEqual([])
})

test('what is sent beside the arguments is part of what a yes is bound to, the progress token is not', async () => {
  const gateway = startGateway([], FAST)
  gateway.call(1, 'echo', '{}', TOKEN)
  await gateway.answer(1)
  const { id } = await gateway.hold()
  await gateway.approve(id)
  gateway.call(2, 'echo', '{}', ',"_meta":{"k":1}')
  expect(await textOf(gateway, 2)).toContain('Waiting for approval')
  gateway.call(3, 'echo', '{}', ',"_meta":{"progressToken":9}')
  expect(await textOf(gateway, 3)).toContain('"id":3')
})
