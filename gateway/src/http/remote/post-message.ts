import type { Clock } from '@callgate/core'
import type { WireMessage } from '../../wire/read-message.ts'
import type { Exchange, ExchangeEnd, ExchangeListener, ExchangeRequest, Exchanges, ResponseHead } from './exchange.ts'
import { readModernHead } from '../message-head.ts'
import { oneLine } from '../one-line.ts'
import type { ParamCatalogue } from './param-catalogue.ts'
import { isAnswerTo } from './remote-failure.ts'
import { modernHeaders } from './remote-session.ts'
import type { RemoteSession } from './remote-session.ts'

/** A message on its way to the server. */
export type Outgoing = {
  readonly message: Exclude<WireMessage, { readonly kind: 'blank' | 'invalid' | 'batch' }>
  readonly line: Buffer
}

/** What a message is posted with. */
export type PostPorts = {
  readonly exchanges: Exchanges
  readonly session: RemoteSession
  readonly params: ParamCatalogue
  readonly credentials: Readonly<Record<string, string>>
  readonly clock: Clock
  /** Takes a line of the server. */
  say(line: Buffer): void
  /** Knows of an exchange while it lasts. */
  track(exchange: Exchange): void
  log(line: string): void
}

/** One post's own: who may give it up, and who waits for it. */
export type PostTerms = {
  readonly signal: AbortSignal
  /** The body is out, or nobody will take it. */
  sent?(): void
  /** The server has answered. */
  answered?(): void
}

/** How a post ended, and whether the server's answer was said by then. */
export type PostEnd = { readonly end: ExchangeEnd; readonly isAnswered: boolean }

const BOTH = 'application/json, text/event-stream'
const MAX_RESUMES = 10
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 30_000

/** Posts a message and says what comes back, to the end of the response; a stream that ends before the answer is opened anew. */
export async function postMessage(ports: PostPorts, { message, line }: Outgoing, terms: PostTerms): Promise<PostEnd> {
  const modern = message.kind === 'response' ? undefined : readModernHead(message)
  const method = message.kind === 'response' ? '' : message.method
  const answer = createAnswerWatch(ports, message, modern !== undefined, terms)
  ports.session.sent(method, line)
  const params = modern === undefined ? {} : ports.params.headersFor(message, modern)
  if (typeof params === 'string') {
    terms.sent?.()
    return { end: { kind: 'unfit', why: params }, isAnswered: false }
  }
  const headers = modern === undefined ? ports.session.headers() : { ...modernHeaders(modern), ...params }
  const post = { 'content-type': 'application/json', accept: BOTH, ...ports.credentials, ...headers }
  const body = line.subarray(0, line.length - 1)
  const first = await runExchange(ports, { method: 'POST', headers: post, body }, { ...answer.listener, sent: () => terms.sent?.() }, terms.signal)
  if (first.kind === 'answered' && message.kind === 'request') answer.whole(first)
  // A stream is opened anew only in the era that has ids for its events.
  if (first.kind !== 'streamed' || modern !== undefined) return { end: first, isAnswered: answer.isAnswered }
  return resume(ports, first, answer, terms.signal)
}

async function resume(ports: PostPorts, first: Streamed, answer: AnswerWatch, signal: AbortSignal): Promise<PostEnd> {
  let end: ExchangeEnd = first
  let lastId = first.lastId
  for (let tries = 0; lastId !== undefined && !answer.isAnswered && tries < MAX_RESUMES; tries += 1) {
    await ports.clock.sleep(Math.min((end as Partial<Streamed>).retryMs ?? FIRST_RETRY_MS, MAX_RETRY_MS), signal)
    if (signal.aborted) break
    const headers = { accept: 'text/event-stream', ...ports.credentials, ...ports.session.headers(), 'last-event-id': lastId }
    end = await runExchange(ports, { method: 'GET', headers }, answer.listener, signal)
    if (end.kind === 'answered') break
    if (end.kind !== 'streamed' || end.lastId === undefined) continue
    if (end.lastId !== lastId) tries = 0
    lastId = end.lastId
  }
  return { end, isAnswered: answer.isAnswered }
}

type Streamed = ExchangeEnd & { readonly kind: 'streamed' }

/** Runs one exchange to its end; it is closed where `signal` aborts. */
export async function runExchange(
  { exchanges, track }: Pick<PostPorts, 'exchanges' | 'track'>,
  request: ExchangeRequest,
  listener: ExchangeListener,
  signal: AbortSignal,
): Promise<ExchangeEnd> {
  const exchange = exchanges.open(request, listener)
  track(exchange)
  const abort = (): void => exchange.abort('it was given up')
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  try {
    return await exchange.ended
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

type AnswerWatch = {
  readonly listener: Required<Pick<ExchangeListener, 'head' | 'data'>>
  whole(end: ExchangeEnd & { readonly kind: 'answered' }): void
  readonly isAnswered: boolean
}

/** Says what comes back, and learns from it what later messages need. */
function createAnswerWatch(ports: PostPorts, message: Outgoing['message'], isModern: boolean, terms: PostTerms): AnswerWatch {
  const id = message.kind === 'request' ? message.id : undefined
  const method = message.kind === 'request' ? message.method : ''
  let head: ResponseHead = { status: 0, headers: {} }
  let last: Buffer | undefined

  const learn = (line: Buffer): void => {
    if (method === 'initialize' && !isModern && ports.session.began(head, line)) terms.answered?.()
    if (method === 'tools/list' && isModern) ports.params.learn(line)
  }
  const say = (bytes: Buffer): void => {
    last = oneLine(bytes)
    learn(last)
    ports.say(last)
  }

  return {
    listener: {
      head(found) {
        head = found
      },
      data: say,
    },
    whole({ body }) {
      // Also an error's status may come with the server's own answer.
      if (id !== undefined && body.length > 0 && isAnswerTo(body, id)) say(body)
    },
    get isAnswered() {
      return id !== undefined && last !== undefined && isAnswerTo(last, id)
    },
  }
}
