import { runBefore } from '../../stdio/run-stdio-gateway.ts'
import { openRemote } from './open-remote.ts'
import type { RemoteGatewayOptions } from './remote-gateway-options.ts'

/**
 * Puts a gate between an MCP client on streams and a server over Streamable HTTP until the client ends, or the server knows
 * nothing of the session any more; resolves with 0, or with 1 in that case. No request is left without an answer. Throws
 * `invalid_option` for a URL or a header that cannot be sent; else it rejects as `runStdioGateway` does.
 */
export function runRemoteGateway(options: RemoteGatewayOptions): Promise<number> {
  const { server, name } = openRemote(options)
  return runBefore(server, { ...options, command: [], env: {}, server: name })
}
