import type { JsonObject, JsonValue } from '../model/json-value.ts'

/** What an expression may look at; where it stands says which of these there are. Plain JSON values, exact (contract 2). */
export type ExpressionInput = {
  /** The admitted, repaired arguments of the call. */
  readonly args?: JsonObject
  /** What the tool returned: its structured content with the text as `text`, else `{ text }`. */
  readonly result?: JsonValue
  /** What a mark kept under the key that the rule asks for. */
  readonly fact?: JsonValue
  /** What the user wrote. */
  readonly text?: string
}

/**
 * One expression of a rule, compiled (contract 9). `evaluate` returns a plain value; undefined where a member that it
 * reads is not there; it throws for every other error, and its work is bounded. `source` is a part of the rules' version.
 */
export type Expression = { readonly source: string; evaluate(input: ExpressionInput): unknown }
