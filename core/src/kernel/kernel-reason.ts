import type { DecisionReason } from '../model/reason.ts'

/** The closed list of what the kernel itself has against an attempt (contract 5). */
export type KernelCode =
  | 'unknown_event'
  | 'adapter_unfit'
  | 'inexact_candidate'
  | 'over_budget'
  | 'evaluator_failure'
  | 'ownership_conflict'
  | 'not_owned'
  | 'incomplete'
  | 'not_a_fixed_point'
  | 'cannot_replace'
  | 'cannot_hold'

/** The policy that the kernel's own reasons carry; no policy may have this id. */
export const KERNEL_ID = 'kernel'

/** A reason of the kernel itself. */
export function kernelReason(code: KernelCode, message: string, pointer?: string): DecisionReason {
  return Object.freeze({ policy: KERNEL_ID, code, message, ...(pointer === undefined ? {} : { pointer }) })
}
