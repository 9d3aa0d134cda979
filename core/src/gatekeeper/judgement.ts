import type { CallCharge } from '../gates/charge-call.ts'
import type { GateRule } from '../gates/gate-rule.ts'
import type { UnmetGate } from '../gates/judge-gates.ts'
import type { MarkNeed } from '../gates/ledger.ts'
import type { ToolBlock } from '../gates/prepare-call.ts'
import type { Decision } from '../model/decision.ts'
import type { DecisionReason } from '../model/reason.ts'
import type { RefusalCause } from './call.ts'

/** What the kernel and the gates say of one call, before any person is asked. */
export type Judgement = Inadmissible | Admitted

/** A call that may run, or whose rules in `holds` and `confirms` ask a person; `charge` is what it takes when it is claimed. */
export type Admitted = Judged & { readonly kind: 'admitted'; readonly decision: Decision; readonly charge: CallCharge }

/** A call that may not run: what refused it first, and what the model reads. No decision where the arguments were not exact. */
export type Inadmissible = Judged & {
  readonly kind: 'refused'
  readonly decision?: Decision
  readonly cause: RefusalCause
  readonly refusal: string
}

type Judged = {
  readonly reasons: readonly DecisionReason[]
  readonly blocked?: ToolBlock
  readonly unmet: readonly UnmetGate[]
  readonly holds: readonly UnmetGate[]
  readonly confirms: readonly GateRule[]
  readonly needs: readonly MarkNeed[]
  /** The rule of each need. */
  readonly needing: readonly GateRule[]
}
