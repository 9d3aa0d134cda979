import type { Approver, Clock, Random, Store } from '@callgate/core'
import { local } from '@callgate/core/local'

/** The ports of a replay: a store in memory whose record is not kept, and a clock that goes by calls and not by the day. */
export type ReplayPorts = { readonly store: Store; readonly clock: Clock & { tick(): void }; readonly random: Random }

const START_MS = Date.UTC(2026, 0, 1)

/** Makes the ports. Replayed decisions are counted, so no record is written of them; a millisecond passes with each event. */
export function createReplayPorts(): ReplayPorts {
  const { store } = local()
  let now = START_MS
  let ids = 0
  return {
    store: { ...store, record: { ...store.record, append: async () => undefined } },
    clock: {
      now: () => now,
      sleep: async () => undefined,
      tick() {
        now += 1
      },
    },
    random: { id: () => `replay-${(ids += 1)}` },
  }
}

/** Says yes to every hold, under as many names and with all the roles that it asks for. */
export const SAYS_YES: Approver = {
  ask: async ({ asks = [] }) => ({ verdict: 'approve', approver: 'replay', roles: asks.flatMap(({ approvers = [] }) => approvers) }),
}
