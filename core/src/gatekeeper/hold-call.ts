import { canonicalJson } from '../model/canonical.ts'
import { sha256Hex } from '../model/digest.ts'
import type { JsonObject } from '../model/json-value.ts'
import type { Hold, HoldDraft, OpenedHold } from '../holds/hold.ts'
import type { AppliedHold } from '../ports/store.ts'
import type { EntryDraft } from '../record/entry.ts'
import { askApprover } from './ask-approver.ts'
import type { Held, Outcome, Refused, RefusalCause, Run } from './call.ts'
import type { Ticket } from './call-journal.ts'
import { asksOf } from './asks.ts'
import { claimOf, refuseShort } from './claim-call.ts'
import { LEASE_MS } from './claim-lease.ts'
import { endEntry } from './end-hold.ts'
import { bindingText } from './entries.ts'
import { judgeCall } from './judge-call.ts'
import type { Admitted, Judgement } from './judgement.ts'
import { endedMessage, heldMessage } from './message.ts'
import { redactionOf } from './redact-call.ts'
import { refuseCall, refuseUnavailable } from './refuse-call.ts'
import { runCall } from './run-call.ts'
import type { SessionState } from './session-state.ts'

const MAX_LOST_CLAIMS = 8

/** Puts an admitted call before a person (contract 10): joins or opens its hold, and runs it where a yes is there to spend. */
export async function holdCall<T>(state: SessionState, ticket: Ticket, judged: Admitted, run: Run<T>): Promise<Outcome<T>> {
  const secured = await secure(state, ticket, judged)
  return 'verdict' in secured ? secured : runClaimed(state, ticket, judged, secured, run)
}

/** Runs a call whose approval this process has claimed. */
export function runClaimed<T>(state: SessionState, ticket: Ticket, judged: Admitted, hold: Hold, run: Run<T>): Promise<Outcome<T>> {
  state.waiting.remove(ticket.callId)
  return runCall(state, { ticket, decision: judged.decision, hold: hold.id }, run)
}

/** What became of a claim: taken, somebody else's, or a limit or mark that was short. */
export type ClaimedHold = 'claimed' | 'lost' | NonNullable<AppliedHold['short']>

/** Claims an approval, takes what the call needs beside it, and records the decision to run, all in one step. */
export async function claimHold(state: SessionState, ticket: Ticket, judged: Admitted, hold: Hold): Promise<ClaimedHold> {
  const { env, entries } = state
  const at = env.clock.now()
  const event = { kind: 'claim', at, binding: bindingOf(state, ticket, judged), owner: env.owner, leaseUntil: at + LEASE_MS } as const
  const claim = claimOf(state, judged)
  const entry = entries.decision(ticket, 'run', judged, { hold: hold.id })
  const claimed = await env.store.holds.apply(hold.id, event, [entry], claim && { scope: state.scope, claim })
  return claimed.kind === 'moved' ? 'claimed' : (claimed.short ?? 'lost')
}

/** Refuses a call whose hold ended without it; the end is told once, so that an identical call later asks anew. */
export async function refuseEnded(state: SessionState, ticket: Ticket, judged: Judgement, hold: Hold): Promise<Refused> {
  const cause = causeOf(hold)
  state.waiting.remove(ticket.callId)
  try {
    await state.env.store.holds.apply(hold.id, { kind: 'tell', at: state.env.clock.now() })
  } catch (error) {
    state.env.warn(`Approval ${hold.id} will be told again: ${String(error)}`)
  }
  return refuseCall(state, ticket, judged, cause, endedMessage(cause, hold), { hold: hold.id })
}

/** The answer for a call that waits. */
export function heldOutcome(ticket: Ticket, judged: Admitted, hold: Hold): Held {
  const rule = judged.holds[0]?.rule ?? judged.confirms[0]
  return {
    verdict: 'held',
    message: heldMessage(hold.id),
    holdId: hold.id,
    question: hold.question,
    args: judged.decision.candidate.fields['arguments'] as JsonObject,
    expiresAt: hold.expiresAt,
    ...(rule !== undefined && { rule: rule.gate }),
    ...(rule?.line !== undefined && { line: rule.line }),
    callId: ticket.callId,
  }
}

/** What a yes to this call is bound to (contract 10). */
export function bindingOf(state: SessionState, ticket: Ticket, judged: Admitted): string {
  return sha256Hex(bindingText(state.env, state.scope, ticket, judged.decision.digestAfter))
}

async function secure(state: SessionState, ticket: Ticket, judged: Admitted): Promise<Hold | Held | Refused> {
  const { holds } = state.env.store
  try {
    for (let lost = 0; lost < MAX_LOST_CLAIMS; lost += 1) {
      const draft = { ...draftOf(state, ticket, judged), id: state.env.random.id() }
      const opened = await holds.open(draft, (found) => entriesFor(state, ticket, judged, found))
      const hold = await askApprover(state, opened.hold)
      if (hold.status === 'pending') return wait(state, ticket, judged, hold)
      if (hold.status !== 'approved') return await refuseEnded(state, ticket, judged, hold)
      const claimed = await claimHold(state, ticket, judged, hold)
      if (claimed === 'claimed') return hold
      if (claimed !== 'lost') return await refuseUnclaimed(state, ticket, judged, hold, claimed)
    }
  } catch (error) {
    return refuseUnavailable(state, ticket, 'store', error)
  }
  return refuseUnavailable(state, ticket, 'store', `other callers claimed ${MAX_LOST_CLAIMS} approvals first`)
}

/** The yes stands, but what the call needs beside it is gone: it is judged again, and refused by what is so now. */
export async function refuseUnclaimed(state: SessionState, ticket: Ticket, judged: Admitted, hold: Hold, short: NonNullable<AppliedHold['short']>): Promise<Refused> {
  const limited = refuseShort(state, ticket, judged, short)
  if (limited !== undefined) return limited
  const now = await judgeCall(state, ticket)
  if (now.kind === 'refused') return refuseCall(state, ticket, now, now.cause, now.refusal, { hold: hold.id })
  return refuseUnavailable(state, ticket, 'store', 'other calls took what it needs')
}

function wait(state: SessionState, ticket: Ticket, judged: Admitted, hold: Hold): Held {
  state.waiting.put(ticket, hold.id)
  return heldOutcome(ticket, judged, hold)
}

/** Written together with the hold: that the call asks, and where nobody has answered yet that it waits; or how the last one ended. */
function entriesFor({ env, entries }: SessionState, ticket: Ticket, judged: Admitted, { kind, hold }: OpenedHold): readonly EntryDraft[] {
  if (kind === 'ended') return [endEntry(hold, env.clock.now())]
  const asked = entries.hold(ticket.callId, hold.id, kind, ticket.call.tool)
  return hold.status === 'pending' ? [entries.decision(ticket, 'hold', judged, { hold: hold.id }), asked] : [asked]
}

function draftOf(state: SessionState, ticket: Ticket, judged: Admitted): HoldDraft {
  const { env, scope } = state
  const { tool, sent, definition } = ticket.call
  const server = ticket.call.server ?? env.server
  const at = env.clock.now()
  const asks = asksOf(state, ticket, judged)
  const redaction = redactionOf(env, ticket, judged.decision)
  return {
    binding: bindingOf(state, ticket, judged),
    ...scope,
    ...(server !== undefined && { server }),
    tool,
    args: canonicalJson(redaction.value(judged.decision.candidate.fields['arguments'] ?? {})),
    ...(redaction.hides && { isRedacted: true as const }),
    ...(sent !== undefined && { sent }),
    ...(definition !== undefined && { definition }),
    ...(ticket.schemaKey !== undefined && { schema: ticket.schemaKey }),
    question: asks.map(({ ask }) => ask.question).join('\n'),
    asks: asks.map(({ ask }) => ask),
    ...(state.requester !== undefined && { requester: state.requester }),
    createdAt: at,
    expiresAt: at + Math.min(...asks.map(({ expiresMs }) => expiresMs)),
  }
}

/** Why a hold runs nothing for a call. */
export function causeOf(hold: Hold): RefusalCause {
  switch (hold.status) {
    case 'denied':
      return 'denied'
    case 'expired':
      return 'expired'
    case 'cancelled':
      return 'cancelled'
    case 'unknown':
      return 'unknown_outcome'
    case 'pending':
    case 'approved':
    case 'ran':
    case 'failed':
      return 'used'
    case 'claimed':
      return 'running'
  }
}
