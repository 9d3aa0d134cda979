import type { ToolAnnotations } from '@callgate/core'

/** What `checkRules` can find; a closed list, each explained in docs/errors.md. */
export const FINDING_CODES = [
  'condition_never_marked', 'confusable_tool', 'denied_rule', 'failing_example', 'gate_cycle', 'gate_never_marked', 'no_fact_kept',
  'no_keys_marked', 'no_tool_selected', 'outside_allow', 'own_condition', 'pattern_matches_all', 'pattern_matches_nothing', 'refused_markers',
  'shadowed_rule', 'unknown_tool', 'unused_gate', 'unused_keys',
] as const

/** One of `FINDING_CODES`. */
export type FindingCode = (typeof FINDING_CODES)[number]

/** One thing that rules have wrong although they can be read. `pointer` is a JSON Pointer into the gates file. */
export type Finding = {
  readonly code: FindingCode
  readonly severity: 'error' | 'warning'
  readonly pointer: string
  readonly message: string
  /** What to do about it, where that can be said. */
  readonly hint?: string
}

/** A tool as its server lists it, and what it says of itself. */
export type KnownTool = { readonly name: string; readonly annotations?: ToolAnnotations }
