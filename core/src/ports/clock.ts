import type { StopSignal } from './stop-signal.ts'

/** Time, handed in: `now` in milliseconds since the epoch; `sleep` resolves after `ms`, or at once when `signal` aborts. */
export type Clock = {
  now(): number
  sleep(ms: number, signal?: StopSignal): Promise<void>
}
