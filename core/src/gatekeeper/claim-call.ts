import type { Claim, ClaimResult } from '../gates/ledger.ts'
import type { UnmetGate } from '../gates/judge-gates.ts'
import type { Refused } from './call.ts'
import type { Ticket } from './call-journal.ts'
import type { DecisionDetail } from './entries.ts'
import type { Admitted, Inadmissible } from './judgement.ts'
import { refuseCall, refuseUnavailable } from './refuse-call.ts'
import type { SessionState } from './session-state.ts'
import { limitMessage, unmetMessage } from './unmet-message.ts'

/** How often a call is judged anew because another one took what it needed; then it is refused. */
export const MAX_CLAIMS = 8

/** A claim that was not met. */
export type Short = Extract<ClaimResult, { readonly kind: 'short' }>

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

/** Refuses a call that a limit would refuse as things stand, so that no person is asked about it; undefined where none would. */
export async function refuseReached(state: SessionState, ticket: Ticket, judged: Admitted): Promise<Refused | undefined> {
  const claim = claimOf(state, judged)
  if (claim === undefined || (judged.charge.limits.length === 0 && judged.charge.repeatLimit === undefined)) return undefined
  const found = await state.env.store.marks.peek(state.scope, { ...claim, needs: [], clears: [] })
  return found.kind === 'short' ? refuseShort(state, ticket, judged, found) : undefined
}

/** Refuses a call from which others took the mark that it needs, each time that it was judged: by that mark's rule. */
export async function refuseTaken(state: SessionState, ticket: Ticket, judged: Admitted, short: Short, detail: DecisionDetail = {}): Promise<Refused> {
  const [need, rule] = [judged.needs[short.index], judged.needing[short.index]]
  if (need === undefined || rule === undefined) return refuseUnavailable(state, ticket, 'store', `it is short of ${short.of} ${short.index}, which the claim does not have`)
  const { env, journal } = state
  const unmet: UnmetGate = { rule, why: 'taken', ...(need.key !== undefined && { key: need.key }) }
  const refusal = unmetMessage(unmet, { gates: env.gates, inFlight: journal.inFlightBeside(ticket), hasFailed: journal.hasFailed, keys: [], isMarkedSince: false })
  const refused: Inadmissible = { ...judged, kind: 'refused', unmet: [unmet], cause: 'gate', refusal }
  return refuseCall(state, ticket, refused, 'gate', refusal, detail)
}
