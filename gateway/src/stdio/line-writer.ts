import type { Writable } from 'node:stream'

/** Writes whole lines to a stream; what is written in one turn of the event loop goes out together. */
export type LineWriter = {
  write(bytes: Buffer): void
  /** True while the stream asks its writers to wait; `onDrain` is called when it no longer does. */
  readonly isBackedUp: boolean
  /** Bytes that were written here and not yet taken by the reader's side. */
  readonly backlog: number
  readonly isGone: boolean
  end(): void
  /** Resolves when all that was written is out, or the stream is gone. */
  flushed(): Promise<void>
}

/** What a writer reports: room to write again, and once that the other side is gone (also after `end`). */
export type WriterEvents = { onDrain(): void; onGone(error: Error | undefined): void }

/** Makes a writer over `stream`, whose errors end here: after one, what is written is dropped. */
export function createLineWriter(stream: Writable, { onDrain, onGone }: WriterEvents): LineWriter {
  let isCorked = false
  let isGone = false

  const leave = (error?: Error): void => {
    if (isGone) return
    isGone = true
    onGone(error)
  }
  const uncork = (): void => {
    isCorked = false
    stream.uncork()
  }
  stream.on('error', leave)
  stream.on('close', () => leave())
  stream.on('drain', onDrain)
  // It may have been closed before anybody listened, and does not say so twice.
  if (stream.destroyed) process.nextTick(leave)

  return {
    write(bytes) {
      if (isGone || stream.writableEnded) return
      if (!isCorked) {
        isCorked = true
        stream.cork()
        process.nextTick(uncork)
      }
      stream.write(bytes)
    },
    get isBackedUp() {
      return !isGone && stream.writableNeedDrain
    },
    get backlog() {
      return stream.writableLength
    },
    get isGone() {
      return isGone
    },
    end() {
      if (!isGone && !stream.writableEnded) stream.end()
    },
    flushed: () =>
      new Promise((resolve) => {
        if (isGone || stream.writableEnded) return resolve()
        stream.once('close', resolve)
        stream.write('', () => resolve())
      }),
  }
}
