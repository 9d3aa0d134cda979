import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../stdio/gateway.fixture.ts'
import { startFront } from './front.fixture.ts'
import type { Got, RunningFront } from './front.fixture.ts'
import { readTokenFile } from './known-clients.ts'
import type { KnownClients } from './known-clients.ts'

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":{}}}'
const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }
const [ANN, BOB] = ['a'.repeat(32), 'b'.repeat(32)] as const
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })

function clients(): KnownClients {
  const path = join(temporaryFolder(), 'tokens')
  writeFileSync(path, `ann: ${ANN}\nbob: ${BOB}\n`, { mode: 0o600 })
  return readTokenFile(path, () => undefined)
}

const calls = (front: RunningFront): number => front.forwarded().filter((line) => /tools(?:\/|\\u002f)call/.test(line)).length
const errorOf = async (got: Got): Promise<readonly unknown[]> => {
  await got.ended
  return [got.status, got.messages()[0]?.error?.code]
}

test.each([
  ['a host that rebinds', { host: 'evil.example.com' }],
  ['a host that begins like ours', { host: '127.0.0.1.example.com' }],
  ['a page of another origin', { origin: 'https://evil.example.com' }],
  ['a page that may not say its origin', { origin: 'null' }],
])('%s is refused before anything is read', async (_, headers) => {
  const front = await startFront()
  for (const method of ['POST', 'GET', 'DELETE'])
    expect((await front.send({ method, headers, ...(method === 'POST' && { body: initialize }) })).status).toBe(403)
  expect(front.forwarded()).toEqual([])
})

test('a host that was named is known', async () => {
  const front = await startFront({ allowedHosts: ['gate.example.com'] })
  const headers = { host: 'gate.example.com:8443', origin: 'https://gate.example.com' }
  expect((await front.send({ headers, body: initialize })).status).toBe(200)
})

test('without a bearer that is known nothing is taken; health is told', async () => {
  const front = await startFront({ clients: clients() })
  for (const headers of [{}, bearer('x'.repeat(32)), { authorization: `Basic ${ANN}` }] as Record<string, string>[]) {
    const got = await front.send({ headers, body: initialize })
    expect([got.status, got.headers['www-authenticate']]).toEqual([401, expect.stringMatching(/^Bearer realm="callgate"/)])
  }
  const health = await front.send({ method: 'GET', path: '/healthz', headers: { host: '10.0.0.7' } })
  await health.ended
  expect([health.status, health.text()]).toEqual([200, '{"status":"ok"}\n'])
  expect(front.forwarded()).toEqual([])
})

test('a session is its principal’s: with another’s token it is not there, and marks are not shared', async () => {
  const front = await startFront({ clients: clients() })
  const session = await front.open(bearer(ANN))
  await session.result(1, 'look')
  const asBob = { ...bearer(BOB), 'mcp-session-id': session.id }
  for (const method of ['POST', 'GET', 'DELETE'])
    expect((await front.send({ method, headers: asBob, ...(method === 'POST' && { body: CALL }) })).status).toBe(404)
  expect((await session.result(2, 'write')).result?.isError).toBeUndefined()
  expect(calls(front)).toBe(2)
})

test('an approval is its principal’s: the same call of another asks anew', async () => {
  const front = await startFront({ clients: clients(), holdWaitMs: 0 })
  const [ann, bob] = [await front.open(bearer(ANN)), await front.open(bearer(BOB))]
  const held = await ann.result(1, 'echo')
  expect(held.result?.content?.[0]?.text).toContain('Waiting for approval')
  await front.approve((await front.hold()).id)
  expect((await bob.result(1, 'echo')).result?.content?.[0]?.text).toContain('Waiting for approval')
  expect((await ann.result(2, 'echo')).result?.isError).toBeUndefined()
  expect(calls(front)).toBe(1)
})

test.each([
  ['a call before initialize', CALL, {}, 400],
  ['a session of nobody', CALL, { 'mcp-session-id': 'made-up' }, 404],
  ['another content type', CALL, { 'content-type': 'text/plain' }, 415],
  ['a compressed body', CALL, { 'content-encoding': 'gzip' }, 415],
  ['an answer in a form that we have not', CALL, { accept: 'text/html' }, 406],
  ['no JSON', '{"jsonrpc":', {}, 400],
  ['nothing', '', {}, 400],
  ['a byte order mark', `\ufeff${CALL}`, {}, 400],
  ['a number', '7', {}, 400],
])('%s is refused', async (_, body, headers, status) => {
  const front = await startFront()
  expect((await front.send({ headers, body })).status).toBe(status)
  expect(front.forwarded()).toEqual([])
})

test.each([
  ['a batch', `[${CALL}]`],
  ['a method that stands twice', '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"write","arguments":{}}}'],
  ['a method in other letters', '{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","params":{"name":"write","arguments":{}}}'],
  ['a message that ends inside a string', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\n{\\"method\\":\\"tools/call\\"}\n"}}'],
  ['two messages', `${CALL}\n${CALL}`],
])('%s is refused, and the server sees nothing of it', async (_, body) => {
  const front = await startFront()
  const session = await front.open()
  expect((await errorOf(await session.post(body)))[0]).toBe(400)
  expect((await session.result(2, 'look')).result?.isError).toBeUndefined()
  expect(front.forwarded().filter((line) => /ping|tools\/call/.test(line))).toEqual([expect.stringContaining('"look"')])
})

test('a method spelt with escapes is gated as what it is', async () => {
  const front = await startFront()
  const session = await front.open()
  const got = await session.post('{"jsonrpc":"2.0","id":1,"method":"tools\\u002fcall","params":{"name":"write","arguments":{}}}')
  await got.ended
  expect(got.messages()[0]?.result?.content?.[0]?.text).toContain('Call look first.')
  expect(calls(front)).toBe(0)
})

test('line breaks of a body do not become messages of their own', async () => {
  const front = await startFront()
  const session = await front.open()
  const hidden = '{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"write","arguments":{}}}'
  const got = await session.post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":[\r\n${hidden}\n,\r${hidden}\r\n]}`)
  await got.ended
  expect(got.messages()).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
  const last = front.forwarded().at(-1) ?? ''
  expect((JSON.parse(last) as { params: unknown[] }).params).toHaveLength(2)
  expect(front.forwarded().filter((line) => line.startsWith(hidden.slice(0, 20)) && line.includes('"id":99,"method"'))).toEqual([last])
})

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
const modernCall = (name: string): unknown => ({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name, arguments: { who: 'ann' }, _meta: META } })
const mirrors = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'write' }

test.each([
  ['another tool', { ...mirrors, 'mcp-name': 'look' }],
  ['another method', { ...mirrors, 'mcp-method': 'ping' }],
  ['another version', { ...mirrors, 'mcp-protocol-version': '2025-11-25' }],
  ['another argument', { ...mirrors, 'mcp-param-who': 'bob' }],
  ['no headers', {}],
])('headers that say %s than the message are refused, and said', async (_, headers) => {
  const front = await startFront()
  const got = await front.send({ headers, body: modernCall('write') })
  expect(await errorOf(got)).toEqual([400, -32_020])
  expect(got.messages()[0]?.id).toBe(5)
  expect(front.forwarded()).toEqual([])
  expect(front.logged.join()).toContain('refused a message of the client: The header')
})

test('the gate reads the message, whatever the headers of a session say', async () => {
  const front = await startFront()
  const session = await front.open()
  const got = await session.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'write', arguments: {} } }, { 'mcp-name': 'look' })
  expect(await errorOf(got)).toEqual([400, -32_020])
  expect(calls(front)).toBe(0)
})

test('a held call whose client has gone never runs, whatever a person says after that', async () => {
  const front = await startFront({ holdWaitMs: 60_000 })
  const session = await front.open()
  const got = await session.call(1, 'echo')
  const { id } = await front.hold()
  got.leave()
  await expect.poll(async () => (await front.store.holds.get(id))?.count).toBe(0)
  await front.approve(id)
  await session.result(2, 'look')
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(front.forwarded().filter((line) => line.includes('"echo"'))).toEqual([])
  // The yes is not lost: the same call of the same client may still spend it.
  expect((await session.result(3, 'echo')).result?.isError).toBeUndefined()
  expect(front.forwarded().filter((line) => line.includes('"echo"'))).toHaveLength(1)
})

test('a client that leaves before its call was looked at leaves no call behind that could run later', async () => {
  const front = await startFront({ holdWaitMs: 60_000 })
  const session = await front.open()
  const got = await session.call(1, 'echo')
  got.leave()
  const { id } = await front.hold()
  await expect.poll(async () => (await front.store.holds.get(id))?.count).toBe(0)
  await front.approve(id)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(front.forwarded().filter((line) => line.includes('"echo"'))).toEqual([])
})

test('who asks is known to a rule that excludes the requester, with tokens and without', async () => {
  const gates = { rules: [{ gate: 'confirm', tools: ['echo'], message: 'Sure?', notBy: 'requester' as const }] }
  const own = await startFront({ clients: clients(), gates, holdWaitMs: 0 })
  await (await own.open(bearer(ANN))).result(1, 'echo')
  const open = await startFront({ requester: 'pat', gates, holdWaitMs: 0 })
  await (await open.open()).result(1, 'echo')
  expect([(await own.hold()).requester, (await open.hold()).requester]).toEqual(['ann', 'pat'])
  expect([(await own.hold()).principal, (await open.hold()).principal]).toEqual(['ann', 'anonymous'])
  // The approver of these tests is pat.
  await expect(open.approve((await open.hold()).id)).rejects.toMatchObject({ code: 'invalid_answer', message: expect.stringContaining('whoever asks') })
})

test('a body over the bound is refused, whether it says so or not', async () => {
  const front = await startFront({ limits: { lineBytes: 1_000 } })
  const body = JSON.stringify({ ...initialize, params: { x: 'x'.repeat(2_000) } })
  expect((await front.send({ body })).status).toBe(413)
  expect((await front.send({ headers: { 'transfer-encoding': 'chunked' }, body }).catch(() => ({ status: 413 }))).status).toBe(413)
  expect((await front.send({ body: initialize })).status).toBe(200)
})

test('bodies that together fill the room for them are refused, and the room is there again', async () => {
  const front = await startFront({ http: { bodyBytes: 1_000 } })
  expect((await front.send({ body: JSON.stringify({ ...initialize, params: { x: 'x'.repeat(2_000) } }) })).status).toBe(503)
  expect((await front.send({ body: initialize })).status).toBe(200)
})

/** Opens a connection of its own and says what it is told to. */
function raw(port: number, text: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text)
      resolve(socket)
    })
    socket.on('error', reject)
    onTestFinished(() => void socket.destroy())
  })
}

const closed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.resume().once('close', () => resolve()))

test('a body that does not come is not waited for', async () => {
  const front = await startFront({ http: { bodyMs: 300 } })
  const head = `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: */*\r\ncontent-length: 500\r\n\r\n{"jsonrpc"`
  await closed(await raw(front.port, head))
  expect((await front.send({ body: initialize })).status).toBe(200)
})

test('a thousand connections that say nothing keep nobody out', { timeout: 20_000 }, async () => {
  const front = await startFront()
  const idle = await Promise.all(Array.from({ length: 1_000 }, () => raw(front.port, '')))
  const session = await front.open()
  expect((await session.result(1, 'look')).result?.isError).toBeUndefined()
  for (const socket of idle) socket.destroy()
})

test('everybody on a network: refused without tokens', async () => {
  await expect(startFront({ listen: { host: '0.0.0.0', port: 0 } })).rejects.toThrow('name who may with --token-file')
})

test('a port that is taken is said', async () => {
  const { port } = await startFront()
  await expect(startFront({ listen: { host: '127.0.0.1', port } })).rejects.toThrow(`cannot listen at 127.0.0.1:${port} (EADDRINUSE)`)
})

test.each([
  ['PUT', '/mcp', 405],
  ['GET', '/mcp', 405],
  ['DELETE', '/mcp', 405],
  ['POST', '/', 404],
  ['POST', '/healthz', 405],
])('%s %s: %d', async (method, path, status) => {
  const front = await startFront()
  expect((await front.send({ method, path })).status).toBe(status)
})
