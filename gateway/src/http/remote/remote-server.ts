import { PassThrough, Writable } from 'node:stream'
import type { Clock } from '@callgate/core'
import type { ChildServer, ServerEnd } from '../../stdio/child-server.ts'
import { createHappening } from '../../stdio/happening.ts'
import type { RawId } from '../../wire/raw-id.ts'
import { createExchanges } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { createMessageSender } from './message-sender.ts'
import { createParamCatalogue } from './param-catalogue.ts'
import { runExchange } from './post-message.ts'
import type { PostPorts } from './post-message.ts'
import { createRemoteSession } from './remote-session.ts'

/** A server over Streamable HTTP. Times are milliseconds, sizes bytes. */
export type RemoteTerms = {
  readonly url: URL
  /** Headers of every request; never logged. */
  readonly credentials: Readonly<Record<string, string>>
  /** One message of the server. */
  readonly lineBytes: number
  /** Messages that were posted and that the system has not taken yet. */
  readonly backlogBytes: number
  /** For beginning another session in place of one that the server has lost. */
  readonly renewMs: number
  /** How long a connection that nobody uses is kept. */
  readonly freeSocketMs?: number
  readonly clock: Clock
  log(line: string): void
}

/** A URL as it may be shown: without its query, its user and its fragment. */
export function placeOf({ origin, pathname }: URL): string {
  return `${origin}${pathname}`
}

/**
 * A server over Streamable HTTP as if it were a process: lines in, lines out. It ends when its input was closed, after its
 * session was ended too, or when it no longer knows the session and begins no other.
 */
export function connectRemote({ url, credentials, clock, log, ...terms }: RemoteTerms): ChildServer {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  stderr.end()
  const over = createHappening()
  const state: { end?: ServerEnd; lost?: (id: RawId, why: string) => void } = {}
  const exchanges = createExchanges(url, terms.lineBytes, terms.freeSocketMs)
  const { say, track } = createMouth(stdout)
  const ports: PostPorts = {
    exchanges,
    session: createRemoteSession(),
    params: createParamCatalogue(),
    credentials,
    clock,
    say,
    track,
    log,
  }
  const finish = (end: ServerEnd): void => {
    if (state.end !== undefined) return
    state.end = end
    sender.close()
    exchanges.close()
    stdout.end()
    over.happen()
  }
  const sender = createMessageSender(ports, { ...terms, place: placeOf(url) }, {
    lost: (id, why) => state.lost?.(id, why),
    gone: (why) => finish({ kind: 'lost', why }),
  })
  const stdin = new Writable({
    write: (line: Buffer, _encoding, done) => void sender.send(line).then(() => done(), done),
    final(done) {
      sender.close()
      void endSession(ports).then(() => finish(ENDED))
      done()
    },
  })

  return {
    stdin,
    stdout,
    stderr,
    ended: over.promise.then(() => state.end ?? ENDED),
    // The session's end is waited for, in the bounds of who ends us.
    kill: (signal) => (signal === 'SIGKILL' ? finish(ENDED) : undefined),
    isAlive: () => state.end === undefined,
    whenStuck: sender.whenStuck,
    attach({ answerLost }) {
      state.lost = answerLost
    },
  }
}

const ENDED: ServerEnd = { kind: 'exited', code: 0 }

/** Tells the server that its session is over; whether it takes that is its own affair. */
async function endSession(ports: PostPorts): Promise<void> {
  if (ports.session.id === undefined) return
  const headers = { ...ports.credentials, ...ports.session.headers() }
  await runExchange(ports, { method: 'DELETE', headers }, {}, new AbortController().signal)
}

/** Where all exchanges speak; while what they say is not read, none of them is. */
function createMouth(stdout: PassThrough): { say(line: Buffer): void; track(exchange: Exchange): void } {
  const open = new Set<Exchange>()
  let isFull = false
  stdout.on('drain', () => {
    isFull = false
    for (const exchange of open) exchange.resume()
  })
  return {
    say(line) {
      if (stdout.writableEnded || stdout.write(line) || isFull) return
      isFull = true
      for (const exchange of open) exchange.pause()
    },
    track(exchange) {
      open.add(exchange)
      if (isFull) exchange.pause()
      void exchange.ended.then(() => open.delete(exchange))
    },
  }
}
