import { startServer } from './child-server.ts'
import type { ChildServer } from './child-server.ts'
import { holdStream } from './hold-stream.ts'
import { listenForStop } from './listen-for-stop.ts'
import { relayStderr } from './relay-stderr.ts'
import type { GatewayTerms, StdioGatewayOptions } from './stdio-gateway-options.ts'

const KEEP_ALIVE_MS = 1_000_000_000

/**
 * Puts a gate between an MCP client and a stdio server until one of them ends, and resolves with the server's exit code
 * (128 and the number for a signal; 2 where it did not start). No process that the server started is left, and no request
 * is left without an answer. Rejects with what is wrong in the typing or in the rules; the server is killed then, and has
 * heard nothing.
 */
export function runStdioGateway(options: StdioGatewayOptions): Promise<number> {
  return runBefore(startServer(options), options)
}

/** The same in front of a server that was just started or connected to, whose output nobody has read yet. */
export async function runBefore(server: ChildServer, options: GatewayTerms): Promise<number> {
  // The clock's timers let a process end; this one holds it until everything is in order.
  const keepAlive = setInterval(() => undefined, KEEP_ALIVE_MS)
  const release = holdStream(server.stdout)
  const stderr = relayStderr(server.stderr, options.stderr ?? process.stderr)
  const stop = listenForStop(options.signal, () => server.kill('SIGKILL'))
  try {
    // All that decides is loaded while the server starts, which takes longer.
    const { accompany } = await import('./accompany.ts')
    return await accompany({ server, release, stderr, stop, options })
  } catch (error) {
    server.kill('SIGKILL')
    server.stdin.destroy()
    server.stdout.destroy()
    throw error
  } finally {
    stderr.stop()
    stop.release()
    clearInterval(keepAlive)
  }
}
