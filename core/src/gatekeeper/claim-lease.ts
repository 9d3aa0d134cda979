import type { Environment } from './environment.ts'
import { createStopper } from './stopper.ts'

/** How long a claim stands without a sign of life of the process that runs the call, in milliseconds. */
export const LEASE_MS = 30_000

/** Renews a claim three times a lease until the returned function is called; a renewal that fails is tried at the next turn. */
export function keepClaim(env: Environment, holdId: string): () => void {
  const stopper = createStopper()
  const renew = async (): Promise<void> => {
    for (;;) {
      await env.clock.sleep(LEASE_MS / 3, stopper.signal)
      if (stopper.signal.aborted) return
      const at = env.clock.now()
      try {
        await env.store.holds.apply(holdId, { kind: 'renew', at, owner: env.owner, leaseUntil: at + LEASE_MS })
      } catch (error) {
        env.warn(`The claim of approval ${holdId} could not be renewed: ${String(error)}`)
      }
    }
  }
  void renew()
  return stopper.stop
}
