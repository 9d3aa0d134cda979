import type { Clock, Hold } from '@callgate/core'

/** How a wait ended: the hold moved or is past its deadline, the patience with it is over, or somebody stopped the wait. */
export type WaitEnd = 'moved' | 'timeout' | 'stopped'

/** One wait: which hold, until when (milliseconds since the epoch), and who is told that it still stands. */
export type PersonWait = {
  readonly hold: { readonly id: string; readonly expiresAt: number }
  readonly until: number
  readonly signal: AbortSignal
  /** Called at once and then every `progressMs`; absent where the client gave no progress token. */
  readonly progress?: () => void
}

/** What a wait looks at, and how often (milliseconds). */
export type WaitPorts = {
  readonly clock: Clock
  readonly pollMs: number
  readonly progressMs: number
  hold(id: string): Promise<Hold | undefined>
  log(line: string): void
}

/** Waits until a hold is no longer pending. A store that does not answer is asked again, until the wait's own end. */
export async function waitForPerson(ports: WaitPorts, { hold, until, signal, progress }: PersonWait): Promise<WaitEnd> {
  const { clock } = ports
  let nextProgress = clock.now()
  for (;;) {
    if (signal.aborted) return 'stopped'
    const now = clock.now()
    if (now >= hold.expiresAt || (await hasMoved(ports, hold.id))) return 'moved'
    if (now >= until) return 'timeout'
    if (progress !== undefined && now >= nextProgress) {
      progress()
      nextProgress += ports.progressMs
    }
    await clock.sleep(Math.min(ports.pollMs, until - now), signal)
  }
}

async function hasMoved({ hold, log }: WaitPorts, id: string): Promise<boolean> {
  try {
    return (await hold(id))?.status !== 'pending'
  } catch (error) {
    log(`approval ${id} could not be read, and is looked for again: ${String(error)}`)
    return false
  }
}
