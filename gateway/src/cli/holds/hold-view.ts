import type { Hold, HoldStatus } from '@callgate/core'
import { JsonText } from '../json-text.ts'
import type { AnswerObject } from '../json-text.ts'

/** The state as it counts now: an unanswered or unused hold past its deadline has expired, whatever the store still says. */
export function currentStatus(hold: Hold, now: number): HoldStatus {
  const canExpire = hold.status === 'pending' || hold.status === 'approved'
  return canExpire && now >= hold.expiresAt ? 'expired' : hold.status
}

/** A hold as `holds list --json` prints it; the arguments are the stored text, digit for digit. */
export function holdAnswer(hold: Hold, now: number): AnswerObject {
  const { id, session, server, tool, args, question, count, createdAt, expiresAt } = hold
  return {
    id,
    session,
    server,
    tool,
    args: new JsonText(args),
    question,
    count,
    status: currentStatus(hold, now),
    createdAt,
    expiresAt,
  }
}
