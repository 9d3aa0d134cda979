import type { Expression, ExpressionInput } from '../gates/expression.ts'
import type { GateRules } from '../gates/gate-rule.ts'
import { local } from '../local/local.ts'
import type { LocalPorts } from '../local/local.ts'
import type { JsonObject } from '../model/json-value.ts'
import type { EntryDraft } from '../record/entry.ts'
import { fixedClock } from '../testing/fixed-clock.ts'
import type { FixedClock } from '../testing/fixed-clock.ts'
import { answerHold, createApproverToken } from './answer-hold.ts'
import type { Outcome } from './call.ts'
import { createGatekeeper } from './create-gatekeeper.ts'
import type { GatekeeperOptions } from './create-gatekeeper.ts'
import type { Session } from './session.ts'

type Input = { readonly args: JsonObject; readonly result: JsonObject; readonly fact: JsonObject; readonly text: string }

/** An expression as a plain object, as a host may write one. */
export const ex = (source: string, evaluate: (input: Input) => unknown): Expression => ({ source, evaluate: (input: ExpressionInput) => evaluate(input as Input) })

/** A session over fresh ports and a clock that stands at 1,000. */
export type Stage = {
  readonly session: Session
  readonly clock: FixedClock
  readonly ports: LocalPorts & { readonly clock: FixedClock }
  readonly warnings: string[]
}

/** Rules, and a session under them; arguments need no schema unless `more` says otherwise. */
export function stage(gates: Partial<GateRules>, more: Partial<GatekeeperOptions> = {}): Stage {
  const clock = fixedClock(1_000)
  const ports = { ...local(), clock }
  const warnings: string[] = []
  const gatekeeper = createGatekeeper({ gates: { rules: [], ...gates }, ...ports, schemaless: 'allow', warn: (text) => void warnings.push(text), ...more })
  return { session: gatekeeper.session('s', { principal: 'ann' }), clock, ports, warnings }
}

/** Makes a call whose tool returns `result`. */
export const call = (session: Session, tool: string, args: JsonObject = {}, result: unknown = {}): Promise<Outcome<unknown>> => session.call({ tool, args }, () => result)

/** Makes one call after the other, and says what became of each. */
export async function verdicts(session: Session, tool: string, ...all: readonly JsonObject[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const args of all) found.push((await call(session, tool, args)).verdict)
  return found
}

/** Answers a hold as a person with a token of their own; yields the hold's status after it. */
export async function vote(ports: LocalPorts, holdId: string | undefined, name: string, roles: readonly string[] = []): Promise<string> {
  const { token } = await createApproverToken(ports, { name, roles })
  return (await answerHold(ports, { holdId: holdId ?? '', verdict: 'approve', token })).status
}

/** The data of the record's entries of one kind, oldest first. */
export async function recorded({ ports }: Stage, kind: EntryDraft['kind']): Promise<readonly JsonObject[]> {
  const entries = await ports.store.record.read(0, 1_000)
  return entries.filter((entry) => entry.kind === kind).map(({ data }) => data)
}
