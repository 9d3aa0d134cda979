import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, onTestFinished, test } from 'vitest'
import { EVERYTHING_GATES, EVERYTHING_WALKED, walkEverything } from '../sdk-client.fixture.ts'
import { startFront } from './front/front.fixture.ts'
import type { Got, RunningFront } from './front/front.fixture.ts'
import { event, json, legacy, result, startEverything, startRemote, stream } from './remote/remote.fixture.ts'
import type { Remote } from './remote/remote.fixture.ts'

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
const textOf = (message: { result?: { content?: readonly { text: string }[] } } | undefined): string => message?.result?.content?.[0]?.text ?? ''

const before = ({ url }: Pick<Remote, 'url'>, more: Parameters<typeof startFront>[0] = {}): Promise<RunningFront> =>
  startFront({ target: { kind: 'url', url, headers: { authorization: 'Bearer ours' } }, ...more })

/** A request of the era without sessions, with the headers that it wants. */
function modern(
  front: RunningFront,
  id: unknown,
  method: string,
  params: Record<string, unknown> = {},
  more: Record<string, string> = {},
): Promise<Got> {
  const name = params['name'] as string | undefined
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(name !== undefined && { 'mcp-name': name }), ...more }
  return front.send({ headers, body: { jsonrpc: '2.0', id, method, params: { ...params, _meta: META } } })
}
const answered = async (got: Promise<Got>): Promise<Got> => {
  const { ended } = await got
  await ended
  return got
}

test('each session of a client is one of the server’s, and what the client sends as its own credentials goes nowhere', async () => {
  let begun = 0
  const remote = await startRemote(
    legacy((got, response) => {
      if (got.message.method !== 'initialize') return false
      result(response, got, { protocolVersion: '2025-11-25' }, { 'mcp-session-id': `s-${(begun += 1)}` })
      return true
    }),
  )
  const front = await before(remote)
  const mine = { authorization: 'Bearer mine', cookie: 'a=b', 'x-own': 'c' }
  const [one, two] = [await front.open(mine), await front.open()]
  expect(textOf(await one.result(1, 'look'))).toBe('look done')
  expect(textOf(await two.result(1, 'write'))).toContain('Call look first.')
  expect(textOf(await one.result(2, 'write'))).toBe('write done')
  const sessions = remote.of('tools/call').map(({ headers }) => headers['mcp-session-id'])
  expect(sessions).toEqual(['s-1', 's-1'])
  expect(one.id).not.toBe('s-1')
  for (const { headers } of remote.got) {
    expect(headers.authorization).toBe('Bearer ours')
    expect([headers.cookie, headers['x-own']]).toEqual([undefined, undefined])
  }
  await one.end()
  await expect.poll(() => remote.got.filter(({ method }) => method === 'DELETE').map(({ headers }) => headers['mcp-session-id'])).toEqual(['s-1'])
})

test('a session that the server has lost for good is gone for the client too', async () => {
  let isLost = false
  const remote = await startRemote(
    legacy((got, response) => {
      if (!isLost || got.method !== 'POST') return false
      json(response, { jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'Session not found' } }, 404)
      return true
    }),
  )
  const front = await before(remote)
  const session = await front.open()
  isLost = true
  expect((await session.result(1, 'look')).error?.message).toContain('Nothing was executed')
  await expect.poll(async () => (await session.post({ jsonrpc: '2.0', id: 2, method: 'ping' })).status).toBe(404)
})

/** A server without sessions. */
const sessionless = (own: Parameters<typeof legacy>[0] = () => false): Promise<Remote> =>
  startRemote((got, response, request) => {
    if (own(got, response, request) === true) return
    const tools = ['look', 'write', 'echo', 'hang'].map((name) => ({ name, inputSchema: { type: 'object' } }))
    if (got.message.method === 'tools/list') return result(response, got, { tools, resultType: 'complete', ttlMs: 0, cacheScope: 'private' })
    result(response, got, { content: [{ type: 'text', text: `${got.message.params?.name} done` }], resultType: 'complete' })
  })

test('without sessions marks are the principal’s, and the server is asked without a session', async () => {
  const remote = await sessionless()
  const front = await before(remote)
  expect(textOf((await answered(modern(front, 1, 'tools/call', { name: 'write' }))).messages()[0])).toContain('Call look first.')
  expect((await answered(modern(front, 1, 'tools/call', { name: 'look' }))).messages()[0]).toMatchObject({ id: 1, result: { resultType: 'complete' } })
  const got = await answered(modern(front, 'x', 'tools/call', { name: 'write' }))
  expect([got.status, got.headers['mcp-session-id'], got.messages()[0]?.id]).toEqual([200, undefined, 'x'])
  expect(remote.of('tools/call').map(({ message }) => message.params?.name)).toEqual(['look', 'write'])
  for (const { headers, message } of remote.got)
    expect([headers['mcp-session-id'], headers['mcp-method'], headers['mcp-protocol-version']]).toEqual([undefined, message.method, '2026-07-28'])
})

test('a header by which the host names its conversation parts the marks of one principal', async () => {
  const remote = await sessionless()
  const front = await before(remote, { sessionHeader: 'X-Chat' })
  const say = (name: string, chat?: string): Promise<Got> =>
    answered(modern(front, 1, 'tools/call', { name }, chat === undefined ? {} : { 'x-chat': chat }))
  await say('look', 'one')
  expect(textOf((await say('write', 'two')).messages()[0])).toContain('Call look first.')
  expect(textOf((await say('write', 'one')).messages()[0])).toBe('write done')
  for (const chat of [undefined, '', 'a b']) expect((await say('look', chat)).status).toBe(400)
  // Another gateway over the same store goes on where this one was.
  const next = await before(remote, { sessionHeader: 'x-chat', store: front.store })
  const got = await answered(modern(next, 1, 'tools/call', { name: 'write' }, { 'x-chat': 'one' }))
  expect(textOf(got.messages()[0])).toBe('write done')
})

test('a session of the protocol is found under the name that it was begun with only', async () => {
  const remote = await startRemote(legacy(() => false))
  const front = await before(remote, { sessionHeader: 'x-chat' })
  const one = await front.open({ 'x-chat': 'one' })
  await one.result(1, 'look')
  expect((await one.post({ jsonrpc: '2.0', id: 2, method: 'ping' }, { 'x-chat': 'two' })).status).toBe(404)
  const again = await front.open({ 'x-chat': 'one' })
  expect(textOf(await again.result(1, 'write'))).toBe('write done')
})

test('a cancel without a session is a closed response, and a message that says so cancels nobody', async () => {
  const remote = await sessionless((got) => got.message.params?.name === 'hang')
  const front = await before(remote, { http: { quietMs: 10 } })
  const got = await modern(front, 1, 'tools/call', { name: 'hang' })
  await expect.poll(() => remote.of('tools/call')).toHaveLength(1)
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, _meta: META } }
  expect((await front.send({ body: cancel })).status).toBe(202)
  await answered(modern(front, 2, 'tools/call', { name: 'look' }))
  const state = await Promise.race([got.ended.then(() => 'ended'), new Promise((resolve) => setTimeout(() => resolve('open'), 100))])
  expect(state).toBe('open')
})

test.each([
  [-32_601, 404],
  [-32_022, 400],
  [-32_602, 200],
])('an error %d of the server has the status %d', async (code, status) => {
  const remote = await sessionless((got, response) => {
    json(response, { jsonrpc: '2.0', error: { message: 'no', code }, id: got.message.id }, status)
    return true
  })
  const got = await answered(modern(await before(remote), 1, 'server/discover'))
  expect([got.status, got.messages()[0]?.error?.code]).toEqual([status, code])
})

test('a client that closes the response cancels, and a held call is over then', async () => {
  let closed = 0
  const remote = await sessionless((got, response) => {
    if (got.message.params?.name !== 'hang') return false
    stream(response)(event({ jsonrpc: '2.0', method: 'notifications/message', params: {} }))
    response.on('close', () => void (closed += 1))
    return true
  })
  const front = await before(remote, { http: { quietMs: 10 }, holdWaitMs: 60_000 })
  const running = await modern(front, 1, 'tools/call', { name: 'hang' })
  await expect.poll(() => remote.of('tools/call')).toHaveLength(1)
  running.leave()
  await expect.poll(() => closed).toBe(1)
  const held = await modern(front, 2, 'tools/call', { name: 'echo' })
  const { id } = await front.hold()
  held.leave()
  await expect.poll(async () => (await front.store.holds.get(id))?.status).toBe('cancelled')
  await answered(modern(front, 3, 'tools/call', { name: 'look' }))
  expect(remote.of('tools/call').map(({ message }) => message.params?.name)).toEqual(['hang', 'look'])
  expect(remote.of('notifications/cancelled')).toEqual([])
})

test('server-everything behind it, with the client of the SDK', { timeout: 30_000 }, async () => {
  const front = await before({ url: await startEverything() }, { gates: EVERYTHING_GATES, typing: { mode: 'strict' } })
  const client = new Client({ name: 'test', version: '1' })
  onTestFinished(() => client.close())
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${front.port}/mcp`)))
  expect(await walkEverything(client)).toEqual(EVERYTHING_WALKED)
})
