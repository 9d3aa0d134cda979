import { expect, test } from 'vitest'
import { event, freePort, json, legacy, result, startRemote, startRemoteGateway, stream } from './remote.fixture.ts'
import type { Got, Remote, RunningRemoteGateway } from './remote.fixture.ts'

const ping = (id: number | string): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"ping"}`
const errorOf = async (gateway: RunningRemoteGateway, id: number | string): Promise<string> =>
  (await gateway.answer(id)).error?.message ?? ''
const outcomesOf = async ({ store }: RunningRemoteGateway): Promise<readonly unknown[]> =>
  (await store.record.read(0, 1_000)).filter(({ kind }) => kind === 'outcome').map(({ data }) => data['outcome'])

async function opened(
  own: Parameters<typeof legacy>[0] = () => false,
  more: Parameters<typeof startRemoteGateway>[1] = {},
): Promise<{ remote: Remote; gateway: RunningRemoteGateway }> {
  const remote = await startRemote(legacy(own))
  const gateway = startRemoteGateway(remote.url, more)
  await gateway.open()
  return { remote, gateway }
}

test('a session: its id and its version go with every message, and it is ended at the end', async () => {
  const { remote, gateway } = await opened()
  gateway.call(1, 'look')
  await gateway.answer(1)
  gateway.input.end()
  expect(await gateway.exit).toBe(0)
  const head = ({ method, headers, message }: Got): unknown => [
    message.method ?? method,
    headers['mcp-session-id'],
    headers['mcp-protocol-version'],
  ]
  const session = ['session-1', '2025-11-25']
  expect(remote.got.map(head)).toEqual([
    ['initialize', undefined, undefined],
    ['notifications/initialized', ...session],
    ...[['GET', ...session], ['tools/list', ...session]].toSorted(() => (remote.got[2]?.method === 'GET' ? 0 : -1)),
    ['tools/call', ...session],
    ['DELETE', ...session],
  ])
  expect(remote.of('tools/call')[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  })
})

test('the server gets the client’s bytes, and the client the server’s', async () => {
  const { remote, gateway } = await opened((got, response) => {
    if (got.message.method !== 'ping') return false
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{\r\n "jsonrpc": "2.0",\n "id": 7, "result": {"n": 1.0, "é": 9007199254740993, "n": "\\u00e9"} }\n')
    return true
  })
  const line = '{"jsonrpc":"2.0",  "id":7,"method":"ping","params":{"x":1.0,"x ":9007199254740993},"more":"\\u00e9"}'
  gateway.send(line)
  await gateway.answer(7)
  expect(remote.of('ping')[0]?.body).toBe(line)
  expect(gateway.received()).toContain(
    '{   "jsonrpc": "2.0",  "id": 7, "result": {"n": 1.0, "é": 9007199254740993, "n": "\\u00e9"} } \n',
  )
})

test('of an event stream each message is a line, in order, the answer with the rest; what is no message is dropped', async () => {
  const { gateway } = await opened((got, response) => {
    if (got.message.method !== 'ping') return false
    const send = stream(response)
    send('id: 0\ndata:\n\n: hello\n\n')
    send(event({ jsonrpc: '2.0', method: 'notifications/message', params: { n: 1 } }))
    send('event: other\ndata: {"jsonrpc":"2.0","method":"no"}\n\n')
    send('data: {"jsonrpc":"2.0",\ndata: "id":1,\ndata: "result":{}}\n\n')
    response.end()
    return true
  })
  gateway.send(ping(1))
  await gateway.answer(1)
  expect(gateway.messages().slice(1)).toEqual([
    { jsonrpc: '2.0', method: 'notifications/message', params: { n: 1 } },
    { jsonrpc: '2.0', id: 1, result: {} },
  ])
})

test('rules hold before a server over HTTP: what is refused is never posted', async () => {
  const { remote, gateway } = await opened()
  gateway.call(1, 'write')
  expect((await gateway.answer(1)).result?.content?.[0]?.text).toContain('Call look first.')
  gateway.call(2, 'look')
  await gateway.answer(2)
  gateway.call(3, 'write')
  expect((await gateway.answer(3)).result?.isError).toBeUndefined()
  expect(remote.of('tools/call').map(({ message }) => message.params?.name)).toEqual(['look', 'write'])
})

test('credentials go with every request', async () => {
  const remote = await startRemote(legacy(() => false))
  const gateway = startRemoteGateway(remote.url, { headers: { Authorization: 'Bearer t-1', 'X-Tenant': 'a' } })
  await gateway.open()
  gateway.call(1, 'look')
  await gateway.answer(1)
  gateway.input.end()
  await gateway.exit
  expect(remote.got.map(({ method }) => method)).toEqual(expect.arrayContaining(['POST', 'GET', 'DELETE']))
  for (const { headers } of remote.got) expect([headers.authorization, headers['x-tenant']]).toEqual(['Bearer t-1', 'a'])
})

test.each<readonly [string, { readonly headers?: Record<string, string>; readonly url?: string }, string]>([
  ['no URL', { url: 'server' }, 'must be one over http'],
  ['another scheme', { url: 'ftp://127.0.0.1/' }, 'must be one over http'],
  ['a user in the URL', { url: 'http://ann:secret@127.0.0.1/' }, 'carries a user'],
  ['a header of the gateway’s own', { headers: { 'Mcp-Session-Id': 'x' } }, 'writes itself'],
  ['a header with a line break', { headers: { a: 'secret\r\nb: c' } }, 'no header can carry'],
  ['a name that is none', { headers: { 'a b': 'c' } }, 'HTTP does not know'],
])('%s: nothing starts, and no secret is shown', (_, { url = 'http://127.0.0.1:1/', headers = {} }, said) => {
  const run = (): unknown => startRemoteGateway(url, { headers })
  expect(run).toThrow(said)
  expect(run).not.toThrow('secret')
})

test('a server that is not there: the request is answered, and the client may try again', async () => {
  const port = await freePort()
  const gateway = startRemoteGateway(`http://127.0.0.1:${port}/mcp?key=secret`)
  for (const id of [1, 2]) {
    gateway.send(`{"jsonrpc":"2.0","id":${id},"method":"initialize","params":{}}`)
    expect(await errorOf(gateway, id)).toBe(
      `The server at http://127.0.0.1:${port}/mcp could not be reached (ECONNREFUSED). Is it running? Nothing was executed.`,
    )
  }
  gateway.input.end()
  expect(await gateway.exit).toBe(0)
})

test('a server that speaks no TLS where it is wanted has got nothing', async () => {
  const remote = await startRemote(legacy(() => false))
  const gateway = startRemoteGateway(remote.url.replace('http:', 'https:'))
  gateway.send(ping(1))
  expect(await errorOf(gateway, 1)).toMatch(/could not be reached \(.+\)\. Is it running\? Nothing was executed\.$/)
  expect(remote.got).toEqual([])
})

test.each([
  [401, 'refused the message (401 Unauthorized: no token). It wants other credentials: set them under server.headers', 'failed'],
  [403, 'refused the message (403 Forbidden: no token). It forbids this', 'failed'],
  [400, 'refused the message (400 Bad Request: no token). Nothing was executed.', 'failed'],
  [429, 'It is asked too much', 'failed'],
  [307, 'redirects to http://127.0.0.1:1/elsewhere (307), which is not followed', 'failed'],
  [303, 'whether it was carried out is unknown', 'unknown'],
  [500, 'failed (500 Internal Server Error: no token). The call had been sent to it: whether it was carried out is unknown.', 'unknown'],
  [502, 'whether it was carried out is unknown', 'unknown'],
  [202, 'took the message and sent no answer to it (202). The call had been sent to it: whether', 'unknown'],
])('status %d to a call is an error that says what and what next; the record says so', async (status, said, outcome) => {
  const { gateway, remote } = await opened((got, response) => {
    if (got.message.method !== 'tools/call') return false
    json(response, { jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'no token' } }, status, {
      location: 'http://127.0.0.1:1/elsewhere?key=secret',
    })
    return true
  })
  gateway.call(1, 'look')
  expect(await errorOf(gateway, 1)).toContain(said)
  expect(gateway.received()).not.toContain('secret')
  expect(remote.of('tools/call')).toHaveLength(1)
  await expect.poll(() => outcomesOf(gateway)).toEqual([outcome])
  gateway.call(2, 'write')
  expect((await gateway.answer(2)).result?.content?.[0]?.text).toContain('Call look first.')
})

test('404 of a server that gave no session is no lost session: nothing is sent again', async () => {
  const { gateway, remote } = await opened((got, response) => {
    if (got.message.method === 'initialize') result(response, got, { protocolVersion: '2025-11-25' })
    else if (got.message.method === 'tools/call') json(response, { error: 'not found' }, 404)
    else return false
    return true
  })
  gateway.call(1, 'look')
  expect(await errorOf(gateway, 1)).toContain('refused the message (404 Not Found). Look at the path of the URL. Nothing was executed.')
  expect([remote.of('tools/call').length, remote.of('initialize').length]).toEqual([1, 1])
})

test('a server’s own error comes as it is, whatever the status', async () => {
  const { gateway } = await opened((got, response) => {
    if (got.message.method !== 'ping') return false
    json(response, { jsonrpc: '2.0', id: 1, error: { code: -32_601, message: 'no such method', data: { a: 1 } } }, 404)
    return true
  })
  gateway.send(ping(1))
  expect((await gateway.answer(1)).error).toEqual({ code: -32_601, message: 'no such method', data: { a: 1 } })
})

test('a connection that breaks in a call: the outcome is unknown, and nothing is sent again', async () => {
  const { gateway, remote } = await opened((got, response) => {
    if (got.message.method !== 'tools/call') return false
    response.destroy()
    return true
  })
  gateway.call(1, 'look')
  expect(await errorOf(gateway, 1)).toMatch(/ broke before its answer \(.+\)\. The call had been sent to it: whether it was carried out is unknown\.$/)
  await expect.poll(() => outcomesOf(gateway)).toEqual(['unknown'])
  expect(remote.of('tools/call')).toHaveLength(1)
})

test('a quiet answer is waited for, although no connection may be idle that long', async () => {
  const { gateway } = await opened(
    (got, response) => {
      if (got.message.method !== 'tools/call') return false
      setTimeout(() => result(response, got, { content: [] }), 400)
      return true
    },
    { freeSocketMs: 20 },
  )
  gateway.call(1, 'look')
  expect((await gateway.answer(1)).result?.content).toEqual([])
})

test('a message over the bound ends its exchange, not the connection', async () => {
  const { gateway } = await opened(
    (got, response) => {
      if (got.message.method !== 'ping' || got.message.id === 3) return false
      const big = { jsonrpc: '2.0', id: got.message.id, result: { text: 'x'.repeat(3_000) } }
      if (got.message.id === 1) json(response, big)
      else stream(response)(event(big))
      return true
    },
    { limits: { lineBytes: 2_000 } },
  )
  for (const id of [1, 2]) {
    gateway.send(ping(id))
    expect(await errorOf(gateway, id)).toContain('its message has more than 2000 bytes')
  }
  gateway.send(ping(3))
  expect((await gateway.answer(3)).error).toBeUndefined()
})

test('a client that reads slowly slows the server down', async () => {
  let written = 0
  const { gateway } = await opened((got, response) => {
    if (got.message.method !== 'ping') return false
    const send = stream(response)
    const go = (): void => {
      for (; written < 400; written += 1) {
        send(event({ jsonrpc: '2.0', method: 'n', params: 'x'.repeat(100_000) }))
        if (response.writableNeedDrain) {
          written += 1
          return void response.once('drain', go)
        }
      }
      response.end(event({ jsonrpc: '2.0', id: 1, result: {} }))
    }
    go()
    return true
  })
  gateway.output.pause()
  gateway.send(ping(1))
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(written).toBeLessThan(200)
  gateway.output.resume()
  await expect.poll(() => gateway.received().endsWith('"id":1,"result":{}}\n'), { timeout: 8_000 }).toBe(true)
  expect(gateway.received().match(/"method":"n"/g)).toHaveLength(400)
})

test('when the client closes, an answer in flight still comes; one that does not is answered as unknown', async () => {
  const { gateway } = await opened(
    (got, response) => {
      if (got.message.params?.name === 'hang') return true
      if (got.message.method !== 'tools/call') return false
      setTimeout(() => result(response, got, { content: [] }), 100)
      return true
    },
    { timings: { drainMs: 300 } },
  )
  gateway.call(1, 'look')
  gateway.call(2, 'hang')
  gateway.input.end()
  expect(await gateway.exit).toBe(0)
  expect((await gateway.answer(1)).result?.content).toEqual([])
  expect(await errorOf(gateway, 2)).toContain('whether it was carried out is unknown')
  expect(gateway.messages()).toHaveLength(3)
})

test('told to end, the gateway answers what waits and ends its session', async () => {
  const { gateway, remote } = await opened((got) => got.message.params?.name === 'hang')
  gateway.call(1, 'hang')
  await expect.poll(() => remote.of('tools/call')).toHaveLength(1)
  gateway.stop()
  expect(await gateway.exit).toBe(0)
  expect(await errorOf(gateway, 1)).toContain('whether it was carried out is unknown')
  expect(remote.got.at(-1)?.method).toBe('DELETE')
})
