import { request } from 'node:http'
import type { ClientRequest, IncomingHttpHeaders } from 'node:http'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { Hold, Store } from '@callgate/core'
import { local } from '@callgate/core/local'
import { onTestFinished } from 'vitest'
import { answer, fixturePath, GATES, temporaryFolder, until } from '../../stdio/gateway.fixture.ts'
import type { Message } from '../../stdio/gateway.fixture.ts'
import type { HttpGatewayOptions } from './http-gateway-options.ts'
import { runHttpGateway } from './run-http-gateway.ts'

/** A response as a test reads it: `messages` of its JSON or its events, as they come. */
export type Got = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: () => string
  readonly messages: () => readonly Message[]
  readonly ended: Promise<void>
  leave(): void
}

/** What a test sends; a body that is no text is sent as JSON. */
export type Sent = { readonly method?: string; readonly path?: string; readonly headers?: Record<string, string>; readonly body?: unknown }

/** A client's session with a gateway that listens. */
export type TestSession = {
  readonly id: string
  post(body: unknown, headers?: Record<string, string>): Promise<Got>
  call(id: number | string, name: string, args?: Record<string, unknown>, meta?: Record<string, unknown>): Promise<Got>
  /** The answer to a call. */
  result(id: number | string, name: string, args?: Record<string, unknown>): Promise<Message>
  get(): Promise<Got>
  end(): Promise<Got>
}

/** A gateway that listens in this process. */
export type RunningFront = {
  readonly port: number
  readonly store: Store
  readonly logged: string[]
  readonly exit: Promise<number>
  /** Lines that servers got, as they came. */
  forwarded(): readonly string[]
  send(sent: Sent): Promise<Got>
  open(headers?: Record<string, string>): Promise<TestSession>
  hold(): Promise<Hold>
  approve(id: string): Promise<void>
  stop(): void
}

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** Starts one before a child of `tool-server.mjs` for each session; ended with the test. */
export async function startFront(more: Partial<HttpGatewayOptions> = {}): Promise<RunningFront> {
  const record = join(temporaryFolder(), 'forwarded.txt')
  const { store } = more.store === undefined ? local() : { store: more.store }
  const stop = new AbortController()
  const logged: string[] = []
  let port = 0
  const exit = runHttpGateway({
    target: { kind: 'command', command: [process.execPath, fixturePath('tool-server.mjs')] },
    listen: { host: '127.0.0.1', port: 0 },
    env: { ...process.env, RECORD: record },
    gates: GATES,
    stderr: new PassThrough().resume(),
    log: (line) => void logged.push(line),
    listening: (address) => void (port = address.port),
    signal: stop.signal,
    timings: { holdPollMs: 20, exitMs: 500, killMs: 300, drainMs: 2_000 },
    ...more,
    store,
  })
  onTestFinished(async () => {
    stop.abort()
    await exit.catch(() => undefined)
  })
  await Promise.race([exit, until(() => (port === 0 ? undefined : port), () => 'the gateway does not listen')])
  const send = (sent: Sent): Promise<Got> => sendTo(port, sent)
  return {
    port,
    store,
    logged,
    exit,
    forwarded: () => linesOf(record),
    send,
    open: (headers) => openSession(send, headers),
    hold: () =>
      until(
        async () => (await store.holds.list({ limit: 10, statuses: ['pending'] }))[0],
        () => 'no hold',
      ),
    approve: (id) => answer(store, id, 'approve'),
    stop: () => stop.abort(),
  }
}

async function openSession(send: RunningFront['send'], headers: Record<string, string> = {}): Promise<TestSession> {
  const begun = await send({
    headers,
    body: { jsonrpc: '2.0', id: 'init', method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {} } },
  })
  await begun.ended
  const id = String(begun.headers['mcp-session-id'])
  const own = { ...headers, 'mcp-session-id': id }
  const post = (body: unknown, more: Record<string, string> = {}): Promise<Got> => send({ headers: { ...own, ...more }, body })
  const call: TestSession['call'] = (callId, name, args = {}, meta) =>
    post({ jsonrpc: '2.0', id: callId, method: 'tools/call', params: { name, arguments: args, ...(meta && { _meta: meta }) } })
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return {
    id,
    post,
    call,
    async result(callId, name, args) {
      const got = await call(callId, name, args)
      await got.ended
      return got.messages().at(-1) ?? {}
    },
    get: () => send({ method: 'GET', headers: own }),
    end: () => send({ method: 'DELETE', headers: own }),
  }
}

/** Sends one request to a port of loopback, and resolves when the head of its response is there. */
export function sendTo(port: number, { method = 'POST', path = '/mcp', headers = {}, body }: Sent): Promise<Got> {
  const text = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const all = { ...JSON_HEADERS, ...headers }
    const sent: ClientRequest = request({ host: '127.0.0.1', port, method, path, headers: all, agent: false }, (response) => {
      let received = ''
      response.setEncoding('utf8').on('data', (chunk: string) => void (received += chunk))
      response.on('error', () => undefined)
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: () => received,
        messages: () => messagesIn(received, String(response.headers['content-type'])),
        ended: new Promise((ended) => response.once('close', () => ended())),
        leave: () => void sent.destroy(),
      })
    })
    sent.on('error', reject)
    sent.end(text)
    onTestFinished(() => void sent.destroy())
  })
}

function messagesIn(text: string, type: string): readonly Message[] {
  if (type.startsWith('application/json')) return text === '' ? [] : [JSON.parse(text) as Message]
  const events = text.split('\n\n').slice(0, -1)
  return events.filter((one) => one.startsWith('data: ')).map((one) => JSON.parse(one.slice(6)) as Message)
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(0, -1)
  } catch {
    return []
  }
}
