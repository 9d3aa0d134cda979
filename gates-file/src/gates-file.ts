import type { GateRules } from '@callgate/core'

/** The server behind the gate: a program and its arguments, started without a shell. */
export type ServerSettings = { readonly command: readonly string[] }

/** Inclusive bounds of one argument, tighter than the tool's schema. */
export type ArgumentBounds = { readonly minimum?: number; readonly maximum?: number }

/** How arguments are repaired (contract 8); without it none is changed. The maps by name have no prototype. */
export type TypingSettings = {
  readonly mode: 'strict'
  /** The opt-in for `"true"` and `"false"`; false where the file is silent. */
  readonly lowercaseBooleans: boolean
  /** What happens to arguments that cannot be repaired; `refuse` where the file is silent. */
  readonly invalid: 'refuse' | 'forward'
  /** By tool, then by argument. */
  readonly tools: { readonly [tool: string]: { readonly [argument: string]: ArgumentBounds } }
}

/** What a gates file says, deep frozen. */
export type GatesFile = {
  /** SHA-256 of the text, without a byte order mark: the version of the rules. */
  readonly digest: string
  readonly server?: ServerSettings
  readonly rules: GateRules
  readonly typing?: TypingSettings
}
