import type { Hold } from '../holds/hold.ts'
import { reveal } from '../model/reveal.ts'
import type { RefusalCause } from './call.ts'

const MAX_REASON_LENGTH = 1_000

/** What the model reads of arguments that were not admitted; `said` is the policies' own text. */
export function argumentsMessage(said: string): string {
  return `${said.toWellFormed()}\n\nNothing was executed. Correct the arguments, then send the call again.`
}

/** What the model reads while a person has not answered. */
export function heldMessage(holdId: string): string {
  return `Waiting for approval ${holdId}. Nothing was executed. Call the same tool again with the same arguments after approval.`
}

/** What the model reads where identical calls spent each yes that was given, so many times, before this one could. */
export function outspentMessage(times: number): string {
  return `Identical calls spent the approval ${times} times before this one could. This call was not executed. Send it again only if it is to run beside them; a person is then asked anew.`
}

/** What the model reads of a hold that ended without a run: each end has its own reason and next step (contract 10). */
export function endedMessage(cause: RefusalCause, hold: Hold): string {
  switch (cause) {
    case 'denied': {
      const said = hold.answer?.reason === undefined ? 'No reason was given.' : `Reason: ${saidBy(hold.answer.reason)}`
      return `A person refused this call (approval ${hold.id}). ${said} Nothing was executed. This is not a fault: do not send the same call again; do what the reason says, or ask the user.`
    }
    case 'expired':
      return `Nobody answered approval ${hold.id} in time: it has expired. Nothing was executed. Send the call again to ask anew, if it is still needed.`
    case 'cancelled':
      return `Approval ${hold.id} was cancelled. Nothing was executed. Send the call again to ask anew, if it is still needed.`
    case 'unknown_outcome':
      return `An identical call was approved and started (approval ${hold.id}), and its outcome is unknown. It was not run again. Check first whether it took effect; if it did not, send the call again to ask anew.`
    case 'stale':
      return `Approval ${hold.id} was given under other rules or another definition of the tool: it no longer counts. Nothing was executed. Send the call again to ask anew.`
    case 'running':
      return `The call under approval ${hold.id} has been started and has not reported yet. It was not started again. Wait for its result, or check whether it took effect, before you send the call again.`
    default:
      return `Approval ${hold.id} is used up: its call has ${hold.status === 'failed' ? 'run and failed' : 'run'}, once. It was not run again. Send the call again only if it is to run a second time; a person is then asked anew.`
  }
}

/** What the model reads where state could not be read or written: the gate stays closed (contract 11). */
export function unavailableMessage(cause: 'record' | 'store'): string {
  const what = cause === 'record' ? 'The record of decisions could not be written' : 'The state of the gates could not be read'
  return `${what}. Nothing was executed. This is a fault of the installation, not of the call: tell the user, and try again later.`
}

/** What a person said, on one line and of bounded length. */
function saidBy(text: string): string {
  const shown = reveal(text)
  return shown.length > MAX_REASON_LENGTH ? `${shown.slice(0, MAX_REASON_LENGTH)}…` : shown
}
