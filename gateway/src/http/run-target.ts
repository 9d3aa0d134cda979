import type { StdioGatewayOptions } from '../stdio/stdio-gateway-options.ts'
import type { ServerTarget } from './choose-server.ts'

/** Runs the gateway on streams before the server that was chosen; what speaks HTTP is loaded only where it is wanted. */
export async function runTarget(target: ServerTarget, options: Omit<StdioGatewayOptions, 'command'>): Promise<number> {
  if (target.kind === 'command') {
    const { runStdioGateway } = await import('../stdio/run-stdio-gateway.ts')
    return runStdioGateway({ ...options, command: target.command })
  }
  const { runRemoteGateway } = await import('./run-remote-gateway.ts')
  const { env: _env, cwd: _cwd, stderr: _stderr, ...rest } = options
  return runRemoteGateway({ ...rest, url: target.url, headers: target.headers })
}
