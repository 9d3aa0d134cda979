import type { Readable, Writable } from 'node:stream'

/** What a server writes to its stderr, on its way. */
export type StderrRelay = {
  /** Resolves when the server, and all who hold its stderr, write nothing more. */
  readonly ended: Promise<void>
  /** Lets go of both ends, whoever still holds the server's. */
  stop(): void
}

/** Passes bytes on as they come, read as fast as `to` takes them; where `to` fails they are read and dropped. */
export function relayStderr(from: Readable, to: Writable): StderrRelay {
  const resume = (): void => void from.resume()
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) from.on(event, () => resolve())
  })
  const isOver = (): boolean => to.destroyed || to.writableEnded || to.errored !== null
  const pass = (chunk: Buffer): void => {
    if (isOver()) return
    to.write(chunk)
    if (to.writableNeedDrain && !isOver()) from.pause()
  }
  const leaving = ['drain', 'error', 'close'] as const
  for (const event of leaving) to.on(event, resume)
  from.on('data', pass)
  return {
    ended,
    stop() {
      for (const event of leaving) to.off(event, resume)
      from.off('data', pass)
      from.destroy()
    },
  }
}
