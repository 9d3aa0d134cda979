import { CallgateError } from '../model/callgate-error.ts'
import { sha256Hex } from '../model/digest.ts'
import { reveal } from '../model/reveal.ts'
import type { Hold, HoldAnswer } from '../holds/hold.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { ApproverToken, Store } from '../ports/store.ts'
import type { EntryDraft } from '../record/entry.ts'

/** A person's answer to a hold, with the token that says who it is. */
export type AnswerRequest = {
  readonly holdId: string
  readonly verdict: 'approve' | 'deny'
  readonly token: string
  readonly reason?: string
}

/**
 * Answers a hold (contract 10) and records the vote in the same step; returns the hold as it then is. Throws
 * `unknown_approver` (the hold stays as it was), `unknown_hold`, or `invalid_answer` where it can no longer be answered.
 */
export async function answerHold(ports: { readonly store: Store; readonly clock: Clock }, request: AnswerRequest): Promise<Hold> {
  const { store, clock } = ports
  const approver = await store.approvers.findByHash(sha256Hex(request.token))
  if (approver === undefined || approver.revokedAt !== undefined) {
    throw new CallgateError('unknown_approver', 'No approver has this token; the call keeps waiting. Check CALLGATE_APPROVER_TOKEN, or make a token with `callgate token create`.')
  }
  const hold = await store.holds.get(request.holdId)
  if (hold === undefined) throw new CallgateError('unknown_hold', `There is no approval ${request.holdId}. See \`callgate holds list\`.`)
  const { verdict, reason } = request
  const who = { approver: approver.name, roles: approver.roles }
  const answer = { verdict, ...who, at: clock.now(), ...(reason !== undefined && { reason: reason.toWellFormed() }) }
  const moved = await store.holds.apply(hold.id, { kind: 'answer', answer }, [answerEntry(hold, answer)])
  if (moved.kind === 'moved') return moved.hold
  throw new CallgateError('invalid_answer', `Approval ${hold.id} cannot be answered: ${moved.why}. Nothing was changed.`)
}

/** The record's entry for a vote. */
export function answerEntry({ id, principal, session, tool }: Hold, { verdict, approver, at, reason }: HoldAnswer): EntryDraft {
  return { kind: 'vote', at, principal, session, call: id, data: { hold: id, tool, verdict, approver, ...(reason !== undefined && { reason }) } }
}

/** Makes an approver's token: the text is returned once, the store keeps its SHA-256 only. Throws `invalid_option`. */
export async function createApproverToken(
  ports: { readonly store: Store; readonly clock: Clock; readonly random: Random },
  { name, roles }: { readonly name: string; readonly roles: readonly string[] },
): Promise<{ readonly token: string; readonly approver: ApproverToken }> {
  if (name.trim() === '' || reveal(name) !== name) {
    throw new CallgateError('invalid_option', 'An approver needs a name, without control or invisible characters: it stands in every vote.')
  }
  const token = `cga_${ports.random.id()}${ports.random.id()}`.replaceAll('-', '')
  const approver = { id: ports.random.id(), name, roles: [...roles], tokenHash: sha256Hex(token), createdAt: ports.clock.now() }
  await ports.store.approvers.add(approver)
  return { token, approver }
}
