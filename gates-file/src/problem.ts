/** What a gates file can have wrong with it; a closed list, each explained in docs/errors.md. */
export const PROBLEM_CODES = [
  'alias', 'condition_must_last', 'condition_never_marked', 'duplicate_key', 'empty_file', 'empty_list', 'empty_map',
  'empty_range', 'empty_text', 'gate_never_marked', 'ill_formed_text', 'inexact_number', 'merge_key', 'misplaced_key', 'missing_key',
  'no_rules', 'reserved_gate', 'several_documents', 'tag', 'too_deep', 'too_large', 'too_many_problems', 'unknown_key',
  'unknown_version', 'unknown_word', 'wrong_expression', 'wrong_type', 'yaml_directive', 'yaml_syntax',
] as const

/** One of `PROBLEM_CODES`. */
export type ProblemCode = (typeof PROBLEM_CODES)[number]

/**
 * One thing that is wrong in a gates file. `line` and `column` are 1-based and point at the key or the value at fault;
 * a column counts UTF-16 code units, as editors do, and a byte order mark is not counted.
 */
export type Problem = {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly code: ProblemCode
  readonly severity: 'error' | 'warning'
  readonly message: string
  /** What to do about it, where that can be said. */
  readonly hint?: string
}

/** A problem as one line: `gates.yml:7:7: message; hint`. */
export function formatProblem(problem: Problem): string {
  const where = `${problem.file}:${problem.line}:${problem.column}`
  return `${where}: ${problem.message}${problem.hint === undefined ? '' : `; ${problem.hint}`}`
}
