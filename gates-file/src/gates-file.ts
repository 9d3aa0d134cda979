import type { GateRules, JsonValue } from '@callgate/core'

/** The server behind the gate: a program and its arguments, started without a shell, or a URL. */
export type ServerSettings = {
  readonly command?: readonly string[]
  readonly url?: string
  /** Headers of every request to the URL, as they stand in the file: `${NAME}` means that environment variable. */
  readonly headers?: { readonly [name: string]: string }
}

/** Inclusive bounds of one argument, tighter than the tool's schema. */
export type ArgumentBounds = { readonly minimum?: number; readonly maximum?: number }

/** How arguments are repaired (contract 8); without it none is changed. The maps by name have no prototype. */
export type TypingSettings = {
  readonly mode: 'strict' | 'basic' | 'flexible'
  /** The opt-in for `"true"` and `"false"`; false where the file is silent. */
  readonly lowercaseBooleans: boolean
  /** What happens to arguments that cannot be repaired; `refuse` where the file is silent. */
  readonly invalid: 'refuse' | 'forward'
  /** By tool, then by argument. */
  readonly tools: { readonly [tool: string]: { readonly [argument: string]: ArgumentBounds } }
}

/** A call that nothing came before in its session, and what becomes of it; `by` names the gate that decides. */
export type GatesExample = {
  readonly call: { readonly tool: string; readonly args?: { readonly [key: string]: JsonValue } }
  readonly expect: 'refuse' | 'hold' | 'run'
  readonly by?: string
}

/** A word of the format that not every host can keep, and where it stands: a host that cannot must refuse the file. */
export type SpecialWord = { readonly word: string; readonly line: number; readonly column: number }

/** What a gates file says, deep frozen. */
export type GatesFile = {
  /** SHA-256 of the text, without a byte order mark: the version of the rules. */
  readonly digest: string
  readonly server?: ServerSettings
  readonly rules: GateRules
  readonly typing?: TypingSettings
  /** Which changes of the file a running gateway takes over; absent where the file is silent. */
  readonly reload?: 'tighten' | 'any' | 'never'
  /** Paths of arguments that are never written to the record. */
  readonly redact?: readonly string[]
  readonly record?: { readonly onError: 'refuse' | 'warn' }
  readonly userText?: { readonly header: string }
  readonly examples?: readonly GatesExample[]
  readonly special: readonly SpecialWord[]
}
