import type { Clock, Random } from '@callgate/core'
import { ownRequest } from '../wire/answers.ts'
import { idKey, OWN_ID_PREFIX } from '../wire/raw-id.ts'
import type { WireMessage } from '../wire/read-message.ts'

/** The server's answer to a request of the gateway's own. */
export type OwnAnswer = WireMessage & { readonly kind: 'response' }

/** Requests that the gateway itself sends to the server; their answers never reach the client. */
export type OwnRequests = {
  /** Resolves with the answer; undefined where none came within `timeoutMs`, or none can come any more. */
  ask(method: string, params: string, timeoutMs: number): Promise<OwnAnswer | undefined>
  /** Takes an answer under an id of the gateway's own; one that nobody waits for is dropped. */
  answered(answer: OwnAnswer): void
  /** No answer will come: the server is gone. */
  close(): void
  readonly count: number
}

/** Makes the sender; callers ask one thing at a time, so what waits is bounded by them. */
export function createOwnRequests(ports: {
  readonly clock: Clock
  readonly random: Random
  toServer(bytes: Buffer): void
}): OwnRequests {
  const waiting = new Map<string, (answer: OwnAnswer | undefined) => void>()
  let isClosed = false

  return {
    async ask(method, params, timeoutMs) {
      if (isClosed) return undefined
      const id = `${OWN_ID_PREFIX}${ports.random.id()}`
      const timer = new AbortController()
      const answer = new Promise<OwnAnswer | undefined>((resolve) => waiting.set(idKey(id), resolve))
      ports.toServer(ownRequest(id, method, params))
      try {
        return await Promise.race([answer, ports.clock.sleep(timeoutMs, timer.signal).then(() => undefined)])
      } finally {
        waiting.delete(idKey(id))
        timer.abort()
      }
    },
    answered(answer) {
      if (answer.id !== undefined) waiting.get(answer.id.key)?.(answer)
    },
    close() {
      isClosed = true
      for (const resolve of waiting.values()) resolve(undefined)
    },
    get count() {
      return waiting.size
    },
  }
}
