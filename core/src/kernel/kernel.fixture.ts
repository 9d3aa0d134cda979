import type { AdapterDeclaration } from '../model/adapter.ts'
import { Attempt } from '../model/attempt.ts'
import type { AttemptFields } from '../model/attempt.ts'
import { Candidate } from '../model/candidate.ts'
import type { Decision } from '../model/decision.ts'
import type { Policy, Proposal } from '../model/policy.ts'
import { AdmissionKernel } from './admission-kernel.ts'

/** An adapter that sees and enacts everything. */
export const able: AdapterDeclaration = {
  id: 'example',
  version: '1',
  lifecycle: ['pre:tool.call', 'post:tool.success', 'post:tool.failure'],
  identity: true,
  completeCandidate: true,
  effects: { deny: true, replace: true, hold: true, observe: true },
}

/** The same, unable to enact some effects. */
export function unable(...effects: readonly (keyof AdapterDeclaration['effects'])[]): AdapterDeclaration {
  return { ...able, effects: { ...able.effects, ...Object.fromEntries(effects.map((effect) => [effect, false])) } }
}

/** An attempt before the call, on these fields. */
export function attemptOf(fields: Record<string, unknown>, rest: Partial<AttemptFields> = {}): Attempt {
  return Attempt.create({ phase: 'pre', event: 'tool.call', target: { adapter: 'example', tool: 'count' }, candidate: Candidate.of(fields), ...rest })
}

/** A policy that says the same of every attempt, or what a function says; the proposals are not checked, on purpose. */
export function policyOf(id: string, proposal: unknown, owns: Policy['owns'] = []): Policy {
  const evaluate = typeof proposal === 'function' ? (proposal as Policy['evaluate']) : (): Proposal => proposal as Proposal
  return { id, version: '1', owns, evaluate }
}

/** A denial with one reason. */
export function denial(code: string, message?: string): Proposal {
  return { kind: 'deny', reasons: [message === undefined ? { code } : { code, message }] }
}

/** A repair of some fields, others kept, that settles: the second time it accepts. */
export function settingTo(changes: Record<string, unknown>, code = 'repaired'): Policy['evaluate'] {
  return ({ candidate }) => {
    const wanted = Candidate.of({ ...candidate.fields, ...changes })
    return wanted.digest === candidate.digest ? { kind: 'accept' } : { kind: 'repair', candidate: wanted, reasons: [{ code }] }
  }
}

/** The decision of these policies on `{ argument: '7' }` by an able adapter, or on what is given. */
export function admit(policies: readonly Policy[], attempt: Attempt = attemptOf({ argument: '7' }), adapter: AdapterDeclaration = able): Decision {
  return new AdmissionKernel(policies).admit(attempt, adapter)
}

/** The codes of a decision's reasons, each with its policy. */
export function codesOf(decision: Decision): readonly string[] {
  return decision.reasons.map(({ policy, code }) => `${policy}:${code}`)
}
