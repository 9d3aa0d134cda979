import type { Readable, Writable } from 'node:stream'
import type { Clock, GateRules, Random, Redactor, Store } from '@callgate/core'
import type { SchemaTypistOptions } from '@callgate/schema-typist'
import type { RawId } from '../wire/raw-id.ts'

/** What a stdio gateway is run with. Times are milliseconds, sizes bytes of UTF-8; what is left out has the default named. */
export type StdioGatewayOptions = {
  /** The server's program and its arguments; started without a shell. */
  readonly command: readonly string[]
  /** The server's environment; variables named `CALLGATE_*` are taken out (contract 12). */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The server's folder; default: this process's. */
  readonly cwd?: string
  /** All state; the caller opens and closes it. */
  readonly store: Store
  readonly gates: GateRules
  /** How arguments are typed; absent: no argument is ever changed. */
  readonly typing?: SchemaTypistOptions
  /** Keeps arguments out of the record, of refusals, and of what a person is shown (`createRedactor`). */
  readonly redactor?: Redactor
  /** For whom the client's one session acts, and its id (contract 1). */
  readonly principal: string
  readonly session: string
  /** Who asks, where a rule says that the requester may not approve; default: the principal. */
  readonly requester?: string
  /** Names the server in the record and in approvals; default: the program's name and a digest of the command. */
  readonly server?: string
  /** Names this process in claims; default: random. */
  readonly owner?: string
  /** Tells whether the process that an owner names is gone. */
  readonly isOwnerGone?: (owner: string) => boolean
  /** Default: the system's. */
  readonly clock?: Clock
  readonly random?: Random
  /** The client: its messages and where the answers go. */
  readonly input: Readable
  readonly output: Writable
  /** Where the server's stderr goes, as it came; default: this process's. */
  readonly stderr?: Writable
  /** One line for a person, without the line's end; `run` writes it to stderr. */
  log(line: string): void
  /** Ends the gateway in order, as SIGTERM does; where it is absent, SIGTERM, SIGINT and SIGHUP of this process do. */
  readonly signal?: AbortSignal
  /** How long a held call without a progress token waits before the client is told to come back. Default 45,000. */
  readonly holdWaitMs?: number
  /** The same where the call carries a progress token. Default 240,000. */
  readonly holdWaitProgressMs?: number
  readonly timings?: Partial<GatewayTimings>
  readonly limits?: Partial<GatewayLimits>
}

/** The same for a client that is not one stream: it is told when it may say that nobody listens for an answer any more. */
export type GatewayTerms = StdioGatewayOptions & { connected?(relay: { clientLeft(id: RawId): void }): void }

/** The gateway's other waits, in milliseconds. */
export type GatewayTimings = {
  /** Between two looks at a hold. Default 200. */
  readonly holdPollMs: number
  /** Between two progress notifications of a held call. Default 10,000. */
  readonly progressMs: number
  /** For the server's answer to a `tools/list` of ours. Default 10,000. */
  readonly listMs: number
  /** After the client has closed its side: for the answers of calls in flight. Default 5,000. */
  readonly drainMs: number
  /** After the server's stdin is closed: for its end. Default 2,000. */
  readonly exitMs: number
  /** Between SIGTERM and SIGKILL to the server's process group. Default 1,000. */
  readonly killMs: number
  /** In which a server that has far too much input to read takes none of it, before it is ended. Default 30,000. */
  readonly stuckMs: number
  /** For the last bytes, in either direction, after the server's end. Default 5,000. */
  readonly flushMs: number
}

/** The gateway's bounds. */
export type GatewayLimits = {
  /** One message, either way; over it the gateway ends. Default 64 MiB. */
  readonly lineBytes: number
  /** The arguments of one call as they came; over it the call is refused unread. Default 1 MiB. */
  readonly argumentBytes: number
  /** Requests in flight; over it new ones are refused. Default 10,000. */
  readonly inFlight: number
  /** Calls in flight, in bytes of their messages; over it new ones are refused. Default 256 MiB. */
  readonly callBytes: number
  /** Unwritten bytes to the server, or to the client, before the gateway stops reading the client. Default 8 MiB. */
  readonly backlogBytes: number
}

/** The waits where none is given. */
export const DEFAULT_TIMINGS: GatewayTimings = {
  holdPollMs: 200,
  progressMs: 10_000,
  listMs: 10_000,
  drainMs: 5_000,
  exitMs: 2_000,
  killMs: 1_000,
  stuckMs: 30_000,
  flushMs: 5_000,
}

const MIB = 1_048_576

/** The bounds where none is given. */
export const DEFAULT_LIMITS: GatewayLimits = {
  lineBytes: 64 * MIB,
  argumentBytes: MIB,
  inFlight: 10_000,
  callBytes: 256 * MIB,
  backlogBytes: 8 * MIB,
}
