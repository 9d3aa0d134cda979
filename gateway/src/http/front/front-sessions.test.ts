import { expect, test } from 'vitest'
import { startFront } from './front.fixture.ts'

const textOf = (message: { result?: { content?: readonly { text: string }[] } }): string => message.result?.content?.[0]?.text ?? ''
const ping = (id: unknown): unknown => ({ jsonrpc: '2.0', id, method: 'ping' })

test('a session is a server of its own, and marks live in it', async () => {
  const front = await startFront()
  const [one, two] = [await front.open(), await front.open()]
  expect(one.id).not.toBe(two.id)
  expect(textOf(await one.result(1, 'write'))).toContain('Call look first.')
  expect(textOf(await one.result(2, 'look'))).toBe('look done')
  expect(textOf(await one.result(3, 'write'))).toBe('write done')
  expect(textOf(await two.result(1, 'write'))).toContain('Call look first.')
  const called = front.forwarded().filter((line) => line.includes('tools/call'))
  expect(called.map((line) => (JSON.parse(line) as { params: { name: string } }).params.name)).toEqual(['look', 'write'])
})

test('an answer is a stream, or JSON for who wants nothing else, under the id as the client wrote it', async () => {
  const front = await startFront()
  const session = await front.open()
  const body = '{"jsonrpc":"2.0",  "id":"\\u00e9","method":"ping"}'
  const answer = '{"jsonrpc":"2.0","id":"\\u00e9","result":{}}'
  const stream = await session.post(body)
  await stream.ended
  expect([stream.status, stream.headers['content-type'], stream.text()]).toEqual([200, 'text/event-stream', `data: ${answer}\n\n`])
  const json = await session.post(body, { accept: 'application/json' })
  await json.ended
  expect([json.status, json.headers['content-type'], json.text()]).toEqual([200, 'application/json', `${answer}\n`])
})

test('an answer that is slow is a stream, with comments while nothing is to be said', async () => {
  const front = await startFront({ http: { commentMs: 50 } })
  const session = await front.open()
  const got = await session.call(1, 'echo')
  expect([got.status, got.headers['content-type'], got.headers['x-accel-buffering']]).toEqual([200, 'text/event-stream', 'no'])
  await expect.poll(() => got.text().match(/^: waiting$/gm)?.length ?? 0).toBeGreaterThan(2)
  await front.approve((await front.hold()).id)
  await got.ended
  expect(got.messages().map(({ id }) => id)).toEqual([1])
})

test('clients that give each request the same id get each its own answer', async () => {
  const front = await startFront()
  const session = await front.open()
  const slow = session.call(1, 'echo', { n: 'slow' })
  const { id } = await front.hold()
  expect(textOf(await session.result(1, 'look'))).toBe('look done')
  await front.approve(id)
  const got = await slow
  await got.ended
  expect(textOf(got.messages().at(-1) ?? {})).toContain('slow')
})

test('progress goes to the call that it is about, under its own token', async () => {
  const front = await startFront({ timings: { progressMs: 30, holdPollMs: 10 } })
  const session = await front.open()
  const first = await session.call(1, 'echo', { n: 'a' }, { progressToken: 'same' })
  const second = await session.call(1, 'echo', { n: 'b' }, { progressToken: 'same' })
  for (const got of [first, second]) {
    await expect.poll(() => got.messages().length).toBeGreaterThan(1)
    expect(got.messages().every(({ method, params }) => method === 'notifications/progress' && params?.progressToken === 'same')).toBe(true)
  }
  const questions = [first, second].map((got) => /approval (\S+):/.exec(got.messages()[0]?.params?.message ?? '')?.[1])
  expect(new Set(questions).size).toBe(2)
})

test('what the server asks in a call comes on the call’s stream, and the answer goes back to it', async () => {
  const front = await startFront()
  const session = await front.open()
  const text = '{"jsonrpc":"2.0","id":3,"method":"roots/list"}\n'
  const got = await session.call(9, 'raw', { text })
  await expect.poll(() => got.messages()).toEqual([{ jsonrpc: '2.0', id: 3, method: 'roots/list' }])
  const told = await session.post({ jsonrpc: '2.0', id: 3, result: { roots: [] } })
  expect(told.status).toBe(202)
  await expect.poll(() => front.forwarded().at(-1)).toBe('{"jsonrpc":"2.0","id":3,"result":{"roots":[]}}')
})

test('what answers nothing comes on the stream that the client keeps open, and is kept until there is one', async () => {
  const front = await startFront()
  const session = await front.open()
  expect((await session.post({ jsonrpc: '2.0', method: 'notifications/test/change' })).status).toBe(202)
  await expect.poll(() => front.forwarded().at(-1)).toContain('test/change')
  // The answer to what came later says that the change was said by now.
  const late = await session.post(ping(1), { accept: 'application/json' })
  await late.ended
  const stream = await session.get()
  const change = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
  await expect.poll(() => stream.messages()).toEqual([change])
  await session.post({ jsonrpc: '2.0', method: 'notifications/test/change' })
  await expect.poll(() => stream.messages()).toEqual([change, change])
})

test('a cancel names the request that it means, and ends its stream', async () => {
  const front = await startFront()
  const session = await front.open()
  const got = await session.call('mine', 'hang')
  await expect.poll(() => front.forwarded().join()).toContain('"hang"')
  await session.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'mine', reason: 'r' } })
  await got.ended
  expect(got.messages()).toEqual([])
  await expect.poll(() => front.forwarded().at(-1)).toMatch(/"method":"notifications\/cancelled","params":\{"requestId":\d+,"reason":"r"\}/)
  const [cancel, call] = [front.forwarded().at(-1), front.forwarded().find((line) => line.includes('"hang"'))]
  expect((JSON.parse(cancel ?? '') as { params: { requestId: number } }).params.requestId).toBe((JSON.parse(call ?? '') as { id: number }).id)
  const unknown = await session.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'mine' } })
  expect([unknown.status, front.forwarded().filter((line) => line.includes('cancelled')).length]).toEqual([202, 1])
})

test('an ended session is gone, its server too', async () => {
  const front = await startFront()
  const session = await front.open()
  const stream = await session.get()
  expect((await session.end()).status).toBe(204)
  await stream.ended
  for (const got of [await session.post(ping(1)), await session.get(), await session.end()]) {
    await got.ended
    expect([got.status, got.messages()[0]?.error?.code]).toEqual([404, -32_001])
  }
})

test('a session that nobody uses is ended, one whose stream is open is not', async () => {
  const front = await startFront({ http: { idleMs: 300 } })
  const [idle, used] = [await front.open(), await front.open()]
  await used.get()
  await expect.poll(async () => (await front.send({ method: 'GET', headers: { 'mcp-session-id': idle.id, accept: 'x' } })).status, { timeout: 5_000, interval: 100 }).toBe(404)
  expect((await used.post(ping(1))).status).toBe(200)
})

test('a call whose client is gone keeps no session that nobody uses', async () => {
  const front = await startFront({ http: { idleMs: 300 } })
  const session = await front.open()
  const got = await session.call(1, 'hang')
  await expect.poll(() => front.forwarded().join()).toContain('"hang"')
  got.leave()
  const isGone = async (): Promise<number> => (await front.send({ method: 'GET', headers: { 'mcp-session-id': session.id, accept: 'x' } })).status
  await expect.poll(isGone, { timeout: 5_000, interval: 100 }).toBe(404)
})

test('an answer may take longer than a body may', async () => {
  const front = await startFront({ http: { bodyMs: 200 } })
  const session = await front.open()
  const got = await session.call(1, 'echo')
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  await front.approve((await front.hold()).id)
  await got.ended
  expect(textOf(got.messages().at(-1) ?? {})).toContain('"echo"')
})

test('there are no more sessions than the bound, and ended ones make room', async () => {
  const front = await startFront({ http: { sessions: 1 } })
  const session = await front.open()
  const refused = await front.send({ body: { jsonrpc: '2.0', id: 7, method: 'initialize', params: {} } })
  await refused.ended
  expect([refused.status, refused.headers['retry-after'], refused.messages()[0]?.id]).toEqual([503, '60', 7])
  await session.end()
  await expect.poll(async () => (await front.open()).id, { timeout: 5_000 }).not.toBe('undefined')
})

test('a server that dies: every request is answered, and its session is gone', async () => {
  const front = await startFront()
  const session = await front.open()
  const waiting = session.call(1, 'hang')
  await expect.poll(() => front.forwarded().join()).toContain('"hang"')
  expect((await session.result(2, 'die')).error?.message).toContain('The server has ended (exit code 3).')
  const hung = await waiting
  await hung.ended
  expect(hung.messages()[0]?.error?.message).toContain('whether it was carried out is unknown')
  await expect.poll(async () => (await session.post(ping(3))).status).toBe(404)
})

test('told to end, the gateway takes nothing new, waits for what is in flight, and ends its servers', async () => {
  const front = await startFront()
  const session = await front.open()
  const stream = await session.get()
  const held = await session.call(1, 'echo')
  const hung = await session.call(2, 'hang')
  await front.hold()
  front.stop()
  expect((await front.send({ path: '/healthz', method: 'GET' }).catch(() => undefined))?.status ?? 503).toBe(503)
  await Promise.all([held.ended, hung.ended, stream.ended])
  expect(textOf(held.messages().at(-1) ?? {})).toContain('Waiting for approval')
  expect(hung.messages().at(-1)?.error?.message).toContain('whether it was carried out is unknown')
  expect(await front.exit).toBe(0)
})

test('clients without sessions share one server, and each gets its own answers, whatever ids they choose', async () => {
  const front = await startFront({ http: { quietMs: 10 } })
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', progressToken: 1 }
  const call = (name: string, args: Record<string, unknown>): ReturnType<typeof front.send> =>
    front.send({
      headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta } },
    })
  const held = await Promise.all(['a', 'b', 'c'].map((text) => call('echo', { text })))
  const refused = await call('write', {})
  await refused.ended
  expect(refused.messages().at(-1)?.result).toMatchObject({ isError: true, resultType: 'complete' })
  await expect.poll(async () => (await front.store.holds.list({ limit: 10, statuses: ['pending'] })).length).toBe(3)
  for (const { id } of await front.store.holds.list({ limit: 10, statuses: ['pending'] })) await front.approve(id)
  await Promise.all(held.map(({ ended }) => ended))
  expect(held.map((got) => /"text":\\?"(\w)/.exec(textOf(got.messages().at(-1) ?? {}))?.[1])).toEqual(['a', 'b', 'c'])
  expect(held.every((got) => got.messages().at(-1)?.id === 1)).toBe(true)
  const ids = front.forwarded().flatMap((line) => (line.includes('"echo"') ? [(JSON.parse(line) as { id: number }).id] : []))
  expect(new Set(ids).size).toBe(3)
})
