import type { Clock } from '@callgate/core'
import { systemClock } from '@callgate/core/local'
import { exitCodeOf } from './child-server.ts'
import type { ChildServer, ServerEnd } from './child-server.ts'
import type { Connection } from './connect.ts'
import { endServer, within } from './end-server.ts'
import type { StopRequest } from './listen-for-stop.ts'
import { openConnection } from './open-connection.ts'
import type { StderrRelay } from './relay-stderr.ts'
import { DEFAULT_LIMITS, DEFAULT_TIMINGS } from './stdio-gateway-options.ts'
import type { GatewayTerms } from './stdio-gateway-options.ts'

const LINGER_MS = 250
const DEAF_MS = 1_000
const LAST_WORDS_MS = 1_000

/** A server that was just started, whose output is held until `release`, and who else is there. */
export type Company = {
  readonly server: ChildServer
  release(): void
  readonly stderr: StderrRelay
  readonly stop: StopRequest
  readonly options: GatewayTerms
}

/**
 * Connects the server with the client, and stays from the start to the end of the connection: whoever ends first, the others
 * are ended in order. Resolves and rejects as `runStdioGateway` does, and leaves the killing to it where it rejects.
 */
export async function accompany({ server, release, stderr, stop, options }: Company): Promise<number> {
  const clock = options.clock ?? systemClock()
  const timings = { ...DEFAULT_TIMINGS, ...options.timings }
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const connection = await openConnection(options, server, release, { timings, limits, clock })
  const { relay, clientClosed, clientGone, serverSilent } = connection
  // What the client has said by now is heard first: where the server is gone already, the answer says why.
  await new Promise((resolve) => setImmediate(resolve))
  const broken = brokenBy(connection, server, clock, { stuckMs: timings.stuckMs, lineBytes: limits.lineBytes })
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
  { lineBytes, stuckMs }: { readonly lineBytes: number; readonly stuckMs: number },
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
  if (end.kind === 'lost') return undefined
  return isMute ? `The server did not start: it ended (${codeText(end)}) before its first message.` : undefined
}

function endText(end: ServerEnd, broken: string | undefined): string {
  if (end.kind === 'lost') return end.why
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
