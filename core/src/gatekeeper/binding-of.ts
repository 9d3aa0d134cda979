import { sha256Hex } from '../model/digest.ts'
import type { Ticket } from './call-journal.ts'
import { bindingText } from './entries.ts'
import type { Admitted } from './judgement.ts'
import type { SessionState } from './session-state.ts'

/** What a yes to this call is bound to (contract 10). */
export function bindingOf(state: SessionState, ticket: Ticket, judged: Admitted): string {
  return sha256Hex(bindingText(state.env, state.scope, ticket, judged.decision.digestAfter))
}
