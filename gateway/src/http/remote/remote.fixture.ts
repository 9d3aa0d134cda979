import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import type { Hold, Store } from '@callgate/core'
import { local } from '@callgate/core/local'
import { onTestFinished } from 'vitest'
import { answer, clientOf, GATES, until } from '../../stdio/gateway.fixture.ts'
import type { ClientEnd } from '../../stdio/gateway.fixture.ts'
import type { RemoteGatewayOptions } from './remote-gateway-options.ts'
import { runRemoteGateway } from './run-remote-gateway.ts'

/** A request that a server of a test got. */
export type Got = { readonly method: string; readonly headers: IncomingHttpHeaders; readonly body: string; readonly message: Rpc }

/** A message as tests read it. */
export type Rpc = {
  readonly id?: string | number
  readonly method?: string
  readonly params?: { readonly name?: string; readonly arguments?: Record<string, unknown>; readonly requestId?: string | number }
}

/** A real HTTP server that does what the test says. */
export type Remote = { readonly url: string; readonly got: Got[]; of(method: string): readonly Got[] }

type Handle = (got: Got, response: ServerResponse, request: IncomingMessage) => void

/** Starts a server on loopback; ended with the test. */
export async function startRemote(handle: Handle): Promise<Remote> {
  const got: Got[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => void (body += text))
    request.on('end', () => {
      const message = body === '' ? {} : (JSON.parse(body) as Rpc)
      const one = { method: request.method ?? '', headers: request.headers, body, message }
      got.push(one)
      handle(one, response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/mcp`, got, of: (method) => got.filter(({ message }) => message.method === method) }
}

/** Answers with JSON. */
export function json(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Answers a request with a result. */
export const result = (response: ServerResponse, { message }: Got, value: unknown, headers: Record<string, string> = {}): void =>
  json(response, { jsonrpc: '2.0', id: message.id, result: value }, 200, headers)

/** Begins an event stream. */
export function stream(response: ServerResponse): (event: string) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  return (event) => void response.write(event)
}

/** One event with a message as its data. */
export const event = (message: unknown, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`

/** What a server with sessions does, unless the test's own handler returns true. */
export function legacy(own: (got: Got, response: ServerResponse, request: IncomingMessage) => boolean | void): Handle {
  return (got, response, request) => {
    if (own(got, response, request) === true) return
    const { method, id } = got.message
    if (got.method === 'GET') return void response.writeHead(405).end()
    if (got.method === 'DELETE') return void response.writeHead(200).end()
    if (method === 'initialize')
      return result(response, got, { protocolVersion: '2025-11-25', capabilities: {} }, { 'mcp-session-id': 'session-1' })
    if (id === undefined) return void response.writeHead(202).end()
    if (method === 'tools/list') return result(response, got, { tools: TOOLS })
    result(response, got, { content: [{ type: 'text', text: `${got.message.params?.name} done` }] })
  }
}

const TOOLS = ['look', 'write', 'echo', 'hang'].map((name) => ({ name, inputSchema: { type: 'object' } }))

/** A gateway before a server over HTTP, and the client's end of it. */
export type RunningRemoteGateway = ClientEnd & {
  readonly store: Store
  readonly logged: string[]
  readonly exit: Promise<number>
  readonly input: PassThrough
  readonly output: PassThrough
  /** The client's `initialize`, its answer, and its word that it is initialized. */
  open(): Promise<void>
  hold(): Promise<Hold>
  approve(id: string): Promise<void>
  stop(): void
}

/** Starts a gateway in this process; ended with the test. */
export function startRemoteGateway(url: string, more: Partial<RemoteGatewayOptions> = {}): RunningRemoteGateway {
  const { store } = local()
  const stop = new AbortController()
  const input = new PassThrough()
  const output = new PassThrough()
  const logged: string[] = []
  let received = ''
  output.setEncoding('utf8').on('data', (text: string) => void (received += text))
  const exit = runRemoteGateway({
    url,
    gates: GATES,
    principal: 'tester',
    session: 's1',
    input,
    output,
    log: (line) => void logged.push(line),
    signal: stop.signal,
    store,
    ...more,
  })
  onTestFinished(async () => {
    stop.abort()
    await exit.catch(() => undefined)
  })
  const client = clientOf(input, () => received, logged)
  return {
    ...client,
    store,
    logged,
    exit,
    input,
    output,
    async open() {
      client.send('{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25"}}')
      await client.answer('init')
      client.send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    },
    hold: () =>
      until(
        async () => (await store.holds.list({ limit: 10, statuses: ['pending'] }))[0],
        () => `no hold in ${received}`,
      ),
    approve: (id) => answer(store, id, 'approve'),
    stop: () => stop.abort(),
  }
}

/** A port of loopback that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** server-everything over Streamable HTTP, a process of its own; ended with the test. */
export async function startEverything(): Promise<string> {
  const port = await freePort()
  const script = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js')
  const child = spawn(process.execPath, [script, 'streamableHttp'], { env: { ...process.env, PORT: String(port) }, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}/mcp`
  await until(
    async () => (await fetch(url).then((response) => response.text(), () => undefined)),
    () => 'server-everything did not start',
  )
  return url
}
