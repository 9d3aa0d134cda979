import type { Hold } from '../holds/hold.ts'
import { asksOf, coversAsks } from './asks.ts'
import { bindingOf } from './binding-of.ts'
import type { Refused } from './call.ts'
import type { Ticket } from './call-journal.ts'
import { claimOf, MAX_CLAIMS, refuseShort, refuseTaken } from './claim-call.ts'
import type { Short } from './claim-call.ts'
import { LEASE_MS } from './claim-lease.ts'
import { judgeCall } from './judge-call.ts'
import type { Admitted } from './judgement.ts'
import { refuseCall } from './refuse-call.ts'
import type { SessionState } from './session-state.ts'

/** What became of a yes: spent by this call, spent by another, or given to less than is to be asked now. */
export type SpentYes = { readonly kind: 'claimed' | 'lost' | 'uncovered'; readonly judged: Admitted }

/**
 * Spends a yes (contract 10) and takes what the call needs beside it. Where that is gone, the call is judged again, at most 8
 * times: what is so then refuses it, asks more, or runs it. Rejects where the store does.
 */
export async function spendYes(state: SessionState, ticket: Ticket, admitted: Admitted, hold: Hold): Promise<SpentYes | Refused> {
  const about = { hold: hold.id }
  let judged = admitted
  for (let tries = 1; ; tries += 1) {
    if (!coversAsks(hold, asksOf(state, ticket, judged))) return { kind: 'uncovered', judged }
    const claimed = await claimHold(state, ticket, judged, hold)
    if (typeof claimed === 'string') return { kind: claimed, judged }
    const limited = await refuseShort(state, ticket, judged, claimed)
    if (limited !== undefined) return limited
    if (tries === MAX_CLAIMS) return refuseTaken(state, ticket, judged, claimed, about)
    const now = await judgeCall(state, ticket)
    if (now.kind === 'refused') return refuseCall(state, ticket, now, now.cause, now.refusal, about)
    judged = now
  }
}

/** Claims an approval, takes what the call needs beside it, and records the decision to run, all in one step. */
async function claimHold(state: SessionState, ticket: Ticket, judged: Admitted, hold: Hold): Promise<'claimed' | 'lost' | Short> {
  const { env, entries, scope, journal } = state
  const at = env.clock.now()
  const event = { kind: 'claim', at, binding: bindingOf(state, ticket, judged), owner: env.owner, leaseUntil: at + LEASE_MS } as const
  const claim = claimOf(state, judged)
  const entry = entries.decision(ticket, 'run', judged, { hold: hold.id })
  const claimed = await env.store.holds.apply(hold.id, event, [entry], claim && { scope, claim })
  if (claimed.kind === 'refused') return claimed.short ?? 'lost'
  journal.cleared(claim?.clears ?? [])
  return 'claimed'
}
