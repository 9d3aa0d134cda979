import type { GateRule } from '../gates/gate-rule.ts'
import type { Decision } from '../model/decision.ts'
import type { DecisionReason } from '../model/reason.ts'

/** What the kernel and the gates say of one call, before any person is asked. */
export type Judgement = Inadmissible | Admitted

/** A call that may run, or whose rules in `confirms` ask a person. */
export type Admitted = Judged & { readonly kind: 'admitted'; readonly decision: Decision }

/** A call that may not run; `refusal` is what the model reads. No decision where the arguments were not exact. */
export type Inadmissible = Judged & { readonly kind: 'refused'; readonly decision?: Decision; readonly refusal: string }

type Judged = { readonly reasons: readonly DecisionReason[]; readonly unmet: readonly GateRule[]; readonly confirms: readonly GateRule[] }
