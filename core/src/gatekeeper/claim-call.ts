import type { Claim, ClaimResult } from '../gates/ledger.ts'
import type { Refused } from './call.ts'
import type { Ticket } from './call-journal.ts'
import type { Admitted } from './judgement.ts'
import { refuseCall } from './refuse-call.ts'
import type { SessionState } from './session-state.ts'
import { limitMessage } from './unmet-message.ts'

/** How often a call is judged anew because a sibling took what it needed; then it is refused. */
export const MAX_CLAIMS = 8

type Short = Extract<ClaimResult, { readonly kind: 'short' }>

/** What the call takes when it is claimed to run (contract 9); undefined where it takes nothing that could run out. */
export function claimOf({ env }: SessionState, { needs, charge }: Admitted): Claim | undefined {
  const { clears, charges, repeat } = charge
  if (needs.length === 0 && clears.length === 0 && charges.length === 0 && repeat === undefined) return undefined
  return { at: env.clock.now(), needs, clears, charges, ...(repeat !== undefined && { repeat }) }
}

/** Refuses a call whose limit is reached; undefined where a mark was gone, so that the call must be judged again. */
export function refuseShort(state: SessionState, ticket: Ticket, judged: Admitted, short: Short): Promise<Refused> | undefined {
  const limit = short.of === 'repeat' ? judged.charge.repeatLimit : short.of === 'charges' ? judged.charge.limits[short.index] : undefined
  return limit === undefined ? undefined : refuseCall(state, ticket, judged, 'limit', limitMessage(limit, ticket.call.tool), { limit: limit.line ?? null })
}
