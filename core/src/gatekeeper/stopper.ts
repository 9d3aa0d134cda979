import type { StopSignal } from '../ports/stop-signal.ts'

/** A signal and the means to raise it, without a platform's `AbortController`. */
export type Stopper = { readonly signal: StopSignal; stop(): void }

/** Makes a signal that `stop` raises once. */
export function createStopper(): Stopper {
  const listeners = new Set<() => void>()
  let aborted = false
  return {
    signal: {
      get aborted() {
        return aborted
      },
      addEventListener: (_type, listener) => void listeners.add(listener),
      removeEventListener: (_type, listener) => void listeners.delete(listener),
    },
    stop() {
      aborted = true
      for (const listener of listeners) listener()
    },
  }
}
