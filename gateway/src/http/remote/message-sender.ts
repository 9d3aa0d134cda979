import { errorAnswer } from '../../wire/answers.ts'
import { isOwnId, readRawId } from '../../wire/raw-id.ts'
import type { RawId } from '../../wire/raw-id.ts'
import { lastMember, readMessage } from '../../wire/read-message.ts'
import { messageOf } from '../../calls/own-refusal.ts'
import { INTERNAL_ERROR } from '../../calls/settle-gated-call.ts'
import { within } from '../../stdio/end-server.ts'
import { createHappening } from '../../stdio/happening.ts'
import { readModernHead } from '../message-head.ts'
import { postMessage } from './post-message.ts'
import type { Outgoing, PostEnd, PostPorts } from './post-message.ts'
import { describeFailure } from './remote-failure.ts'
import { renewSession } from './renew-session.ts'
import { keepServerStream } from './server-stream.ts'

/** Posts messages in the order in which they come; the answers come when they come. */
export type MessageSender = {
  /** Resolves when the next message may come. Never rejects. */
  send(line: Buffer): Promise<void>
  /** Gives up all that is under way. */
  close(): void
  /** Calls `act` once the server has taken no message for `ms`; the returned function stops the watch. */
  whenStuck(ms: number, act: () => void): () => void
}

/** What the sender reports, beside what the server says. */
export type SenderEvents = {
  /** A request gets no answer, and may have been carried out. */
  lost(id: RawId, why: string): void
  /** The server does not know the session any more, and begins no other. */
  gone(why: string): void
}

/** The server as messages name it, and the bounds: milliseconds and bytes. */
export type SenderTerms = { readonly place: string; readonly renewMs: number; readonly backlogBytes: number }

type Post = { readonly key?: string; readonly isModern: boolean; readonly controller: AbortController }

/** Makes a sender; what is posted and not yet taken is bounded, what is in flight is bounded by who sends. */
export function createMessageSender(ports: PostPorts, terms: SenderTerms, events: SenderEvents): MessageSender {
  const posts = new Set<Post>()
  const stream = createStream(ports)
  const room = createRoom(terms.backlogBytes)
  const renew = createRenewal(ports, terms, stream.open)
  let turn: Promise<unknown> = Promise.resolve()

  const post = async (outgoing: Outgoing, entry: Post, answered: () => void): Promise<void> => {
    const sessionId = ports.session.id
    const { signal } = entry.controller
    const bytes = outgoing.line.length
    room.take(bytes)
    let done = await postMessage(ports, outgoing, { signal, answered, sent: () => room.give(bytes) })
    const why = isSessionLost(done, entry, sessionId) ? await renew(sessionId) : undefined
    // The server said that it took nothing: this alone may be sent once more (contract 10).
    if (isSessionLost(done, entry, sessionId) && why === undefined) done = await postMessage(ports, outgoing, { signal })
    posts.delete(entry)
    report(ports, terms, events, outgoing, done)
    if (why !== undefined) events.gone(why)
    else if (isBegun(outgoing, done)) stream.open()
  }

  return {
    async send(line) {
      await turn
      const message = readMessage(line)
      if (message.kind !== 'request' && message.kind !== 'notification' && message.kind !== 'response') return
      const cancelled = cancelledKey(message)
      const waiting = [...posts].find(({ key, isModern }) => isModern && cancelled !== undefined && key === cancelled)
      // In the era without sessions who closes the response cancels, and the server is told nothing else.
      if (waiting !== undefined) return waiting.controller.abort()
      const isModern = message.kind !== 'response' && readModernHead(message) !== undefined
      const key = message.kind === 'request' ? { key: message.id.key } : {}
      const entry: Post = { ...key, isModern, controller: new AbortController() }
      posts.add(entry)
      const answered = createHappening()
      const done = post({ message, line }, entry, answered.happen).catch((error: unknown) => {
        posts.delete(entry)
        ports.log(`a message was not posted: ${messageOf(error)}`)
        if (message.kind === 'request') events.lost(message.id, 'The gateway could not post the message.')
      })
      if (opensSession(message)) turn = Promise.race([done, answered.promise])
      await room.made()
    },
    close() {
      stream.close()
      for (const { controller } of posts) controller.abort()
    },
    whenStuck: room.whenStuck,
  }
}

type Message = Outgoing['message']

/** What others wait for: their headers come of its answer, or the server knows them only after it. */
function opensSession(message: Message): boolean {
  return message.kind !== 'response' && (message.method === 'initialize' || message.method === 'notifications/initialized')
}

function isBegun({ message }: Outgoing, { end }: PostEnd): boolean {
  const isInitialized = message.kind === 'notification' && message.method === 'notifications/initialized'
  return isInitialized && end.kind === 'answered' && end.status < 300
}

function isSessionLost({ end, isAnswered }: PostEnd, { isModern }: Post, sessionId: string | undefined): boolean {
  return sessionId !== undefined && !isModern && !isAnswered && end.kind === 'answered' && end.status === 404
}

function cancelledKey(message: Message): string | undefined {
  if (message.kind !== 'notification' || message.method !== 'notifications/cancelled') return undefined
  return readRawId(message.text, lastMember(lastMember(message.root, 'params'), 'requestId'))?.key
}

function report(ports: PostPorts, { place }: SenderTerms, { lost }: SenderEvents, { message }: Outgoing, { end, isAnswered }: PostEnd): void {
  if (isAnswered) return
  const isTaken = end.kind === 'streamed' || (end.kind === 'answered' && end.status < 300)
  const { kind, why } = describeFailure(end, place)
  if (message.kind !== 'request') return isTaken ? undefined : ports.log(`a message without an answer did not arrive: ${why}`)
  if (kind === 'lost' && !isOwnId(message.id)) return lost(message.id, why)
  ports.say(errorAnswer(message.id, INTERNAL_ERROR, `${why} Nothing was executed.`))
}

/** The one stream of a session on which the server says what answers nothing. */
function createStream(ports: PostPorts): { open(): void; close(): void } {
  let controller = new AbortController()
  let isClosed = false
  return {
    open() {
      if (isClosed) return
      controller.abort()
      controller = new AbortController()
      keepServerStream(ports, controller.signal).catch((error: unknown) => ports.log(`the server's own stream failed: ${String(error)}`))
    },
    close() {
      isClosed = true
      controller.abort()
    },
  }
}

/** Begins another session in place of a lost one, once however many messages found it lost. */
function createRenewal(
  ports: PostPorts,
  { place, renewMs }: SenderTerms,
  renewed: () => void,
): (lost: string | undefined) => Promise<string | undefined> {
  let current: Promise<string | undefined> | undefined
  const renew = async (): Promise<string | undefined> => {
    const controller = new AbortController()
    const renewal = renewSession(ports, controller.signal)
    const isInTime = await within(ports.clock, renewMs, renewal)
    controller.abort()
    const why = isInTime ? await renewal : `it did not answer within ${renewMs} ms`
    if (why === undefined) renewed()
    return why === undefined ? undefined : `The server at ${place} does not know the session any more, and ${why}. Connect anew.`
  }
  return async (lost) => {
    if (current === undefined && ports.session.id !== lost) return undefined
    current ??= renew().finally(() => {
      current = undefined
    })
    return current
  }
}

type Room = {
  take(bytes: number): void
  give(bytes: number): void
  made(): Promise<void>
  whenStuck(ms: number, act: () => void): () => void
}

/** Counts the bytes that were posted and that the system has not taken yet. */
function createRoom(most: number): Room {
  const waiting: (() => void)[] = []
  let bytes = 0
  let given = 0
  return {
    take(taken) {
      bytes += taken
    },
    give(back) {
      bytes -= back
      given += 1
      if (bytes <= most) for (const resolve of waiting.splice(0)) resolve()
    },
    made: () => new Promise((resolve) => (bytes <= most ? resolve() : waiting.push(resolve))),
    whenStuck(ms, act) {
      let seen = given
      const timer = setInterval(() => {
        if (seen === given) act()
        seen = given
      }, ms)
      return () => clearInterval(timer)
    },
  }
}
