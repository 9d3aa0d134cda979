import type { Writable } from 'node:stream'
import type { Clock } from '@callgate/core'

/** Lines for a person who may not read them. */
export type LineLog = {
  line(message: string): void
  /** Says what was dropped and not said yet. */
  close(): void
}

const UNREAD_BYTES = 65_536
const BURST = 1_000
const MS_PER_LINE = 100

/**
 * Makes a log that never waits: a line is dropped while more than 64 KiB are unread, and after 1,000 lines at once beyond
 * ten a second; how many were dropped is said as soon as there is room. `format` makes a line of a message, LF included.
 */
export function createLineLog(stream: Writable, format: (message: string) => string, clock: Pick<Clock, 'now'>): LineLog {
  let dropped = 0
  let isWaiting = false
  let room = BURST
  let filledAt = clock.now()

  const hasRoom = (): boolean => {
    const now = clock.now()
    room = Math.min(BURST, room + Math.max(0, now - filledAt) / MS_PER_LINE)
    filledAt = now
    return room >= 1
  }
  const drained = (): void => {
    isWaiting = false
    sayDropped()
  }
  const sayDropped = (): void => {
    if (dropped === 0 || stream.destroyed || stream.writableLength > UNREAD_BYTES) return
    const lines = `… ${dropped} ${dropped === 1 ? 'line was' : 'lines were'} dropped`
    dropped = 0
    stream.write(format(lines))
  }
  return {
    line(message) {
      if (stream.destroyed) return
      if (stream.writableLength > UNREAD_BYTES || !hasRoom()) {
        if (!isWaiting) stream.once('drain', drained)
        isWaiting = true
        dropped += 1
        return
      }
      room -= 1
      sayDropped()
      stream.write(format(message))
    },
    close() {
      stream.off('drain', drained)
      sayDropped()
    },
  }
}
