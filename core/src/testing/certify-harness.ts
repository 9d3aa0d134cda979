import type { GateRules } from '../gates/gate-rule.ts'
import type { JsonObject } from '../model/json-value.ts'
import type { Store } from '../ports/store.ts'

/** A tool that the framework offers; it keeps what it receives, and answers with a failure where it `fails`. */
export type CanaryTool = { readonly name: string; readonly fails: boolean }

/** What a harness sets up: the adapter in its framework, over a store of its own, before these tools. */
export type StageSetup = {
  readonly gates: GateRules
  /** Every tool takes `{ n: integer, note: string, deep: object }`, and admission turns the text `"7"` for `n` into 7. */
  readonly tools: readonly CanaryTool[]
}

/** An adapter in its framework, ready to be called. */
export type Stage = {
  readonly store: Store
  /** The model calls a tool; resolves with what it reads. A held call may wait for its answer, or say that it waits. */
  call(tool: string, args: JsonObject): Promise<string>
  /** What the tools received, in order. */
  received(): Promise<readonly { readonly tool: string; readonly args: unknown }[]>
  /** Lets a few milliseconds pass; for 60 pauses an adapter is watched that should do nothing more. */
  pause(): Promise<void>
  close(): Promise<void>
}

/** Drives an adapter in its real framework for `certify`. */
export type CertifyHarness = { open(setup: StageSetup): Promise<Stage> }

/** One claim of a declaration, and whether it held. */
export type ClaimReport = {
  readonly name: string
  readonly text: string
  readonly result: 'proven' | 'refuted' | 'unproven' | 'not claimed'
  readonly why?: string
}
