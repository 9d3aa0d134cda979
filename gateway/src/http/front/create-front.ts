import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { openChannel } from './answer-channel.ts'
import { ANONYMOUS } from './known-clients.ts'
import type { KnownClients } from './known-clients.ts'
import { createHostCheck } from './listen-address.ts'
import { refuseRequest, TRANSPORT_ERROR } from './refuse-request.ts'
import type { RequestRefusal } from './refuse-request.ts'
import { noSession, readSessionName, takePost } from './take-post.ts'
import type { PostTaker } from './take-post.ts'

/** What requests are answered with. */
export type FrontTerms = PostTaker & {
  /** Hosts that the gateway goes by, beside those of loopback. */
  readonly hosts: readonly string[]
  readonly clients?: KnownClients
  /** Whether the gateway takes nothing new any more. */
  isClosing(): boolean
}

const PATH = '/mcp'
const HEALTH_PATH = '/healthz'

/** Answers each request at the gateway: nothing of one is read before its host, its origin and its bearer are known. */
export function createFront(terms: FrontTerms): RequestListener {
  const check = createHostCheck(terms.hosts)
  return (request, response) => {
    const path = (request.url ?? '').split('?')[0]
    if (path === HEALTH_PATH) return answerHealth(terms, request, response)
    const { host, origin } = request.headers
    if (!check.host(host)) return refuseRequest(response, refusal(403, 'This gateway does not go by that host: name it with --allow-host.'))
    if (!check.origin(origin)) return refuseRequest(response, refusal(403, 'Pages of that origin may not speak to this gateway.'))
    if (path !== PATH) return refuseRequest(response, refusal(404, `There is nothing here: MCP is at ${PATH}.`))
    const principal = terms.clients === undefined ? ANONYMOUS : terms.clients.identify(request.headers.authorization)
    if (principal === undefined) return refuseRequest(response, unknown(request.headers.authorization))
    if (terms.isClosing()) return refuseRequest(response, { ...refusal(503, 'The gateway ends.'), headers: { connection: 'close' } })
    take(terms, principal, request, response).then(
      (refused) => (refused === undefined ? undefined : refuseRequest(response, refused)),
      (error: unknown) => {
        terms.log(`a request could not be taken: ${String(error)}`)
        refuseRequest(response, refusal(500, 'The gateway could not take the message. Nothing was executed.'))
      },
    )
  }
}

async function take(terms: FrontTerms, principal: string, request: IncomingMessage, response: ServerResponse): Promise<RequestRefusal | undefined> {
  if (request.method === 'POST') return takePost(terms, principal, request, response)
  const id = request.headers['mcp-session-id']
  const isSessions = request.method === 'GET' || request.method === 'DELETE'
  if (!isSessions || typeof id !== 'string')
    return { ...refusal(405, 'Without a session there are messages only.'), headers: { allow: isSessions ? 'POST' : 'POST, GET, DELETE' } }
  if (request.method === 'DELETE') {
    if (!terms.table.end(id, principal)) return noSession()
    response.writeHead(204).end()
    return undefined
  }
  const who = readSessionName(terms, request)
  if (typeof who === 'string') return refusal(400, who)
  const session = terms.table.find(id, principal, who.name)
  if (session === undefined) return noSession()
  if (!/text\/event-stream|\*\/\*/i.test(request.headers.accept ?? '')) return refusal(406, 'Accept must name text/event-stream.')
  session.listen(openChannel(response, { form: 'stream', headers: {}, timings: terms.timings }))
  return undefined
}

function answerHealth({ isClosing }: FrontTerms, request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuseRequest(response, { ...refusal(405, 'Health is read.'), headers: { allow: 'GET, HEAD' } })
  const status = isClosing() ? { code: 503, text: 'closing' } : { code: 200, text: 'ok' }
  response.writeHead(status.code, { 'content-type': 'application/json' }).end(`${JSON.stringify({ status: status.text })}\n`)
}

function unknown(authorization: string | undefined): RequestRefusal {
  const error = authorization === undefined ? '' : ', error="invalid_token"'
  return { ...refusal(401, 'This gateway wants a bearer token that it knows.'), headers: { 'www-authenticate': `Bearer realm="callgate"${error}` } }
}

function refusal(status: number, why: string): RequestRefusal {
  return { status, code: TRANSPORT_ERROR, why }
}
