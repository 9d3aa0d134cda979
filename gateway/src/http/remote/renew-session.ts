import { readMessage } from '../../wire/read-message.ts'
import { postMessage } from './post-message.ts'
import type { PostEnd, PostPorts } from './post-message.ts'

/**
 * Begins another session as the client began the first, once: its own `initialize` is sent again, and the answer is kept from
 * it. Resolves with why that was not possible, as a clause; undefined where the new session stands.
 */
export async function renewSession(ports: PostPorts, signal: AbortSignal): Promise<string | undefined> {
  const { session } = ports
  const { initialize, initialized } = session.opening
  const before = session.headers()['mcp-protocol-version']
  session.forget()
  const unheard: PostPorts = { ...ports, say: () => undefined }
  const begun = initialize === undefined ? undefined : await post(unheard, initialize, signal)
  if (begun?.isAnswered !== true) return 'it begins no other'
  if (session.headers()['mcp-protocol-version'] !== before) return 'its protocol version is another than before'
  if (initialized !== undefined) await post(unheard, initialized, signal)
  return undefined
}

async function post(ports: PostPorts, line: Buffer, signal: AbortSignal): Promise<PostEnd | undefined> {
  const message = readMessage(line)
  return message.kind === 'request' || message.kind === 'notification'
    ? postMessage(ports, { message, line }, { signal })
    : undefined
}
