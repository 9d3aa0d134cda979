import { sha256Hex } from '../model/digest.ts'
import type { Ticket } from './call-journal.ts'
import { bindingText } from './entries.ts'
import type { Admitted } from './judgement.ts'
import { redactionOf } from './redact-call.ts'
import type { SessionState } from './session-state.ts'

/** What a yes to this call is bound to (contract 10): a digest, keyed where a redacted value could be guessed from it (contract 11). */
export function bindingOf({ env, scope }: SessionState, ticket: Ticket, { decision }: Admitted): string {
  const text = bindingText(env, scope, ticket, decision.digestAfter)
  const redaction = redactionOf(env, ticket, decision)
  return redaction.hides ? redaction.digest(text) : sha256Hex(text)
}
