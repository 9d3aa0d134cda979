import type { Clock } from '../ports/clock.ts'
import type { StopSignal } from '../ports/stop-signal.ts'

/** A clock that stands still until it is told to advance. */
export type FixedClock = Clock & {
  /** Moves time on by `ms` and wakes, in the order of their deadlines, the sleepers that it passes. */
  advance(ms: number): void
  /** How many sleep now. */
  readonly sleepers: number
}

type Sleeper = { readonly until: number; wake(): void }

/** A clock for tests: `now` begins at `startMs`, `sleep` resolves once `advance` reaches its deadline or its signal aborts. */
export function fixedClock(startMs = 0): FixedClock {
  let now = startMs
  let sleeping: Sleeper[] = []

  const sleep = (ms: number, signal?: StopSignal): Promise<void> => {
    if (ms <= 0 || signal?.aborted === true) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = (): void => {
        sleeping = sleeping.filter((other) => other !== sleeper)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const sleeper: Sleeper = { until: now + ms, wake }
      sleeping.push(sleeper)
      signal?.addEventListener('abort', wake)
    })
  }

  return {
    now: () => now,
    sleep,
    advance(ms) {
      now += ms
      const due = sleeping.filter(({ until }) => until <= now).toSorted((a, b) => a.until - b.until)
      for (const sleeper of due) sleeper.wake()
    },
    get sleepers() {
      return sleeping.length
    },
  }
}
