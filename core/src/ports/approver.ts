import type { StopSignal } from './stop-signal.ts'
import type { Hold } from '../holds/hold.ts'

/** What a person said through the host; `approver` names a known person, and an empty name is no approver; without `roles` they have none. */
export type ApproverReply = { readonly verdict: 'approve' | 'deny'; readonly approver: string; readonly roles?: readonly string[]; readonly reason?: string }

/** A way to ask a person in-process: resolves with the answer, or undefined where nobody answered and the call stays held. */
export type Approver = { ask(hold: Hold, signal?: StopSignal): Promise<ApproverReply | undefined> }
