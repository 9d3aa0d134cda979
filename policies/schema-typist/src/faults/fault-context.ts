import type { JsonObject } from '@callgate/core'
import type { CompiledSchema } from '../schema/compile-schema.ts'
import type { Primitives } from '../repair/read-text.ts'
import type { ShowAt } from './redaction.ts'
import type { TypingTier } from '../repair/typing-tier.ts'

/** What the words about a fault are taken from. */
export type FaultContext = {
  readonly compiled: CompiledSchema
  /** The arguments as they were sent. */
  readonly sent: JsonObject
  /** The arguments that the faults are about: after what could be repaired. */
  readonly attempted: JsonObject
  /** Pointers of texts that can be read in more than one way. */
  readonly ambiguous: readonly string[]
  readonly tier: TypingTier
  readonly primitives: Primitives
  readonly showAt: ShowAt
}

/** A fault: its words are made when it is one of the few that are told. */
export type SpokenFault = { readonly code: string; readonly pointer: string; readonly say: () => string }
