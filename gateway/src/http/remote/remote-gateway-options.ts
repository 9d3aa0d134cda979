import type { StdioGatewayOptions } from '../../stdio/stdio-gateway-options.ts'

/** What a gateway in front of a server over Streamable HTTP is run with. */
export type RemoteGatewayOptions = Omit<StdioGatewayOptions, 'command' | 'env' | 'cwd' | 'stderr'> & {
  /** Where the server listens: `http` or `https`, without a user in it. */
  readonly url: string
  /** Headers of every request to it: credentials of the gateway's own, never a client's. */
  readonly headers?: Readonly<Record<string, string>>
  /** How long another session may take to begin where the server has lost one, in milliseconds. Default 10,000. */
  readonly renewMs?: number
  /** How long a connection that nobody uses is kept, in milliseconds. Default 4,000. */
  readonly freeSocketMs?: number
}
