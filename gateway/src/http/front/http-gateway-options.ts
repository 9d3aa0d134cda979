import type { StdioGatewayOptions } from '../../stdio/stdio-gateway-options.ts'
import type { ServerTarget } from '../choose-server.ts'
import type { KnownClients } from './known-clients.ts'
import type { ListenAddress } from './listen-address.ts'

/** What a gateway that listens is run with, beside what each of its connections is. */
export type HttpGatewayOptions = Omit<StdioGatewayOptions, 'command' | 'input' | 'output' | 'session' | 'principal'> & {
  readonly target: ServerTarget
  readonly listen: ListenAddress
  /** Other hosts that clients may call the gateway by; loopback and the one it listens at are known. */
  readonly allowedHosts?: readonly string[]
  /**
   * Who may speak to it, each as the requester of its own calls; absent: everybody who reaches it, as one principal, which
   * only loopback allows, and as the `requester` of the options.
   */
  readonly clients?: KnownClients
  /**
   * The header by which a client's host names the session in which marks live; it counts only with the principal, and a
   * request without it is refused. Default: the protocol's own session, else one a principal.
   */
  readonly sessionHeader?: string
  /** Hears where it listens, once it does. */
  listening?(address: ListenAddress): void
  readonly http?: Partial<HttpTerms>
}

/** The bounds of a gateway that listens; times are milliseconds. */
export type HttpTerms = {
  /** Connections to servers at a time: sessions, and clients without one. Default 100. */
  readonly sessions: number
  /** After which a session that nobody uses is ended. Default 1,800,000. */
  readonly idleMs: number
  /** In which a request's body must have come. Default 60,000. */
  readonly bodyMs: number
  /** After which an answer that has not come is begun as a stream, where it could be JSON. Default 1,000. */
  readonly quietMs: number
  /** Between two comments on a stream. Default 15,000. */
  readonly commentMs: number
  /** In which a client that has far too much to read must read some. Default 30,000. */
  readonly stuckMs: number
  /** Bytes of bodies that are being read at a time. Default 256 MiB. */
  readonly bodyBytes: number
}

/** The bounds where none is given. */
export const DEFAULT_HTTP_TERMS: HttpTerms = {
  sessions: 100,
  idleMs: 1_800_000,
  bodyMs: 60_000,
  quietMs: 1_000,
  commentMs: 15_000,
  stuckMs: 30_000,
  bodyBytes: 268_435_456,
}
