import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { TLSSocket } from 'node:tls'
import { createEventReader } from './event-reader.ts'
import type { EventReader } from './event-reader.ts'

/** What is sent; the body whole. */
export type ExchangeRequest = {
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** Who hears of an exchange while it lasts. */
export type ExchangeListener = {
  /** The status and the headers have come. */
  head?(head: ResponseHead): void
  /** The data of one event of a stream. */
  data?(bytes: Buffer): void
  /** The system has taken the body, or nobody will. */
  sent?(): void
}

/** What a response says before its body. */
export type ResponseHead = { readonly status: number; readonly headers: IncomingHttpHeaders }

/** How an exchange ended. `unreached`: the server has got nothing. `unfit`: the message cannot be sent as the protocol wants it. `broken`: it may have got all, and did not answer to the end. */
export type ExchangeEnd =
  | { readonly kind: 'unreached'; readonly why: string }
  | { readonly kind: 'unfit'; readonly why: string }
  | { readonly kind: 'broken'; readonly why: string }
  | ({ readonly kind: 'answered'; readonly body: Buffer } & ResponseHead)
  | { readonly kind: 'streamed'; readonly lastId?: string; readonly retryMs?: number }

/** One request and its response. */
export type Exchange = {
  readonly ended: Promise<ExchangeEnd>
  /** Closes the connection: the end is `broken`, or `unreached`, for the reason `why`. */
  abort(why: string): void
  pause(): void
  resume(): void
}

/** Makes exchanges with one server: no redirect is followed, and no response is too slow; a body or an event has at most `maxBytes`. */
export type Exchanges = { open(request: ExchangeRequest, listener: ExchangeListener): Exchange; close(): void }

const FREE_SOCKET_MS = 4_000

/** Makes them for `url`. A connection that nobody uses is kept for `freeSocketMs`, less than servers keep theirs. */
export function createExchanges(url: URL, maxBytes: number, freeSocketMs: number = FREE_SOCKET_MS): Exchanges {
  const isSecure = url.protocol === 'https:'
  // The time counts for a connection in use too, which nobody ends for it: it may be quiet for as long as it likes.
  const settings = { keepAlive: true, timeout: freeSocketMs }
  const agent = isSecure ? new HttpsAgent(settings) : new HttpAgent(settings)
  const send = isSecure ? httpsRequest : httpRequest
  return {
    open({ method, headers, body }, listener) {
      const length = body === undefined ? {} : { 'content-length': String(body.length) }
      return openExchange(send(url, { method, headers: { ...headers, ...length }, agent }), body, maxBytes, listener)
    },
    close: () => agent.destroy(),
  }
}

function openExchange(
  request: ClientRequest,
  body: Buffer | undefined,
  maxBytes: number,
  listener: ExchangeListener,
): Exchange {
  const state: { isConnected: boolean; isPaused: boolean; aborted?: string; response?: IncomingMessage } = {
    isConnected: false,
    isPaused: false,
  }
  request.on('socket', (socket) => {
    // Before the handshake of TLS the server has got nothing either.
    const event = socket instanceof TLSSocket ? 'secureConnect' : 'connect'
    if (socket.connecting) socket.once(event, () => void (state.isConnected = true))
    else state.isConnected = true
  })
  const ended = new Promise<ExchangeEnd>((resolve) => {
    const fail = (what: string): void =>
      resolve({ kind: state.isConnected ? 'broken' : 'unreached', why: state.aborted ?? what })
    request.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message))
    request.on('close', () => fail('the connection was closed'))
    request.on('response', (response) => {
      state.response = response
      listener.head?.(headOf(response))
      readResponse(response, maxBytes, listener, { resolve, fail, isAborted: () => state.aborted !== undefined })
      if (state.isPaused) response.pause()
    })
  })
  let wasSent = false
  const sent = (): void => {
    if (!wasSent) listener.sent?.()
    wasSent = true
  }
  request.on('close', sent)
  request.end(body, sent)
  return {
    ended,
    abort(why) {
      state.aborted ??= why
      request.destroy()
    },
    pause() {
      state.isPaused = true
      state.response?.pause()
    },
    resume() {
      state.isPaused = false
      state.response?.resume()
    },
  }
}

type Settle = { resolve(end: ExchangeEnd): void; fail(what: string): void; isAborted(): boolean }

function readResponse(response: IncomingMessage, maxBytes: number, listener: ExchangeListener, settle: Settle): void {
  const { resolve, fail, isAborted } = settle
  const tooLong = (): void => {
    fail(`its message has more than ${maxBytes} bytes`)
    response.destroy()
  }
  const { status } = headOf(response)
  const isStream = status === 200 && mediaType(response.headers) === 'text/event-stream'
  const parts: Buffer[] = []
  let bytes = 0
  const events: EventReader | undefined = isStream
    ? createEventReader(maxBytes, { data: (data) => listener.data?.(data), tooLong })
    : undefined
  response.on('data', (chunk: Buffer) => {
    if (events !== undefined) return events.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) return tooLong()
    parts.push(chunk)
  })
  response.on('end', () => {
    if (events === undefined) return resolve({ kind: 'answered', ...headOf(response), body: Buffer.concat(parts) })
    resolve(streamEnd(events))
  })
  // A stream that breaks is one that ends: what it still owes may be had by opening it anew.
  response.on('error', (error: NodeJS.ErrnoException) => {
    if (events?.lastId === undefined || isAborted()) fail(error.code ?? error.message)
    else resolve(streamEnd(events))
  })
  response.on('close', () => fail('the connection was closed'))
}

function streamEnd({ lastId, retryMs }: EventReader): ExchangeEnd {
  return { kind: 'streamed', ...(lastId !== undefined && { lastId }), ...(retryMs !== undefined && { retryMs }) }
}

function headOf({ statusCode = 0, headers }: IncomingMessage): ResponseHead {
  return { status: statusCode, headers }
}

/** A content type without its parameters, in lower case. */
function mediaType(headers: IncomingHttpHeaders): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}
