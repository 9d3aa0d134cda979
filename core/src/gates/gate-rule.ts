import type { Expression } from './expression.ts'

/** The gate that a person answers: it can be neither marked nor external (contract 9). */
export const CONFIRM_GATE = 'confirm'

/** What a server says of its own tool (MCP's tool annotations). */
export type ToolAnnotations = {
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** Which tools an item of the rules is about: names in which `*` stands for any text, or what their annotations say. */
export type ToolSelector = {
  readonly tools?: readonly string[]
  /** All of these must be as the tool's annotations say. */
  readonly annotations?: ToolAnnotations
  /** With `annotations`: whether the item is about a tool that says nothing of one of them. */
  readonly unannotated?: boolean
}

/** What a person must be asked, and who may answer (contract 10). */
export type HoldTerms = {
  /** Roles, one of which the approver must have; anyone who may approve if absent. */
  readonly approvers?: readonly string[]
  /** How many different people must say yes; 1 if absent. */
  readonly quorum?: number
  readonly notBy?: 'requester'
  /** How long the question stands, in milliseconds; then it is a no. */
  readonly expiresMs?: number
  readonly channel?: 'console' | 'elicitation'
  /** Roles that see redacted values in the question. */
  readonly showTo?: readonly string[]
}

/** A precondition (contract 9): the selected tools need `gate`, and the model reads `message` until it is marked. */
export type GateRule = ToolSelector & HoldTerms & {
  readonly gate: string
  readonly message: string
  /** Another gate; the rule is only enforced once that one is marked. */
  readonly condition?: string
  /** Over `args`: the key, or the list of keys, all of which a mark must carry. */
  readonly key?: Expression
  /** Over `args` and `fact`: must be true of the fact kept under each key, or without `key` of one kept by the gate's marks. */
  readonly require?: Expression
  /** Over `args`: the rule is only about calls for which it is true. */
  readonly when?: Expression
  /** What an unmet rule does; `refuse` if absent. */
  readonly otherwise?: 'refuse' | 'hold'
  /** Line in the gates file, 1-based, where it came from one. */
  readonly line?: number
}

/** Who marks a gate without code in the tool: each of `tools`, when it has completed successfully, or what the user wrote. */
export type MarkRule = {
  readonly gate: string
  /** Absent only with `from: 'user'`. */
  readonly tools?: readonly string[]
  /** `tool` if absent. */
  readonly from?: 'tool' | 'user'
  /** Over `args` and `result`, or over `text`: the keys that the mark carries. */
  readonly keys?: Expression
  /** Over `args` and `result`: one fact a key, or one for all. */
  readonly keep?: Expression
  /** Over `args` and `result`: where it is true the whole call failed, whatever the tool said. */
  readonly failedWhen?: Expression
  /** `result` is the text parsed, for the expressions of this item. */
  readonly parse?: 'json'
  /** When the mark goes stale, in milliseconds after it was made. */
  readonly expiresMs?: number
  /** How many calls that need the mark it serves. */
  readonly uses?: number
  /** The item clears instead: all marks of the gate, or those with `keys`, when the call starts. */
  readonly clear?: boolean
  readonly line?: number
}

/** A bound in one session (contract 9): on the number of calls, on a sum over them, or on identical calls in a row. */
export type LimitRule = {
  /** Absent: every tool. */
  readonly tools?: readonly string[]
  readonly calls?: number
  /** Over `args`; with `max`. */
  readonly sum?: Expression
  readonly max?: number
  /** The window in milliseconds; absent: the whole session. */
  readonly perMs?: number
  readonly repeats?: number
  readonly line?: number
}

/** What a gatekeeper enforces: rules in file order, who marks, and the gates that the host's own code marks. */
export type GateRules = {
  readonly rules: readonly GateRule[]
  readonly marks?: readonly MarkRule[]
  readonly external?: readonly string[]
  /** When present, tools that none of these names is about are refused. */
  readonly allow?: readonly string[]
  /** Always refused. */
  readonly deny?: readonly string[]
  readonly limits?: readonly LimitRule[]
  /** What becomes of a tool that no rule is about and `allow` does not name; `allow` if absent. */
  readonly default?: 'allow' | 'confirm' | 'refuse'
  /** What becomes of a tool that the server does not list; `refuse` if absent. */
  readonly unlisted?: 'refuse' | 'allow'
}
