import { expect, test } from 'vitest'
import { event, json, legacy, result, startRemote, startRemoteGateway, stream } from './remote.fixture.ts'
import type { Remote, RunningRemoteGateway } from './remote.fixture.ts'

const notice = (n: number): unknown => ({ jsonrpc: '2.0', method: 'notifications/message', params: { n } })

async function opened(own: Parameters<typeof legacy>[0]): Promise<{ remote: Remote; gateway: RunningRemoteGateway }> {
  const remote = await startRemote(legacy(own))
  const gateway = startRemoteGateway(remote.url)
  await gateway.open()
  return { remote, gateway }
}

const notices = (gateway: RunningRemoteGateway): readonly unknown[] =>
  gateway.messages().flatMap(({ method, params }) => (method === 'notifications/message' ? [(params as { n: number }).n] : []))

test('the server’s own stream is heard, and opened anew where it ended, after what the server asks for', async () => {
  let opens = 0
  const { remote, gateway } = await opened((got, response) => {
    if (got.method !== 'GET') return false
    opens += 1
    stream(response)(`retry: 10\n${event(notice(opens), `e${opens}`)}`)
    if (opens < 3) response.end()
    return true
  })
  await expect.poll(() => notices(gateway)).toEqual([1, 2, 3])
  const gets = remote.got.filter(({ method }) => method === 'GET')
  expect(gets.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'e1', 'e2'])
  expect(gets.map(({ headers }) => [headers.accept, headers['mcp-session-id']])[0]).toEqual(['text/event-stream', 'session-1'])
})

test('a request of the server comes through, and its answer goes back as a message of its own', async () => {
  const { remote, gateway } = await opened((got, response) => {
    if (got.method !== 'GET') return false
    stream(response)(event({ jsonrpc: '2.0', id: 'srv-1', method: 'roots/list' }))
    return true
  })
  await gateway.next(({ id }) => id === 'srv-1')
  gateway.send('{"jsonrpc":"2.0","id":"srv-1","result":{"roots":[]}}')
  await expect.poll(() => remote.got.map(({ body }) => body)).toContain('{"jsonrpc":"2.0","id":"srv-1","result":{"roots":[]}}')
})

test('a stream that ends before its answer is gone on with, by the id of its last event', async () => {
  const { remote, gateway } = await opened((got, response) => {
    if (got.message.method === 'tools/call') {
      stream(response)(`id: a1\nretry: 10\ndata:\n\n${event(notice(1), 'a2')}`)
      response.end()
      return true
    }
    if (got.headers['last-event-id'] !== 'a2') return false
    stream(response)(event({ jsonrpc: '2.0', id: 1, result: { content: [] } }, 'a3'))
    response.end()
    return true
  })
  gateway.call(1, 'look')
  expect((await gateway.answer(1)).result?.content).toEqual([])
  expect(notices(gateway)).toEqual([1])
  expect(remote.of('tools/call')).toHaveLength(1)
})

test('a stream that cannot be gone on with: the outcome is unknown, after a bounded number of tries', async () => {
  const { remote, gateway } = await opened((got, response) => {
    if (got.message.method === 'tools/call') {
      stream(response)('id: a1\nretry: 1\ndata:\n\n')
      response.end()
      return true
    }
    if (got.headers['last-event-id'] === undefined) return false
    stream(response)('retry: 1\n\n')
    response.end()
    return true
  })
  gateway.call(1, 'look')
  expect((await gateway.answer(1)).error?.message).toContain('whether it was carried out is unknown')
  expect(remote.got.filter(({ headers }) => headers['last-event-id'] === 'a1')).toHaveLength(10)
})

/** Knows sessions one after the other: those before the newest are gone where `forgets` says so. */
function forgetful(begins: () => string | undefined): Parameters<typeof legacy>[0] {
  let current: string | undefined
  return (got, response) => {
    if (got.message.method === 'initialize') {
      current = begins()
      if (current === undefined) json(response, { jsonrpc: '2.0', id: got.message.id, error: { code: 1, message: 'no' } })
      else result(response, got, { protocolVersion: '2025-11-25' }, { 'mcp-session-id': current })
      return true
    }
    if (got.message.params?.name === 'write') current = 'nobody knows'
    if (got.method !== 'POST' || got.headers['mcp-session-id'] === current) return false
    json(response, { jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'Session not found' } }, 404)
    return true
  }
}

test('a session that the server has lost is begun anew, and what it did not take is sent once more', async () => {
  let begun = 0
  const { remote, gateway } = await opened(forgetful(() => `s-${(begun += 1)}`))
  gateway.call(1, 'look')
  await gateway.answer(1)
  gateway.call(2, 'write')
  expect((await gateway.answer(2)).error?.message).toContain('Session not found')
  // Its second try was refused too, and another session stands by now.
  expect(remote.of('tools/call').map(({ message, headers }) => [message.params?.name, headers['mcp-session-id']])).toEqual([
    ['look', 's-1'],
    ['write', 's-1'],
    ['write', 's-2'],
  ])
  gateway.call(3, 'look')
  expect((await gateway.answer(3)).result).toBeDefined()
  expect(remote.of('tools/call').at(-1)?.headers['mcp-session-id']).toBe('s-3')
  expect(remote.of('initialize').map(({ body }) => body)).toEqual(Array(3).fill(remote.got[0]?.body))
  expect(gateway.messages().filter(({ id }) => id === 'init')).toHaveLength(1)
  const outcomes = (await gateway.store.record.read(0, 100)).filter(({ kind }) => kind === 'outcome')
  expect(outcomes.map(({ data }) => data['outcome'])).toEqual(['ran', 'failed', 'ran'])
})

test('a session that cannot be begun anew: what is in flight is answered, and the gateway ends', async () => {
  let begun = 0
  const forget = forgetful(() => ((begun += 1) === 1 ? 's-1' : undefined))
  const { gateway } = await opened((got, response, request) =>
    got.message.params?.name === 'hang' ? true : forget(got, response, request),
  )
  gateway.call(1, 'hang')
  gateway.call(2, 'look')
  await gateway.answer(2)
  gateway.call(3, 'write')
  gateway.call(4, 'look')
  expect(await gateway.exit).toBe(1)
  const errorOf = (id: number): string | undefined => gateway.messages().find((message) => message.id === id)?.error?.message
  expect(errorOf(1)).toContain('whether it was carried out is unknown')
  expect(errorOf(3)).toContain('Nothing was executed')
  expect(gateway.messages().map(({ id }) => id)).toEqual(expect.arrayContaining(['init', 1, 2, 3, 4]))
  expect(gateway.messages()).toHaveLength(5)
})
