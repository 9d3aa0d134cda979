import type { ToolAnnotations } from '../gates/gate-rule.ts'
import type { MarkDetail } from '../gates/host-marks.ts'
import type { UnmetGate } from '../gates/judge-gates.ts'
import type { AttemptSchema } from '../model/attempt.ts'
import type { JsonObject } from '../model/json-value.ts'
import type { Change } from '../model/pointer.ts'
import type { DecisionReason } from '../model/reason.ts'

/** One request by a model to run one tool. `args` is a plain value; for text from the wire a `Candidate`, or the error that `Candidate.ofWire` threw. */
export type ToolCall = {
  readonly tool: string
  readonly args?: unknown
  readonly schema?: AttemptSchema | undefined
  /** Unique in its session: a call that comes in again with the same id, turn, tool and arguments is the same call. */
  readonly callId?: string | undefined
  /** Calls that carry the same turn are siblings: judged against the marks that stood before it. */
  readonly turn?: string | undefined
  readonly server?: string | undefined
  /** SHA-256 of the tool's definition, where it is known: a yes is bound to it. */
  readonly definition?: string | undefined
  /** What the server says of the tool, where it is listed and says something. */
  readonly annotations?: ToolAnnotations | undefined
  /** False for a tool that the server does not list; such a call is refused unless the rules say otherwise. */
  readonly isListed?: boolean | undefined
  /** SHA-256 of all that is sent beside the arguments: a yes is bound to it. */
  readonly sent?: string | undefined
}

/** What `run` is told beside the arguments. `mark` counts when this call succeeds. */
export type RunContext = {
  readonly tool: string
  readonly callId: string
  /** What was repaired: pointers begin at the candidate's field, as in `/arguments/limit`. */
  readonly changes: readonly Change[]
  mark(gate: string, detail?: MarkDetail): void
}

/**
 * Runs the tool, once, with the admitted, repaired, frozen arguments. What it throws is recorded and thrown on: a failure,
 * or with the code `unknown_outcome` a call of which nobody knows whether it took effect, with `not_run` one that never
 * reached the tool.
 */
export type Run<T> = (args: JsonObject, context: RunContext) => T | PromiseLike<T>

/** Why a call was refused. */
export type RefusalCause =
  | 'gate'
  | 'deny'
  | 'unlisted'
  | 'limit'
  | 'arguments'
  | 'denied'
  | 'expired'
  | 'cancelled'
  | 'unknown_outcome'
  | 'running'
  | 'used'
  | 'stale'
  | 'record'
  | 'store'

/** A rule that applies and is not met, why, and the key that is missing where one is. */
export type UnmetRule = { readonly gate: string; readonly message: string; readonly why: UnmetGate['why']; readonly key?: string; readonly line?: number }

/** The call ran: its result, and the arguments that ran. */
export type Ran<T> = {
  readonly verdict: 'ran'
  readonly result: T
  readonly args: JsonObject
  readonly repaired: boolean
  readonly reasons: readonly DecisionReason[]
  readonly callId: string
  readonly message?: undefined
  readonly holdId?: undefined
}

/**
 * The call did not run and will not: `message` is what the model reads; `rule` the gate that refused first, or `deny`, `allow`,
 * `default`, `unlisted`, `limits`.
 */
export type Refused = {
  readonly verdict: 'refused'
  readonly message: string
  readonly cause: RefusalCause
  readonly reasons: readonly DecisionReason[]
  readonly unmet: readonly UnmetRule[]
  readonly rule?: string
  /** The line of that rule in the gates file, where it came from one. */
  readonly line?: number
  readonly callId: string
  readonly result?: undefined
  readonly args?: undefined
  readonly holdId?: undefined
}

/** The call waits for a person: `args` is what would run, `expiresAt` the deadline in milliseconds since the epoch. */
export type Held = {
  readonly verdict: 'held'
  readonly message: string
  readonly holdId: string
  readonly question: string
  readonly args: JsonObject
  readonly expiresAt: number
  readonly rule?: string
  /** The line of that rule in the gates file, where it came from one. */
  readonly line?: number
  readonly callId: string
  readonly result?: undefined
}

/** What became of a call. What a verdict has not is undefined, so that `outcome.message` can be read of any. */
export type Outcome<T> = Ran<T> | Refused | Held
