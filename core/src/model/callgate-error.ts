/** The closed list of what can go wrong in callgate; every thrown error carries one. */
export type ErrorCode =
  | 'inexact_candidate'
  | 'invalid_json'
  | 'invalid_attempt'
  | 'invalid_schema'
  | 'invalid_policy'
  | 'invalid_rules'
  | 'invalid_option'
  | 'invalid_call'
  | 'reserved_gate'
  | 'unsupported'
  | 'unknown_hold'
  | 'invalid_answer'
  | 'unknown_approver'
  | 'unknown_outcome'
  | 'not_run'
  | 'store_unavailable'
  | 'store_invalid'
  | 'gates_file_invalid'
  | 'gates_file_missing'
  | 'state_exposed'
  | 'server_failed'

/** Every error that callgate throws: a closed `code`, and a message that says what, where and what next. */
export class CallgateError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'CallgateError'
    this.code = code
  }
}

/** Tells a callgate error from any other, by shape, so that two copies of the package agree. */
export function isCallgateError(value: unknown): value is CallgateError {
  return value instanceof Error && value.name === 'CallgateError' && typeof (value as Partial<CallgateError>).code === 'string'
}
