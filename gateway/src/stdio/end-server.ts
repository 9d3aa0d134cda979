import type { Clock } from '@callgate/core'
import type { ChildServer, ServerEnd } from './child-server.ts'

/** How long each step towards a server's end may take, in milliseconds. */
export type EndTimings = { readonly exitMs: number; readonly killMs: number }

const ALIVE_POLL_MS = 20

/**
 * Ends a server in order: its stdin was closed and it has `exitMs` to go, then SIGTERM and `killMs`, then SIGKILL. `hurry`
 * skips what is left of the first wait. What the server itself started and left behind goes the same way.
 */
export async function endServer(
  server: ChildServer,
  clock: Clock,
  { exitMs, killMs }: EndTimings,
  hurry: Promise<unknown>,
): Promise<ServerEnd> {
  await within(clock, exitMs, Promise.race([server.ended, hurry]))
  if (server.isAlive()) server.kill('SIGTERM')
  for (let waited = 0; waited < killMs && server.isAlive(); waited += ALIVE_POLL_MS) await clock.sleep(ALIVE_POLL_MS)
  if (server.isAlive()) server.kill('SIGKILL')
  return server.ended
}

/** Waits for `work`, at most `ms`; true where it was in time. The timer ends with the wait. */
export async function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController()
  try {
    return await Promise.race([work.then(() => true), clock.sleep(ms, timer.signal).then(() => false)])
  } finally {
    timer.abort()
  }
}
