import type { Clock } from '../ports/clock.ts'
import type { StopSignal } from '../ports/stop-signal.ts'

/** The system's clock; a sleep does not keep the process alive. */
export function systemClock(): Clock {
  return { now: () => Date.now(), sleep }
}

function sleep(ms: number, signal?: StopSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    timer.unref()
    signal?.addEventListener('abort', done)
  })
}
