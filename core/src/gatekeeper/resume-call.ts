import type { ToolAnnotations } from '../gates/gate-rule.ts'
import type { AttemptSchema } from '../model/attempt.ts'
import { CallgateError } from '../model/callgate-error.ts'
import { Candidate } from '../model/candidate.ts'
import type { Hold } from '../holds/hold.ts'
import type { Outcome, Refused, Run } from './call.ts'
import type { Ticket } from './call-journal.ts'
import { endDue } from './end-hold.ts'
import { schemaKeyOf } from './entries.ts'
import { bindingOf } from './binding-of.ts'
import { causeOf, heldOutcome, refuseEnded, runClaimed } from './hold-call.ts'
import { judgeCall } from './judge-call.ts'
import type { Admitted, Judgement } from './judgement.ts'
import { endedMessage } from './message.ts'
import { refuseCall, refuseUnavailable } from './refuse-call.ts'
import type { SessionState } from './session-state.ts'
import { settleCall } from './settle-call.ts'
import { spendYes } from './spend-yes.ts'
import type { SpentYes } from './spend-yes.ts'

/** What a host that did not make the call itself (another process did) may say of it as it is now; what is left out is as it was. */
export type ResumeDetail = {
  /** The id of the call that waits, where several wait on one hold. */
  readonly callId?: string | undefined
  readonly schema?: AttemptSchema | undefined
  readonly definition?: string | undefined
  readonly sent?: string | undefined
  readonly annotations?: ToolAnnotations | undefined
  readonly isListed?: boolean | undefined
}

/** A call that waits, found in this process or read from its hold. */
export type Waiting = { readonly hold: Hold; readonly ticket: Ticket; readonly isOwn: boolean }

/** Finds what waits on a hold; throws `unknown_hold` for an id that is not this principal's. */
export async function findWaiting(state: SessionState, holdId: string, detail: ResumeDetail): Promise<Waiting> {
  const { env, scope, waiting, journal } = state
  const hold = await env.store.holds.get(holdId)
  if (hold === undefined || hold.principal !== scope.principal) {
    throw new CallgateError('unknown_hold', `There is no approval ${holdId} for this principal; nothing was run.`)
  }
  const own = waiting.find(holdId, detail.callId)
  if (own !== undefined) return { hold, ticket: own, isOwn: true }
  if (hold.isRedacted === true) {
    throw new CallgateError('invalid_call', `Approval ${holdId} is of a call with redacted arguments, which are not kept. Make the same call again: it spends the yes.`)
  }
  const { callId = env.random.id(), schema, definition = hold.definition, sent = hold.sent, annotations, isListed } = detail
  const call = { tool: hold.tool, server: hold.server, schema, definition, sent, annotations, isListed }
  const ticket = journal.enter(call, callId, Candidate.ofWire(hold.args), schemaKeyOf(schema) ?? hold.schema)
  return { hold, ticket, isOwn: false }
}

/** Runs a held call once if it was approved (contract 10: everything is judged again); else refuses, or says that it still waits. */
export async function resumeCall<T>(state: SessionState, found: Waiting, run: Run<T>): Promise<Outcome<T>> {
  const { ticket, isOwn } = found
  let judged: Judgement
  let hold: Hold
  let spent: Spent = 'moved on'
  try {
    hold = await endDue(state.env, found.hold)
    judged = await judgeCall(state, ticket)
    if (hold.status === 'approved' && judged.kind === 'admitted') spent = await spend(state, ticket, judged, hold)
  } catch (error) {
    return refuseUnavailable(state, ticket, 'store', error)
  }
  if (isOver(hold)) return refuseEnded(state, ticket, judged, hold)
  const about = { hold: hold.id }
  if (judged.kind === 'refused') return refuseCall(state, ticket, judged, judged.cause, judged.refusal, about)
  if (hold.status === 'pending') return heldOutcome(ticket, judged, hold)
  if (typeof spent === 'object') return 'verdict' in spent ? spent : runClaimed(state, ticket, spent.judged, hold, run)
  state.waiting.remove(ticket.callId)
  if (spent === 'stale') return refuseCall(state, ticket, judged, 'stale', endedMessage('stale', hold), about)
  // What must be asked now and was not asked then is asked anew, and so is what another call had the yes for.
  if (isOwn) return settleCall(state, ticket, run)
  const cause = causeOf(hold)
  return refuseCall(state, ticket, judged, cause, endedMessage(cause, hold), about)
}

/** What became of a yes: spent by this call, which was judged so, or refused; given under other terms; or of no use to it. */
type Spent = SpentYes | Refused | 'stale' | 'moved on'

async function spend(state: SessionState, ticket: Ticket, judged: Admitted, hold: Hold): Promise<Spent> {
  if (bindingOf(state, ticket, judged) === hold.binding) {
    const spent = await spendYes(state, ticket, judged, hold)
    return 'verdict' in spent || spent.kind === 'claimed' ? spent : 'moved on'
  }
  await state.env.store.holds.apply(hold.id, { kind: 'cancel', at: state.env.clock.now() })
  return 'stale'
}

function isOver({ status }: Hold): boolean {
  return status === 'denied' || status === 'expired' || status === 'cancelled' || status === 'unknown'
}
