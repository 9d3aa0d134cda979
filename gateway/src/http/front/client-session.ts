import { PassThrough, Writable } from 'node:stream'
import { errorAnswer } from '../../wire/answers.ts'
import { INTERNAL_ERROR } from '../../calls/settle-gated-call.ts'
import { readRawId } from '../../wire/raw-id.ts'
import type { RawId } from '../../wire/raw-id.ts'
import { lastMember } from '../../wire/read-message.ts'
import type { WireMessage } from '../../wire/read-message.ts'
import type { AnswerChannel } from './answer-channel.ts'
import { createMessageRouter } from './message-router.ts'
import type { MessageRouter } from './message-router.ts'
import { renumberCancel, renumberRequest } from './renumber.ts'

type Message<K extends WireMessage['kind']> = Extract<WireMessage, { readonly kind: K }>

/** One client's connection to a server of its own, over as many requests as it likes. */
export type ClientSession = {
  /** Takes a request, and answers it on `channel`. */
  ask(message: Message<'request'>, channel: AnswerChannel, isModern: boolean): Promise<void>
  /** Takes a message that wants no answer, as the bytes of one line. */
  tell(message: Message<'notification' | 'response'>, line: Buffer): Promise<void>
  /** What answers no request goes to this channel from now on. */
  listen(channel: AnswerChannel): void
  /** When it was last used, in milliseconds since the epoch; undefined while it is in use. */
  readonly idleSince: number | undefined
  /** No message comes any more: what is in flight is waited for in bounds, then the server is ended. */
  close(): void
  /** Resolves when its server has ended and nothing waits any more. Rejects with what is wrong in the typing or in the rules. */
  readonly ended: Promise<void>
}

/** A session's two streams, for who runs a gateway between them and a server. */
export type SessionEnds = {
  readonly input: PassThrough
  readonly output: Writable
  readonly signal: AbortSignal
  connected(relay: { clientLeft(id: RawId): void }): void
}

/** What a session is made with. */
export type SessionTerms = {
  /** Whether one client has the session for itself: then what nobody listens to is kept until it does, and its cancels count. */
  readonly isOwn: boolean
  now(): number
  log(line: string): void
  /** Runs a gateway over the ends until either side ends. */
  run(ends: SessionEnds): Promise<number>
}

const READ_POLL_MS = 20
const OVER = 'The connection to the server has ended. Nothing was executed. Connect anew.'
const LOST = 'The connection to the server has ended. Whether the request was carried out is unknown.'

/** Makes a session and runs its gateway. */
export function createClientSession({ isOwn, now, log, run }: SessionTerms): ClientSession {
  const router = createMessageRouter({ keeps: isOwn, log })
  const input = new PassThrough()
  const stop = new AbortController()
  const leaver = createLeaver(input)
  const state = { usedAt: now(), count: 0 }

  const write = (line: Buffer): Promise<void> => {
    state.usedAt = now()
    return writeTo(input, line)
  }
  const leave = (number: number, isModern: boolean): void => {
    state.usedAt = now()
    if (!isModern) return leaver.leave(number)
    // Without sessions a closed response is a cancel, and the server hears so.
    void write(cancelOf(number))
    router.drop(number)
  }
  const ended = run({ input, output: outputTo(router), signal: stop.signal, connected: leaver.connected })
    .finally(() => {
      router.close(({ id }) => errorAnswer({ text: id, key: '' }, INTERNAL_ERROR, LOST))
      input.destroy()
    })
    .then(() => undefined)

  return {
    ended,
    ask(message, channel, isModern) {
      if (input.destroyed || input.writableEnded) return channel.finish(errorAnswer(message.id, INTERNAL_ERROR, OVER), 200)
      state.count += 1
      const number = state.count
      const { line, names } = renumberRequest(message, number)
      router.expect(number, { key: message.id.key, names, channel, isModern })
      channel.whenLeft(() => leave(number, isModern))
      return write(line)
    },
    async tell(message, line) {
      if (message.kind === 'response' || message.method !== 'notifications/cancelled') return write(line)
      // Without sessions the id may be that of another client's request, and a cancel is a closed response.
      if (!isOwn) return
      const key = readRawId(message.text, lastMember(lastMember(message.root, 'params'), 'requestId'))?.key
      const number = key === undefined ? undefined : router.numberOf(key)
      if (number === undefined) return
      await write(renumberCancel(message, number))
      router.drop(number)
    },
    listen(channel) {
      state.usedAt = now()
      channel.whenLeft(() => void (state.usedAt = now()))
      router.listen(channel)
    },
    get idleSince() {
      return router.isBusy ? undefined : state.usedAt
    },
    close() {
      input.end()
    },
  }
}

function writeTo(input: PassThrough, line: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (input.writableEnded || input.write(line)) return resolve()
    for (const event of ['drain', 'close']) input.once(event, () => resolve())
  })
}

function outputTo(router: MessageRouter): Writable {
  return new Writable({
    write(line: Buffer, _encoding, done) {
      // Whoever asks whether all is out writes nothing.
      if (line.length === 0) return done()
      router.take(line).then(() => done(), done)
    },
  })
}

type Leaver = { leave(number: number): void; connected: SessionEnds['connected'] }

/** Tells that nobody listens for an answer, once the request itself was read: what is not known cannot be let go. */
function createLeaver(input: PassThrough): Leaver {
  const state: { tell?: (id: RawId) => void } = {}
  const leave = (number: number): void => {
    if (input.destroyed) return
    if (state.tell === undefined || input.readableLength + input.writableLength > 0) return void setTimeout(() => leave(number), READ_POLL_MS).unref()
    state.tell({ text: String(number), key: `n${number}` })
  }
  return {
    leave,
    connected({ clientLeft }) {
      state.tell = clientLeft
    },
  }
}

function cancelOf(number: number): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${number},"reason":"The client closed the response."}}\n`)
}
