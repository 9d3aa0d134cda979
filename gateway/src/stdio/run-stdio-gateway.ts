import { basename } from 'node:path'
import { sha256Hex } from '@callgate/core'
import type { Clock } from '@callgate/core'
import { systemClock, systemRandom } from '@callgate/core/local'
import { createRelay } from '../calls/create-relay.ts'
import type { Relay } from '../calls/create-relay.ts'
import { loadTyping, looksAtArguments } from '../calls/tool-typing.ts'
import type { ToolTyping } from '../calls/tool-typing.ts'
import { exitCodeOf, startServer } from './child-server.ts'
import type { ChildServer, ServerEnd } from './child-server.ts'
import { connect } from './connect.ts'
import type { Connection, RelayWires } from './connect.ts'
import { endServer, within } from './end-server.ts'
import { listenForStop } from './listen-for-stop.ts'
import type { StopRequest } from './listen-for-stop.ts'
import { relayStderr } from './relay-stderr.ts'
import type { StderrRelay } from './relay-stderr.ts'
import { DEFAULT_LIMITS, DEFAULT_TIMINGS } from './stdio-gateway-options.ts'
import type { GatewayTimings, StdioGatewayOptions } from './stdio-gateway-options.ts'

/**
 * Puts a gate between an MCP client and a stdio server until one of them ends, and resolves with the server's exit code
 * (128 and the number for a signal; 2 where it did not start). No process that the server started is left, and no request
 * is left without an answer. Rejects with what is wrong in the typing before anything is started, and with what is wrong in the rules;
 * the server is killed then.
 */
export async function runStdioGateway(options: StdioGatewayOptions): Promise<number> {
  const timings = { ...DEFAULT_TIMINGS, ...options.timings }
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const clock = options.clock ?? systemClock()
  // Before the server is there: nothing may be awaited between its start and the first look at its output.
  const needsSchemas = options.typing !== undefined || looksAtArguments(options.gates)
  const typing = needsSchemas ? await loadTyping(options.typing, options.redactor) : undefined
  // The clock's timers let a process end; this one holds it until everything is in order.
  const keepAlive = setInterval(() => undefined, KEEP_ALIVE_MS)
  const server = startServer(options)
  const stderr = relayStderr(server.stderr, options.stderr ?? process.stderr)
  const stop = listenForStop(options.signal, () => server.kill('SIGKILL'))
  try {
    const { input, output, log } = options
    const { lineBytes, backlogBytes } = limits
    const ends = { client: { input, output }, server, lineBytes, backlogBytes, stuckMs: timings.stuckMs, log }
    const connection = connect(ends, (wires) =>
      relayOf(options, { typing, timings, limits, clock }, wires),
    )
    return await accompany({ server, stderr, connection, clock, timings, stop, options })
  } catch (error) {
    server.kill('SIGKILL')
    throw error
  } finally {
    stderr.stop()
    stop.release()
    clearInterval(keepAlive)
  }
}

const KEEP_ALIVE_MS = 1_000_000_000
const LINGER_MS = 250
const DEAF_MS = 1_000
const LAST_WORDS_MS = 1_000

type Settled = {
  readonly typing: ToolTyping | undefined
  readonly timings: GatewayTimings
  readonly limits: typeof DEFAULT_LIMITS
  readonly clock: Clock
}

function relayOf(options: StdioGatewayOptions, { typing, timings, limits, clock }: Settled, wires: RelayWires): Relay {
  const { command, store, gates, principal, session, requester, redactor, owner, isOwnerGone, log } = options
  const { listMs, holdPollMs: pollMs, progressMs } = timings
  return createRelay({
    ...wires,
    store,
    gates,
    typing,
    principal,
    session,
    ...(requester !== undefined && { requester }),
    ...(redactor !== undefined && { redactor }),
    server: options.server ?? serverName(command),
    clock,
    random: options.random ?? systemRandom(),
    ...(owner !== undefined && { owner }),
    ...(isOwnerGone !== undefined && { isOwnerGone }),
    waits: {
      waitMs: options.holdWaitMs ?? 45_000,
      waitProgressMs: options.holdWaitProgressMs ?? 240_000,
      pollMs,
      progressMs,
      listMs,
    },
    limits,
    log,
  })
}

type Company = {
  readonly server: ChildServer
  readonly stderr: StderrRelay
  readonly connection: Connection
  readonly clock: Clock
  readonly timings: GatewayTimings
  readonly stop: StopRequest
  readonly options: StdioGatewayOptions
}

/** From the start to the end of one connection: whoever ends first, the others are ended in order. */
async function accompany({ server, stderr, connection, clock, timings, stop, options }: Company): Promise<number> {
  const { relay, clientClosed, clientGone, serverSilent } = connection
  const broken = brokenBy(connection, server, clock, { stuckMs: timings.stuckMs, ...options.limits })
  const first = await Promise.race([
    server.ended.then(() => 'server ended' as const),
    clientClosed.then(() => 'client closed' as const),
    Promise.race([clientGone, broken, stop.asked]).then(() => 'broken' as const),
  ])
  if (first !== 'server ended') relay.clientClosed()
  if (first === 'client closed')
    await within(clock, timings.drainMs, Promise.race([relay.idle(), server.ended, clientGone, broken, stop.asked]))
  relay.serverClosing('The connection to the server ends.')
  connection.closeServerInput()
  const end = await endServer(server, clock, timings, Promise.race([stop.asked, broken]))
  await Promise.all([within(clock, timings.flushMs, serverSilent), within(clock, LAST_WORDS_MS, stderr.ended)])
  const failure = startFailure(end, first === 'server ended' && !connection.hasHeardServer)
  const why = failure ?? (stop.isAsked ? 'The gateway was told to end.' : endText(end, await soon(broken)))
  relay.serverGone(why)
  if (failure !== undefined) {
    options.log(`${failure} The command was: ${JSON.stringify(options.command)}`)
    await within(clock, LINGER_MS, clientClosed)
  }
  if (!(await within(clock, timings.flushMs, relay.idle()))) relay.abandon()
  const isFlushed = await within(clock, timings.flushMs, Promise.race([connection.flushed(), clientGone]))
  connection.detach()
  if (!isFlushed) options.output.destroy()
  return failure === undefined ? exitCodeOf(end) : 2
}

/** Why a server that still lives is of no use any more; never resolves for one that ends. */
async function brokenBy(
  connection: Connection,
  server: ChildServer,
  clock: Clock,
  { lineBytes = DEFAULT_LIMITS.lineBytes, stuckMs }: { readonly lineBytes?: number; readonly stuckMs: number },
): Promise<string> {
  const never = new Promise<never>(() => undefined)
  const livesOn = async (why: string): Promise<string> =>
    // After its input was closed a server may take leave in the order it likes.
    connection.isInputClosed || (await within(clock, DEAF_MS, server.ended)) || connection.isInputClosed ? never : why
  return Promise.race([
    connection.serverDeaf.then(() => livesOn('it had closed its input')),
    connection.serverSilent.then(() => livesOn('it had closed its output')),
    connection.serverStuck.then(() => `it had not read its input for ${stuckMs / 1_000} s`),
    connection.serverTooLong.then(() => `it wrote a message of more than ${lineBytes} bytes`),
  ])
}

function startFailure(end: ServerEnd, isMute: boolean): string | undefined {
  if (end.kind === 'not started') return `The server did not start: ${end.why}.`
  return isMute ? `The server did not start: it ended (${codeText(end)}) before its first message.` : undefined
}

function endText(end: ServerEnd, broken: string | undefined): string {
  const how = end.kind === 'exited' ? codeText(end) : end.why
  return broken === undefined ? `The server has ended (${how}).` : `The server was ended (${how}), since ${broken}.`
}

function codeText({ code, signal }: ServerEnd & { readonly kind: 'exited' }): string {
  return signal === undefined ? `exit code ${code}` : `signal ${signal}`
}

/** The value of a promise that has resolved by now. */
function soon<T>(promise: Promise<T>): Promise<T | undefined> {
  return Promise.race([promise, Promise.resolve(undefined)])
}

/** The program, and a digest of the whole command: arguments may hold what must not be recorded. */
function serverName(command: readonly string[]): string {
  return `${basename(command[0] ?? 'server')}#${sha256Hex(JSON.stringify(command)).slice(0, 12)}`
}
