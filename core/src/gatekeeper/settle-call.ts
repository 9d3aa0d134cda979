import type { Outcome, Run } from './call.ts'
import type { Ticket } from './call-journal.ts'
import { claimOf, MAX_CLAIMS, refuseShort, refuseTaken } from './claim-call.ts'
import type { Short } from './claim-call.ts'
import { holdCall } from './hold-call.ts'
import { judgeCall } from './judge-call.ts'
import type { Admitted, Judgement } from './judgement.ts'
import { refuseCall, refuseUnavailable } from './refuse-call.ts'
import { runCall } from './run-call.ts'
import type { SessionState } from './session-state.ts'

/** The one way through (architecture): judge, then refuse, hold, or claim, record and run. Throws only what `run` throws. */
export async function settleCall<T>(state: SessionState, ticket: Ticket, run: Run<T>): Promise<Outcome<T>> {
  for (let tries = 1; ; tries += 1) {
    let judged: Judgement
    try {
      judged = await judgeCall(state, ticket)
    } catch (error) {
      return refuseUnavailable(state, ticket, 'store', error)
    }
    if (judged.kind === 'refused') return refuseCall(state, ticket, judged, judged.cause, judged.refusal)
    if (asksPerson(judged)) return holdCall(state, ticket, judged, run)
    const settled = await claimAndRun(state, ticket, judged, run)
    if ('verdict' in settled) return settled
    if (tries === MAX_CLAIMS) return refuseTaken(state, ticket, judged, settled)
  }
}

/** True where a person must say yes before the call runs. */
function asksPerson({ holds, confirms, decision }: Admitted): boolean {
  return holds.length > 0 || confirms.length > 0 || decision.verdict === 'hold'
}

/** What was short where what the call rests on was gone when it was claimed. */
async function claimAndRun<T>(state: SessionState, ticket: Ticket, judged: Admitted, run: Run<T>): Promise<Outcome<T> | Short> {
  const { store } = state.env
  const claim = claimOf(state, judged)
  const entry = state.entries.decision(ticket, 'run', judged)
  try {
    if (claim === undefined) await store.record.append([entry], 'now')
    else {
      const claimed = await store.marks.claim(state.scope, claim, [entry])
      if (claimed.kind === 'short') return (await refuseShort(state, ticket, judged, claimed)) ?? claimed
      state.journal.cleared(claim.clears)
    }
  } catch (error) {
    return refuseUnavailable(state, ticket, 'record', error)
  }
  return runCall(state, { ticket, decision: judged.decision }, run)
}
