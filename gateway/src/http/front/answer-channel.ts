import type { ServerResponse } from 'node:http'

/** How a client hears of one request, or of what answers none: as one JSON text, or as a stream of events. */
export type AnswerChannel = {
  /** Whether it can carry more than the one answer. */
  readonly isStream: boolean
  /** Whether the client still listens. */
  readonly isOpen: boolean
  /** Says a line before the answer; resolves when there is room for the next. */
  send(line: Buffer): Promise<void>
  /** Says the answer, with that status where nothing was said before, and ends. */
  finish(line: Buffer, status: number): Promise<void>
  /** Ends without an answer. */
  end(): void
  /** Calls `act` where the client closes it before its end. */
  whenLeft(act: () => void): void
}

/** Waits, in milliseconds: until a stream is begun although nothing is to be said, between two comments on it, for who does not read. */
export type ChannelTimings = { readonly quietMs: number; readonly commentMs: number; readonly stuckMs: number }

/**
 * What a response carries: one JSON text, a stream of events, or what fits: JSON where the answer is the first that is said and
 * comes soon, which then has a status of its own.
 */
export type ChannelForm = 'json' | 'stream' | 'either'

/** The form of a response, and the headers it always has. */
export type ChannelTerms = { readonly form: ChannelForm; readonly headers: Readonly<Record<string, string>>; readonly timings: ChannelTimings }

const BEGIN = Buffer.from('data: ')
const END = Buffer.from('\n\n')
const COMMENT = ': waiting\n\n'
const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
/** Unwritten bytes of one client before what is said to it waits. */
const ROOM_BYTES = 1_048_576

/** Makes a channel over a response; a stream begins at once. */
export function openChannel(response: ServerResponse, { form, headers, timings }: ChannelTerms): AnswerChannel {
  const isStream = form !== 'json'
  let comments: ReturnType<typeof setInterval> | undefined
  const begin = (): void => {
    if (response.headersSent || response.destroyed) return
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' })
    response.flushHeaders()
    comments = setInterval(() => void (response.writableNeedDrain || response.write(COMMENT)), timings.commentMs)
  }
  const isOpen = (): boolean => !response.destroyed && !response.writableEnded
  const quiet = form === 'either' ? setTimeout(begin, timings.quietMs) : undefined
  const stop = (): void => {
    clearTimeout(quiet)
    clearInterval(comments)
  }
  response.once('close', stop)
  // A client that breaks off is one that has left; `close` says so.
  response.on('error', () => undefined)
  if (form === 'stream') begin()
  const room = (): Promise<void> => (response.writableLength > ROOM_BYTES && isOpen() ? roomIn(response, timings.stuckMs) : Promise.resolve())

  return {
    isStream,
    get isOpen() {
      return isOpen()
    },
    send(line) {
      if (!isStream || !isOpen()) return Promise.resolve()
      clearTimeout(quiet)
      begin()
      response.write(eventOf(line))
      return room()
    },
    finish(line, status) {
      stop()
      if (!isOpen()) return Promise.resolve()
      if (response.headersSent) response.end(eventOf(line))
      else response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(line)
      return room()
    },
    end() {
      stop()
      if (!isOpen()) return
      if (isStream) begin()
      else response.writeHead(202, headers)
      stop()
      response.end()
    },
    whenLeft(act) {
      response.once('close', () => void (response.writableFinished || act()))
    },
  }
}

/** A line as an event; a CR in it, which would end the event's line, stands between tokens, where a blank means the same. */
function eventOf(line: Buffer): Buffer {
  const data = Buffer.from(line.at(-1) === LF ? line.subarray(0, -1) : line)
  for (let at = data.indexOf(CR); at !== -1; at = data.indexOf(CR, at + 1)) data[at] = SPACE
  return Buffer.concat([BEGIN, data, END])
}

/** Waits until a client reads; one that does not for `stuckMs` is closed. */
function roomIn(response: ServerResponse, stuckMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), stuckMs)
    const done = (): void => {
      clearTimeout(timer)
      resolve()
    }
    response.once('drain', done)
    response.once('close', done)
  })
}
