import { Candidate } from '@callgate/core'
import type { Clock, Gatekeeper, Held, Outcome, Redactor, Run, Session, ToolCall } from '@callgate/core'
import { errorAnswer, progressNotification, resultAnswer } from '../wire/answers.ts'
import { createForward } from './forward-call.ts'
import type { ServerLine } from './forward-call.ts'
import { AnswerLostError, deliverAnswer, fateOf, NotForwardedError } from './gated-call.ts'
import type { GatedCall, ServerAnswer } from './gated-call.ts'
import { messageOf } from './own-refusal.ts'
import { gatewayRefusalText, refusalResult, refusalText } from './refusal-result.ts'
import type { RefusalText } from './refusal-result.ts'
import { waitForPerson } from './wait-for-person.ts'

/** JSON-RPC's code for what went wrong on our side of the wire. */
export const INTERNAL_ERROR = -32_603

/** How long held calls wait, in milliseconds. */
export type HoldWaits = {
  readonly waitMs: number
  readonly waitProgressMs: number
  readonly pollMs: number
  readonly progressMs: number
}

/** What a call is settled with. */
export type SettlingPorts = {
  readonly session: Session
  readonly gatekeeper: Pick<Gatekeeper, 'hold'>
  readonly clock: Clock
  readonly server: ServerLine
  readonly waits: HoldWaits
  readonly redactor?: Redactor
  /** Why a held call may not run any more on the terms it was judged with; undefined where it may. */
  staleness(call: GatedCall, terms: ToolCall): Promise<RefusalText | undefined>
  toClient(bytes: Buffer): void
  log(line: string): void
}

/** Takes a call through the gatekeeper and answers the client, once, or not at all where the client cancelled. Never rejects. */
export async function settleGatedCall(ports: SettlingPorts, call: GatedCall, terms: ToolCall): Promise<void> {
  try {
    const run = createForward(call, ports.server)
    let outcome: Outcome<ServerAnswer> | RefusalText = await ports.session.call(terms, run)
    const wait = { startedAt: ports.clock.now(), progressCount: 0 }
    while ('verdict' in outcome && outcome.verdict === 'held') {
      if ((await waitOn(ports, call, outcome, wait)) !== 'moved') break
      const stale = await ports.staleness(call, terms)
      if (stale !== undefined) await depart(ports, call, outcome)
      outcome = stale ?? (await resume(ports, outcome, terms, run))
    }
    deliver(ports, call, outcome)
  } catch (error) {
    answerFailure(ports, call, error)
  }
}

/** Refuses a call without the gatekeeper. */
export function refuseCall(
  { toClient }: Pick<SettlingPorts, 'toClient'>,
  { message, isCancelled = false }: Pick<GatedCall, 'message'> & Partial<GatedCall>,
  refusal: RefusalText,
): void {
  if (!isCancelled) toClient(resultAnswer(message.id, refusalResult(refusal, message.needsResultType)))
}

/** All waits of one call share its patience, and its progress must increase. */
type CallWait = { readonly startedAt: number; progressCount: number }

async function waitOn(ports: SettlingPorts, call: GatedCall, held: Held, wait: CallWait): Promise<'moved' | 'over'> {
  const { clock, waits, gatekeeper, log } = ports
  const { progressToken: token } = call.message
  const progress = (): void => {
    wait.progressCount += 1
    if (token !== undefined)
      ports.toClient(progressNotification(token, wait.progressCount, `Waiting for approval ${held.holdId}: ${held.question}`))
  }
  const end = await waitForPerson(
    { clock, pollMs: waits.pollMs, progressMs: waits.progressMs, hold: (id) => gatekeeper.hold(id), log },
    {
      hold: { id: held.holdId, expiresAt: held.expiresAt },
      until: wait.startedAt + (token === undefined ? waits.waitMs : waits.waitProgressMs),
      signal: call.stopWaiting.signal,
      ...(token !== undefined && { progress }),
    },
  )
  if (end === 'moved' && !call.stopWaiting.signal.aborted) return 'moved'
  await depart(ports, call, held)
  return 'over'
}

/** A cancel may end the hold; a client that merely gives up leaves it to the person. */
async function depart({ session, log }: SettlingPorts, call: GatedCall, { holdId, callId }: Held): Promise<void> {
  try {
    await (call.isCancelled ? session.cancel(holdId, callId) : session.leave(holdId, callId))
  } catch (error) {
    log(`approval ${holdId} still counts a caller that has gone: ${String(error)}`)
  }
}

function deliver(ports: SettlingPorts, call: GatedCall, outcome: Outcome<ServerAnswer> | RefusalText): void {
  if (!('verdict' in outcome)) return refuseCall(ports, call, outcome)
  if (outcome.verdict === 'ran') return deliverAnswer(call, outcome.result)
  const gone = ports.server.gone()
  if (outcome.verdict === 'held' && gone !== undefined) throw new NotForwardedError(gone)
  refuseCall(ports, call, refusalText(outcome))
}

function answerFailure(ports: SettlingPorts, call: GatedCall, error: unknown): void {
  // The server did answer: what went wrong after that does not undo it.
  if (call.answer !== undefined) deliverAnswer(call, call.answer)
  const isExpected = error instanceof NotForwardedError || error instanceof AnswerLostError
  const failure = isExpected ? messageOf(error) : failureOf(ports, call, error)
  if (!isExpected) ports.log(`a call of ${JSON.stringify(call.message.name)} failed inside the gateway: ${failure}`)
  if (call.answer !== undefined || call.isCancelled) return
  if (!isExpected && call.forwarded === undefined) {
    return refuseCall(
      ports,
      call,
      gatewayRefusalText('gateway', {
        code: 'gateway_failure',
        message: `The gateway could not decide this call: ${failure}`,
      }),
    )
  }
  ports.toClient(errorAnswer(call.message.id, INTERNAL_ERROR, `${failure} ${fateOf(call)}`))
}

/** What failed, without redacted values; where these cannot be told apart, only that something failed. */
function failureOf({ redactor }: SettlingPorts, { candidate }: GatedCall, error: unknown): string {
  if (redactor === undefined) return String(error)
  try {
    if (Candidate.isCandidate(candidate)) return redactor.of([candidate.fields['arguments'] ?? {}]).text(String(error))
  } catch {
    // What failed may be the redaction itself.
  }
  return 'Something failed that is not told, since it may show a redacted value.'
}

function resume(
  { session }: SettlingPorts,
  { holdId, callId }: Held,
  { schema, definition, sent }: ToolCall,
  run: Run<ServerAnswer>,
): Promise<Outcome<ServerAnswer>> {
  return session.resume(holdId, run, {
    callId,
    ...(schema !== undefined && { schema }),
    ...(definition !== undefined && { definition }),
    ...(sent !== undefined && { sent }),
  })
}
