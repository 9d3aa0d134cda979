import type { ExchangeEnd } from './exchange.ts'
import { oneLine } from '../one-line.ts'
import { runExchange } from './post-message.ts'
import type { PostPorts } from './post-message.ts'

const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 30_000

/**
 * Keeps the stream open on which a server says what answers no request, for as long as its session lives; ends where the
 * server has none. Between two tries pass what the server asks for, or 1 s and twice as much after each failure, at most 30 s.
 */
export async function keepServerStream(ports: PostPorts, signal: AbortSignal): Promise<void> {
  const { session, credentials, clock } = ports
  const sessionId = session.id
  let lastId: string | undefined
  let failures = 0
  while (!signal.aborted && session.id === sessionId) {
    const from = lastId === undefined ? {} : { 'last-event-id': lastId }
    const headers = { accept: 'text/event-stream', ...credentials, ...session.headers(), ...from }
    const data = (bytes: Buffer): void => {
      failures = 0
      ports.say(oneLine(bytes))
    }
    const end = await runExchange(ports, { method: 'GET', headers }, { data }, signal)
    if (signal.aborted || hasNoStream(end, ports.log)) return
    if (end.kind === 'streamed') lastId = end.lastId ?? lastId
    const wanted = end.kind === 'streamed' && end.retryMs !== undefined ? end.retryMs : FIRST_RETRY_MS * 2 ** Math.min(failures, 5)
    failures += 1
    await clock.sleep(Math.min(Math.max(wanted, 1), MAX_RETRY_MS), signal)
  }
}

/** A server may do without this stream; 405 is how it says so. */
function hasNoStream(end: ExchangeEnd, log: (line: string) => void): boolean {
  if (end.kind !== 'answered' || end.status >= 500) return false
  if (end.status !== 405) log(`the server has no stream of its own messages (it answered the GET with ${end.status})`)
  return true
}
