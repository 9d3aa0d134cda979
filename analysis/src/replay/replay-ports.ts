import type { Approver, Clock, GateRules, Random, Store } from '@callgate/core'
import { local } from '@callgate/core/local'

/** The ports of a replay: a store in memory whose record is not kept, and a clock that is set to the time of each event. */
export type ReplayPorts = { readonly store: Store; readonly clock: Clock & { set(at: number): void }; readonly random: Random }

/** When a trace begins that does not say when it was. */
export const START_MS: number = Date.UTC(2026, 0, 1)

/** How many marks, and charges, one trace may have: a recorded run may be longer than what one process lives through. */
const MAX_MARKS = 1_000_000

/** Makes the ports. Replayed decisions are counted, so no record is written of them. */
export function createReplayPorts(): ReplayPorts {
  const { store } = local({ maxMarks: MAX_MARKS })
  let now = START_MS
  let ids = 0
  return {
    store: { ...store, record: { ...store.record, append: async () => undefined } },
    clock: {
      now: () => now,
      sleep: async () => undefined,
      set(at) {
        now = at
      },
    },
    random: { id: () => `replay-${(ids += 1)}` },
  }
}

/** Says yes to every hold, with all the roles that it asks for. */
export const SAYS_YES: Approver = {
  ask: async ({ asks = [] }) => ({ verdict: 'approve', approver: 'replay', roles: asks.flatMap(({ approvers = [] }) => approvers) }),
}

/** The rules as they are to somebody whose one yes is enough. */
export function withoutQuorums(gates: GateRules): GateRules {
  return { ...gates, rules: gates.rules.map((rule) => (rule.quorum === undefined ? rule : { ...rule, quorum: 1 })) }
}
