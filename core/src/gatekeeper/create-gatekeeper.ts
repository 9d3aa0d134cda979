import { compileGates } from '../gates/compile-gates.ts'
import type { CompiledGates } from '../gates/compile-gates.ts'
import { GateManager } from '../gates/gate-manager.ts'
import type { GateRule, GateRules } from '../gates/gate-rule.ts'
import type { ToolReading } from '../gates/read-marks.ts'
import type { Hold } from '../holds/hold.ts'
import { AdmissionKernel } from '../kernel/admission-kernel.ts'
import type { Budget } from '../model/budget.ts'
import type { AdapterDeclaration } from '../model/adapter.ts'
import { CallgateError } from '../model/callgate-error.ts'
import { canonicalJson } from '../model/canonical.ts'
import { sha256Hex } from '../model/digest.ts'
import type { Policy } from '../model/policy.ts'
import type { Approver } from '../ports/approver.ts'
import type { CallScope } from '../ports/call-scope.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Store } from '../ports/store.ts'
import type { Redactor } from '../record/redactor.ts'
import type { Completion, Environment } from './environment.ts'
import { readPlain } from './read-plain.ts'
import { recoverClaims } from './recover-claims.ts'
import { createSession } from './session.ts'
import { createSessionBook } from './session-book.ts'
import type { Session } from './session.ts'

const TEN_MINUTES_MS = 600_000

/** What a gatekeeper is made of: rules and policies, and the ports (`local()` gives those of one process). */
export type GatekeeperOptions = {
  readonly gates: GateRules | readonly GateRule[] | GateManager
  readonly policies?: readonly Policy[]
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly scope?: CallScope
  readonly approver?: Approver
  /** What the caller can enact; by default all of contract 6, for a host that awaits `session.call`. */
  readonly adapter?: AdapterDeclaration
  readonly server?: string
  readonly budget?: Partial<Budget>
  /** How long a hold waits for a person, in milliseconds; ten minutes by default. */
  readonly holdExpiresMs?: number
  /** Reads a result; by default every result is a success and only what `run` throws is a failure. */
  readonly completion?: (result: unknown) => Completion
  /**
   * What rules may read of a result: its structured content, and its text. By default text is text, and any other plain JSON
   * is structured, with its JSON as text; of anything else nothing is read.
   */
  readonly reading?: (result: unknown) => ToolReading
  /**
   * What becomes of a call whose arguments no schema vouches for, where a rule looks at them: refused, or, where something else
   * has checked them, judged as they are (contract 9). `refuse` by default.
   */
  readonly schemaless?: 'refuse' | 'allow'
  /** Keeps values at some paths out of the record, of refusals, and of what a person is shown (contract 10, 11). */
  readonly redactor?: Redactor
  /** Names this process in claims; random by default. */
  readonly owner?: string
  /** True where the process that made a claim is known to have ended. */
  readonly isOwnerGone?: (owner: string) => boolean
  /** Told what went wrong beside a call: a mark or an entry that could not be written, a store that did not answer. */
  readonly warn?: (message: string) => void
}

/** Decides calls before they run, session by session. */
export type Gatekeeper = {
  /** SHA-256 of the rules: a yes is bound to it. */
  readonly rulesVersion: string
  /**
   * The session of that id and principal, the same object each time while it is in use. `requester` names who asks where a rule
   * excludes them (`notBy`), the principal if absent. Throws `invalid_option` for an empty name, or for another requester.
   */
  session(id: string, options: { readonly principal: string; readonly requester?: string }): Session
  hold(id: string): Promise<Hold | undefined>
  /** Turns the claims of ended processes into unknown outcomes; returns how many. Call it at start. */
  recover(): Promise<number>
}

/** Makes a gatekeeper; throws `invalid_rules`, `reserved_gate` or `invalid_policy`. Nothing runs until a session calls. */
export function createGatekeeper(options: GatekeeperOptions): Gatekeeper {
  const gates = compileGates(options.gates instanceof GateManager ? options.gates.rules : options.gates)
  const policies = options.policies ?? []
  const env: Environment = {
    gates,
    rulesVersion: versionOf(gates, policies),
    kernel: new AdmissionKernel(policies, options.budget === undefined ? {} : { budget: options.budget }),
    hasPolicies: policies.length > 0,
    adapter: options.adapter ?? HOST,
    server: options.server,
    store: options.store,
    clock: options.clock,
    random: options.random,
    scope: options.scope,
    approver: options.approver,
    holdExpiresMs: options.holdExpiresMs ?? TEN_MINUTES_MS,
    owner: options.owner ?? options.random.id(),
    completion: options.completion ?? (() => 'success'),
    reading: options.reading ?? readPlain,
    schemaless: options.schemaless ?? 'refuse',
    redactor: options.redactor,
    warn: options.warn ?? (() => undefined),
  }
  const sessions = createSessionBook((scope, requester) => createSession(env, scope, requester))
  const isOwnerGone = options.isOwnerGone ?? (() => false)
  return {
    rulesVersion: env.rulesVersion,
    session(id, { principal, requester }) {
      for (const text of [id, principal, requester ?? principal]) {
        if (typeof text !== 'string' || text === '' || !text.isWellFormed()) {
          throw new CallgateError('invalid_option', 'A session needs an id and a principal, and may have a requester, each well-formed text that is not empty.')
        }
      }
      return sessions.get({ principal, session: id }, requester)
    },
    hold: (id) => env.store.holds.get(id),
    recover: () => recoverClaims(env, isOwnerGone),
  }
}

const HOST: AdapterDeclaration = {
  id: 'host',
  version: '0.1.0',
  lifecycle: ['pre:tool.call', 'post:tool.success', 'post:tool.failure'],
  effects: { deny: true, replace: true, hold: true, observe: true },
  identity: true,
  completeCandidate: true,
}

/** A policy's version says how it decides, and a yes holds for the policies as they were. */
function versionOf({ version }: CompiledGates, policies: readonly Policy[]): string {
  return sha256Hex(canonicalJson({ ...version, policies: policies.map((policy) => [policy.id, policy.version]) }))
}
