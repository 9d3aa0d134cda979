import { basename } from 'node:path'
import { sha256Hex } from '@callgate/core'
import type { Clock } from '@callgate/core'
import { systemRandom } from '@callgate/core/local'
import { createRelay } from '../calls/create-relay.ts'
import type { Relay } from '../calls/create-relay.ts'
import { loadTyping, looksAtArguments } from '../calls/tool-typing.ts'
import type { ToolTyping } from '../calls/tool-typing.ts'
import type { ChildServer } from './child-server.ts'
import { connect } from './connect.ts'
import type { Connection, RelayWires } from './connect.ts'
import type { GatewayLimits, GatewayTerms, GatewayTimings, StdioGatewayOptions } from './stdio-gateway-options.ts'

/** What a connection is opened with; times are milliseconds, sizes bytes. */
export type ConnectionTerms = { readonly timings: GatewayTimings; readonly limits: GatewayLimits; readonly clock: Clock }

/**
 * Connects a client and a held server through a relay that gates; `release` is called when the server's output is listened
 * to. Rejects with what is wrong in the typing or in the rules, before a byte of either side is read.
 */
export async function openConnection(
  options: GatewayTerms,
  server: ChildServer,
  release: () => void,
  terms: ConnectionTerms,
): Promise<Connection> {
  const needsSchemas = options.typing !== undefined || looksAtArguments(options.gates)
  const typing = needsSchemas ? await loadTyping(options.typing, options.redactor) : undefined
  const { input, output, log } = options
  const { lineBytes, backlogBytes } = terms.limits
  const ends = { client: { input, output }, server, lineBytes, backlogBytes, stuckMs: terms.timings.stuckMs, log }
  const connection = connect(ends, (wires) => relayOf(options, typing, terms, wires))
  server.attach?.(connection.relay)
  options.connected?.(connection.relay)
  release()
  return connection
}

function relayOf(
  options: StdioGatewayOptions,
  typing: ToolTyping | undefined,
  { timings, limits, clock }: ConnectionTerms,
  wires: RelayWires,
): Relay {
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

/** The program, and a digest of the whole command: arguments may hold what must not be recorded. */
function serverName(command: readonly string[]): string {
  return `${basename(command[0] ?? 'server')}#${sha256Hex(JSON.stringify(command)).slice(0, 12)}`
}
