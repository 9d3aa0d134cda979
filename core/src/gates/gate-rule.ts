/** The gate that a person answers: it can be neither marked nor external (contract 9). */
export const CONFIRM_GATE = 'confirm'

/** A precondition (contract 9): `tools` need `gate`, and the model reads `message` until it is marked. */
export type GateRule = {
  readonly gate: string
  readonly tools: readonly string[]
  readonly message: string
  /** Another gate; the rule is only enforced once that one is marked. */
  readonly condition?: string
  /** Line in the gates file, 1-based, where it came from one. */
  readonly line?: number
}

/** Who marks a gate without code in the tool: each of `tools`, when it has completed successfully. */
export type MarkRule = { readonly gate: string; readonly tools: readonly string[]; readonly line?: number }

/** What a gatekeeper enforces: rules in file order, who marks, and the gates that the host's own code marks. */
export type GateRules = {
  readonly rules: readonly GateRule[]
  readonly marks?: readonly MarkRule[]
  readonly external?: readonly string[]
}
