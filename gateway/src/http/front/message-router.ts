import type { AnswerChannel } from './answer-channel.ts'
import { readServerLine } from './renumber.ts'
import type { ClientNames } from './renumber.ts'

/** A request that waits for its answer, and how its client hears of it. */
export type Waiting = { readonly key: string; readonly names: ClientNames; readonly channel: AnswerChannel; readonly isModern: boolean }

/** Where what the gateway says to one client goes. */
export type MessageRouter = {
  /** Waits for the answer to the request of that number. */
  expect(number: number, waiting: Waiting): void
  /** The newest number whose request has the client's id `key`; undefined where none waits. */
  numberOf(key: string): number | undefined
  /** No answer is wanted any more: ends its channel. */
  drop(number: number): void
  /** Takes a line; resolves when there is room for the next. */
  take(line: Buffer): Promise<void>
  /** What answers no request goes to this channel from now on, and what was kept for it first. */
  listen(channel: AnswerChannel): void
  /** Whether a client is there: for an answer, or for what answers nothing. */
  readonly isBusy: boolean
  /** Ends all channels; what still waits hears `line`. */
  close(answer: (names: ClientNames) => Buffer): void
}

const MAX_KEPT = 1_000
const MAX_KEPT_BYTES = 4_194_304
/** How JSON-RPC errors of the era without sessions show in the status. */
const STATUS: Readonly<Record<string, number>> = { '-32700': 400, '-32600': 400, '-32601': 404, '-32020': 400, '-32021': 400, '-32022': 400 }

/** Makes a router; `keeps` where what nobody listens to waits for who will, in bounds. */
export function createMessageRouter({ keeps, log }: { readonly keeps: boolean; log(line: string): void }): MessageRouter {
  const waiting = new Map<number, Waiting>()
  const kept = createKept(log)
  let listener: AnswerChannel | undefined

  const listening = (): AnswerChannel | undefined => (listener?.isOpen === true ? listener : undefined)
  const newest = (): AnswerChannel | undefined =>
    [...waiting.values()].findLast(({ channel }) => channel.isStream && channel.isOpen)?.channel
  const takeOther = (line: Buffer, isAsking: boolean): Promise<void> => {
    // What a call asks or tells belongs on the call's stream, as far as anybody can tell which that is.
    const channel = isAsking ? (newest() ?? listening()) : (listening() ?? newest())
    if (channel !== undefined) return channel.send(line)
    if (keeps) kept.add(line)
    return Promise.resolve()
  }
  const finish = (number: number, { channel, isModern }: Waiting, line: Buffer, errorCode = ''): Promise<void> => {
    waiting.delete(number)
    return channel.finish(line, isModern ? (STATUS[errorCode] ?? 200) : 200)
  }

  return {
    expect(number, entry) {
      waiting.set(number, entry)
      if (entry.channel.isStream) for (const line of kept.takeAll()) void entry.channel.send(line)
    },
    numberOf: (key) => [...waiting].findLast(([, entry]) => entry.key === key)?.[0],
    drop(number) {
      waiting.get(number)?.channel.end()
      waiting.delete(number)
    },
    async take(line) {
      const read = readServerLine(line)
      if (read.kind === 'other') return takeOther(line, read.isAsking)
      const entry = read.kind === 'stray' ? undefined : waiting.get(read.number)
      if (read.kind === 'stray' || entry === undefined) return
      const restored = read.restore(entry.names)
      return read.kind === 'answer' ? finish(read.number, entry, restored, read.errorCode) : entry.channel.send(restored)
    },
    listen(channel) {
      listener?.end()
      listener = channel
      for (const line of kept.takeAll()) void channel.send(line)
    },
    get isBusy() {
      return listening() !== undefined || [...waiting.values()].some(({ channel }) => channel.isOpen)
    },
    close(answer) {
      for (const [number, entry] of waiting) void finish(number, entry, answer(entry.names))
      listener?.end()
    },
  }
}

type Kept = { add(line: Buffer): void; takeAll(): readonly Buffer[] }

/** Keeps lines until somebody listens; beyond its bounds the oldest is dropped. */
function createKept(log: (line: string) => void): Kept {
  let lines: Buffer[] = []
  let bytes = 0
  let hasSaid = false
  return {
    add(line) {
      lines.push(line)
      bytes += line.length
      while (lines.length > MAX_KEPT || bytes > MAX_KEPT_BYTES) {
        bytes -= lines.shift()?.length ?? 0
        if (!hasSaid) log('a client does not listen to what the server says unasked; the oldest of it is dropped')
        hasSaid = true
      }
    },
    takeAll() {
      const all = lines
      lines = []
      bytes = 0
      return all
    },
  }
}
