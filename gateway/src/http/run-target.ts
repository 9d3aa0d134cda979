import { resolve } from 'node:path'
import { CallgateError } from '@callgate/core'
import type { StdioGatewayOptions } from '../stdio/stdio-gateway-options.ts'
import type { ServerTarget } from './choose-server.ts'

/** The flags of a gateway that listens. */
export type ListenFlags = {
  readonly listen?: string
  readonly tokenFile?: string
  readonly allowHost?: readonly string[]
  readonly sessionHeader?: string
  readonly session?: string
}

/**
 * Runs the gateway before the server that was chosen, on streams or where it is told to listen; what speaks HTTP is loaded
 * only where it is wanted. Rejects with `invalid_option` for flags that do not go together.
 */
export async function runTarget(
  target: ServerTarget,
  flags: ListenFlags,
  options: Omit<StdioGatewayOptions, 'command'>,
): Promise<number> {
  if (flags.listen !== undefined) return listenFor(target, flags.listen, flags, options)
  const stray = (['tokenFile', 'allowHost', 'sessionHeader'] as const).find((flag) => flags[flag] !== undefined)
  if (stray !== undefined) throw invalid(`${FLAGS[stray]} goes with --listen.`)
  if (target.kind === 'command') {
    const { runStdioGateway } = await import('../stdio/run-stdio-gateway.ts')
    return runStdioGateway({ ...options, command: target.command })
  }
  const { runRemoteGateway } = await import('./remote/run-remote-gateway.ts')
  const { env: _env, cwd: _cwd, stderr: _stderr, ...rest } = options
  return runRemoteGateway({ ...rest, url: target.url, headers: target.headers })
}

const FLAGS = { tokenFile: '--token-file', allowHost: '--allow-host', sessionHeader: '--session-header' } as const

async function listenFor(
  target: ServerTarget,
  address: string,
  { tokenFile, allowHost, sessionHeader, session }: ListenFlags,
  options: Omit<StdioGatewayOptions, 'command'>,
): Promise<number> {
  if (session !== undefined) throw invalid('--session does not go with --listen: each session of a client is one of its own. --session-header lets its host name it.')
  const [{ runHttpGateway }, { parseListenAddress }, { readTokenFile }] = await Promise.all([
    import('./front/run-http-gateway.ts'),
    import('./front/listen-address.ts'),
    import('./front/known-clients.ts'),
  ])
  const { input: _input, output: _output, session: _session, principal: _principal, ...rest } = options
  return runHttpGateway({
    ...rest,
    target,
    listen: parseListenAddress(address),
    ...(allowHost !== undefined && { allowedHosts: allowHost }),
    ...(sessionHeader !== undefined && { sessionHeader }),
    ...(tokenFile !== undefined && { clients: readTokenFile(resolve(options.cwd ?? '', tokenFile), options.log) }),
    listening: ({ host, port }) => options.log(`listening at http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp`),
  })
}

function invalid(message: string): CallgateError {
  return new CallgateError('invalid_option', message)
}
