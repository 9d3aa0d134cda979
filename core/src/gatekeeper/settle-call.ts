import type { Outcome, Run } from './call.ts'
import type { Ticket } from './call-journal.ts'
import { holdCall } from './hold-call.ts'
import { judgeCall } from './judge-call.ts'
import type { Admitted, Judgement } from './judgement.ts'
import { refuseCall, refuseUnavailable } from './refuse-call.ts'
import { runCall } from './run-call.ts'
import type { SessionState } from './session-state.ts'

/** The one way through (architecture): judge, then refuse, hold, or record and run. Throws only what `run` throws. */
export async function settleCall<T>(state: SessionState, ticket: Ticket, run: Run<T>): Promise<Outcome<T>> {
  let judged: Judgement
  try {
    judged = await judgeCall(state, ticket)
  } catch (error) {
    return refuseUnavailable(state, ticket, 'store', error)
  }
  if (judged.kind === 'refused') return refuseCall(state, ticket, judged, judged.unmet.length > 0 ? 'gate' : 'arguments', judged.refusal)
  if (judged.confirms.length > 0 || judged.decision.verdict === 'hold') return holdCall(state, ticket, judged, run)
  return recordAndRun(state, ticket, judged, run)
}

async function recordAndRun<T>(state: SessionState, ticket: Ticket, judged: Admitted, run: Run<T>): Promise<Outcome<T>> {
  try {
    await state.env.store.record.append([state.entries.decision(ticket, 'run', judged)], 'now')
  } catch (error) {
    return refuseUnavailable(state, ticket, 'record', error)
  }
  return runCall(state, { ticket, decision: judged.decision }, run)
}
