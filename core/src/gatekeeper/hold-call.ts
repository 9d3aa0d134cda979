import { canonicalJson } from '../model/canonical.ts'
import type { JsonObject } from '../model/json-value.ts'
import type { Hold, HoldDraft, OpenedHold } from '../holds/hold.ts'
import type { EntryDraft } from '../record/entry.ts'
import { askApprover } from './ask-approver.ts'
import type { Held, Outcome, Refused, RefusalCause, Run } from './call.ts'
import type { Ticket } from './call-journal.ts'
import { asksOf } from './asks.ts'
import { bindingOf } from './binding-of.ts'
import { refuseReached } from './claim-call.ts'
import { endEntry } from './end-hold.ts'
import type { Admitted, Judgement } from './judgement.ts'
import { endedMessage, heldMessage, outspentMessage } from './message.ts'
import { redactionOf } from './redact-call.ts'
import { refuseCall, refuseUnavailable } from './refuse-call.ts'
import { runCall } from './run-call.ts'
import type { SessionState } from './session-state.ts'
import { spendYes } from './spend-yes.ts'

/** How often other calls may spend a yes before this one; then it is refused. */
const MAX_LOST_YESES = 8

/** Puts an admitted call before a person (contract 10): joins or opens its hold, and runs it where a yes is there to spend. */
export async function holdCall<T>(state: SessionState, ticket: Ticket, judged: Admitted, run: Run<T>): Promise<Outcome<T>> {
  const secured = await secure(state, ticket, judged)
  return 'verdict' in secured ? secured : runClaimed(state, ticket, secured.judged, secured.hold, run)
}

/** Runs a call whose approval this process has claimed. */
export function runClaimed<T>(state: SessionState, ticket: Ticket, judged: Admitted, hold: Hold, run: Run<T>): Promise<Outcome<T>> {
  state.waiting.remove(ticket.callId)
  return runCall(state, { ticket, decision: judged.decision, hold: hold.id }, run)
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

type Secured = { readonly judged: Admitted; readonly hold: Hold }

async function secure(state: SessionState, ticket: Ticket, admitted: Admitted): Promise<Secured | Held | Refused> {
  const { env } = state
  let judged = admitted
  try {
    for (let lost = 1; ; lost += 1) {
      const reached = await refuseReached(state, ticket, judged)
      if (reached !== undefined) return reached
      const draft = { ...draftOf(state, ticket, judged), id: env.random.id() }
      const asking = judged
      const opened = await env.store.holds.open(draft, (found) => entriesFor(state, ticket, asking, found))
      const hold = await askApprover(state, opened.hold)
      if (hold.status === 'pending') return wait(state, ticket, judged, hold)
      if (hold.status !== 'approved') return await refuseEnded(state, ticket, judged, hold)
      const spent = await spendYes(state, ticket, judged, hold)
      if ('verdict' in spent) return spent
      if (spent.kind === 'claimed') return { judged: spent.judged, hold }
      if (lost === MAX_LOST_YESES) return await refuseCall(state, ticket, judged, 'used', outspentMessage(lost), { hold: hold.id })
      if (spent.kind === 'uncovered') judged = spent.judged
    }
  } catch (error) {
    return refuseUnavailable(state, ticket, 'store', error)
  }
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
