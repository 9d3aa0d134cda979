import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CallgateError } from '@callgate/core'
import { systemClock, systemRandom } from '@callgate/core/local'
import { startServer } from '../../stdio/child-server.ts'
import { within } from '../../stdio/end-server.ts'
import { createHappening } from '../../stdio/happening.ts'
import { listenForStop } from '../../stdio/listen-for-stop.ts'
import { runBefore } from '../../stdio/run-stdio-gateway.ts'
import { DEFAULT_LIMITS } from '../../stdio/stdio-gateway-options.ts'
import { createClientSession } from './client-session.ts'
import type { SessionEnds } from './client-session.ts'
import { createFront } from './create-front.ts'
import { DEFAULT_HTTP_TERMS } from './http-gateway-options.ts'
import type { HttpGatewayOptions, HttpTerms } from './http-gateway-options.ts'
import { isLoopback } from './listen-address.ts'
import type { ListenAddress } from './listen-address.ts'
import { checkRemote, openRemote } from '../remote/open-remote.ts'
import { createBodyReader } from './read-body.ts'
import { createSessionTable } from './session-table.ts'

const MAX_CONNECTIONS = 4_000
/** Listeners of a process, and of its stderr, that are not one a session. */
const OWN_LISTENERS = 20

/**
 * Listens for MCP clients over Streamable HTTP and puts a gate between each session and a server of its own, until it is told
 * to end; then it takes nothing new, waits for what is in flight within bounds, ends every server, and resolves with 0.
 * Rejects where it cannot listen, with what is wrong in the typing or in the rules, and with `invalid_option` where everybody
 * on a network could speak to it.
 */
export async function runHttpGateway(options: HttpGatewayOptions): Promise<number> {
  const { listen, clients, log, allowedHosts = [] } = options
  if (clients === undefined && !isLoopback(listen.host))
    throw new CallgateError('invalid_option', `Everybody who reaches ${listen.host} could call the tools: name who may with --token-file.`)
  if (options.target.kind === 'url') checkRemote(options.target)
  const terms = { ...DEFAULT_HTTP_TERMS, ...options.http }
  const clock = options.clock ?? systemClock()
  const broken = createHappening()
  const state: { isClosing: boolean; problem?: Error } = { isClosing: false }
  expectListeners(terms.sessions, options)
  const table = createSessionTable({
    most: terms.sessions,
    idleMs: terms.idleMs,
    random: options.random ?? systemRandom(),
    now: clock.now,
    open(principal, session, isOwn) {
      const made = createClientSession({ isOwn, now: clock.now, log, run: (ends) => runSession(options, principal, session, ends) })
      made.ended.catch((error: unknown) => {
        log(`a session could not be run: ${String(error)}`)
        state.problem ??= error instanceof Error ? error : new Error(String(error))
        broken.happen()
      })
      return made
    },
  })
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const front = createFront({
    table,
    readBody: createBodyReader(limits.lineBytes - 1, terms.bodyBytes),
    timings: terms,
    ...(options.sessionHeader !== undefined && { sessionHeader: options.sessionHeader.toLowerCase() }),
    hosts: [listen.host, ...allowedHosts],
    ...(clients !== undefined && { clients }),
    isClosing: () => state.isClosing,
    log,
  })
  const server = createListener(terms, front)
  const stop = listenForStop(options.signal, () => server.closeAllConnections())
  try {
    options.listening?.(await listenAt(server, listen))
    await Promise.race([stop.asked, broken.promise])
    state.isClosing = true
    server.close()
    await table.close()
    await within(clock, CLOSE_MS, closed(server))
    if (state.problem !== undefined) throw state.problem
    return 0
  } finally {
    server.closeAllConnections()
    server.close()
    stop.release()
  }
}

const CLOSE_MS = 1_000

/** One session's gateway: what the client of another session does is not its concern, nor are the process's signals. */
async function runSession(options: HttpGatewayOptions, principal: string, session: string, ends: SessionEnds): Promise<number> {
  const { target, listen: _listen, clients: _clients, allowedHosts: _hosts, sessionHeader: _header, http: _http, listening: _listening, ...rest } = options
  const requester = options.clients === undefined ? (options.requester ?? principal) : principal
  const terms = { ...rest, ...ends, principal, requester, session }
  if (target.kind === 'command') {
    const { command } = target
    return runBefore(startServer({ ...terms, command }), { ...terms, command })
  }
  const { url, headers } = target
  const { server, name } = openRemote({ ...rest, url, headers })
  return runBefore(server, { ...terms, command: [], server: name })
}

function createListener(terms: HttpTerms, front: ReturnType<typeof createFront>): Server {
  const server = createServer({ requestTimeout: terms.bodyMs, headersTimeout: Math.min(terms.bodyMs, 20_000), connectionsCheckingInterval: Math.min(terms.bodyMs, 5_000) }, front)
  server.maxConnections = MAX_CONNECTIONS
  // An answer may take as long as it likes.
  server.timeout = 0
  return server
}

function listenAt(server: Server, { host, port }: ListenAddress): Promise<ListenAddress> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new CallgateError('invalid_option', `The gateway cannot listen at ${host}:${port} (${error.code ?? error.message}). Name another with --listen.`)),
    )
    server.listen(port, host, () => resolve({ host, port: (server.address() as AddressInfo).port }))
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

/** Each session listens to the end of the process and to its stderr: that many are no leak. */
function expectListeners(sessions: number, { stderr = process.stderr }: HttpGatewayOptions): void {
  for (const emitter of [process, stderr]) emitter.setMaxListeners(Math.max(emitter.getMaxListeners(), sessions + OWN_LISTENERS))
}
