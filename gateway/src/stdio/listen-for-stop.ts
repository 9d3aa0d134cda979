const ASKING = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** That somebody wants the gateway to end. */
export type StopRequest = {
  /** Resolves when it was first asked to. */
  readonly asked: Promise<void>
  readonly isAsked: boolean
  /** Gives the process's signals back. */
  release(): void
}

/**
 * Listens to `signal`, or where it is absent to SIGTERM, SIGINT and SIGHUP of this process. `insisted` is called when a
 * signal of the process comes again, and at the process's exit, where no code can wait any more.
 */
export function listenForStop(signal: AbortSignal | undefined, insisted: () => void): StopRequest {
  let isAsked = signal?.aborted ?? false
  let ask: () => void = () => undefined
  const asked = new Promise<void>((resolve) => {
    ask = resolve
  })
  const heard = (): void => {
    if (isAsked) return insisted()
    isAsked = true
    ask()
  }
  if (isAsked) ask()
  signal?.addEventListener('abort', heard)
  if (signal === undefined) for (const name of ASKING) process.on(name, heard)
  process.on('exit', insisted)
  return {
    asked,
    get isAsked() {
      return isAsked
    },
    release() {
      signal?.removeEventListener('abort', heard)
      for (const name of ASKING) process.off(name, heard)
      process.off('exit', insisted)
    },
  }
}
