import { expect, test } from 'vitest'
import { event, json, result, startRemote, startRemoteGateway, stream } from './remote.fixture.ts'
import type { Got, Remote, RunningRemoteGateway } from './remote.fixture.ts'

const META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
const inputSchema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    limit: { type: 'integer', 'x-mcp-header': 'Limit' },
    nested: { type: 'object', properties: { on: { type: 'boolean', 'x-mcp-header': 'On' } } },
  },
}

/** Answers what a server of this era answers, unless the test's own handler returns true. */
async function modern(
  own: (got: Got, response: Parameters<Parameters<typeof startRemote>[0]>[1]) => boolean | void = () => false,
  more: Parameters<typeof startRemoteGateway>[1] = {},
): Promise<{ remote: Remote; gateway: RunningRemoteGateway }> {
  const remote = await startRemote((got, response) => {
    if (own(got, response) === true) return
    const wrong = { properties: { a: { type: ['string'], 'x-mcp-header': 'A' } } }
    const tools = [...['look', 'write'].map((name) => ({ name, inputSchema })), { name: 'wrong', inputSchema: { type: 'object', ...wrong } }]
    if (got.message.method === 'tools/list') return result(response, got, { tools, resultType: 'complete', ttlMs: 0, cacheScope: 'private' })
    result(response, got, { content: [], resultType: 'complete' })
  })
  return { remote, gateway: startRemoteGateway(remote.url, more) }
}

const request = (id: number, method: string, params = ''): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{${params}${params === '' ? '' : ','}${META}}}`
const mcpHeaders = ({ headers }: Got): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('mcp-')))

test('headers repeat what the message says, and no session is kept or ended', async () => {
  const { remote, gateway } = await modern()
  gateway.send(request(1, 'server/discover'), request(2, 'prompts/get', '"name":"é x"'), request(3, 'resources/read', '"uri":"file:///a"'))
  for (const id of [1, 2, 3]) await gateway.answer(id)
  gateway.input.end()
  expect(await gateway.exit).toBe(0)
  const version = { 'mcp-protocol-version': '2026-07-28' }
  expect(Object.fromEntries(remote.got.map((got) => [got.message.id, mcpHeaders(got)]))).toEqual({
    1: { ...version, 'mcp-method': 'server/discover' },
    2: { ...version, 'mcp-method': 'prompts/get', 'mcp-name': '=?base64?w6kgeA==?=' },
    3: { ...version, 'mcp-method': 'resources/read', 'mcp-name': 'file:///a' },
  })
})

test('arguments that a header mirrors are mirrored as they are sent, after the repair', async () => {
  const { remote, gateway } = await modern(() => false, { typing: { mode: 'strict' } })
  const args = '{"region":"Zürich ","limit":"10","nested":{"on":true}}'
  gateway.send(request(1, 'tools/call', `"name":"look","arguments":${args}`))
  expect((await gateway.answer(1)).result?.isError).toBeUndefined()
  const [call] = remote.of('tools/call')
  expect(call?.message.params?.arguments?.['limit']).toBe(10)
  expect(call === undefined ? {} : mcpHeaders(call)).toEqual({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'look',
    'mcp-param-region': `=?base64?${Buffer.from('Zürich ').toString('base64')}?=`,
    'mcp-param-limit': '10',
    'mcp-param-on': 'true',
  })
  // The gateway's own listing came first, as a request of the same era.
  expect(remote.got.map(({ message }) => message.method)).toEqual(['tools/list', 'tools/call'])
  expect(mcpHeaders(remote.of('tools/list')[0] as Got)['mcp-method']).toBe('tools/list')
})

test('a tool whose headers are declared wrongly is not called, as the protocol has it', async () => {
  const { remote, gateway } = await modern()
  gateway.send(request(1, 'tools/call', '"name":"wrong","arguments":{"a":"x"}'))
  expect((await gateway.answer(1)).error?.message).toBe(
    'The server declares headers of its tool "wrong" wrongly: x-mcp-header of a is not of one type that a header can carry. Nothing was executed.',
  )
  expect(remote.of('tools/call')).toEqual([])
})

test('a cancel closes the response, and the server is told nothing else', async () => {
  let closed = 0
  const { remote, gateway } = await modern((got, response) => {
    if (got.message.method !== 'tools/call') return false
    stream(response)(event({ jsonrpc: '2.0', method: 'notifications/progress', params: {} }))
    response.on('close', () => void (closed += 1))
    return true
  })
  gateway.send(request(1, 'tools/call', '"name":"look"'))
  await expect.poll(() => remote.of('tools/call')).toHaveLength(1)
  gateway.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}')
  await expect.poll(() => closed).toBe(1)
  gateway.send(request(2, 'prompts/list'))
  await gateway.answer(2)
  expect(remote.got.map(({ message }) => message.method)).toEqual(['tools/list', 'tools/call', 'prompts/list'])
  expect(gateway.messages().filter(({ id }) => id === 1)).toEqual([])
})

test('a refusal says that it is complete', async () => {
  const { remote, gateway } = await modern()
  gateway.send(request(1, 'tools/call', '"name":"write"'))
  expect((await gateway.answer(1)).result).toMatchObject({ isError: true, resultType: 'complete' })
  expect(remote.of('tools/call')).toEqual([])
})

test('an error of the server under its status comes as it is; one under no id is told in words', async () => {
  const { gateway } = await modern((got, response) => {
    const id = got.message.method === 'ping' ? null : got.message.id
    json(response, { jsonrpc: '2.0', id, error: { code: -32_022, message: 'not that version', data: { supported: ['x'] } } }, 400)
    return true
  })
  gateway.send(request(1, 'server/discover'), request(2, 'ping'))
  expect((await gateway.answer(1)).error).toEqual({ code: -32_022, message: 'not that version', data: { supported: ['x'] } })
  expect((await gateway.answer(2)).error?.message).toContain('refused the message (400 Bad Request: not that version)')
})
