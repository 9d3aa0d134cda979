import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AdapterDeclaration } from '../model/adapter.ts'
import { Attempt } from '../model/attempt.ts'
import type { AttemptFields } from '../model/attempt.ts'
import { Candidate } from '../model/candidate.ts'
import type { Decision } from '../model/decision.ts'
import { diffValues } from '../model/diff-values.ts'
import { containersIn, exactFields } from '../model/exact-values.fixture.ts'
import type { Policy } from '../model/policy.ts'
import { AdmissionKernel } from './admission-kernel.ts'
import { able, attemptOf, unable } from './kernel.fixture.ts'

const names = ['a', 'b', 'c'] as const
type Behaviour = { readonly kind: string; readonly field: string; readonly value: unknown }

/** A small language of behaviours: what a policy does may depend on one field of the candidate, and on nothing else. */
const behaviours: fc.Arbitrary<Behaviour> = fc.record({
  kind: fc.constantFrom('abstain', 'accept', 'deny', 'hold', 'observe', 'set', 'cast', 'grow', 'drop', 'add', 'throw', 'promise', 'junk', 'forge', 'denyNumbers', 'holdNumbers'),
  field: fc.constantFrom(...names),
  value: fc.oneof(fc.integer(), fc.string(), fc.anything()),
})

function proposalOf({ kind, field, value }: Behaviour, { candidate }: Attempt): unknown {
  const { fields } = candidate
  const repair = (changed: Record<string, unknown>): unknown => ({ kind: 'repair', candidate: Candidate.of(changed), reasons: [{ code: kind, pointer: `/${field}` }] })
  const current = Object.hasOwn(fields, field) ? fields[field] : undefined
  switch (kind) {
    case 'deny':
    case 'observe':
      return { kind, reasons: [{ code: kind }] }
    case 'hold':
      return { kind, question: `Run with ${field}?` }
    case 'set':
      return repair({ ...fields, [field]: 7 })
    case 'cast':
      return typeof current === 'string' ? repair({ ...fields, [field]: current.length }) : { kind: 'accept' }
    case 'grow':
      return repair({ ...fields, [field]: [current ?? null] })
    case 'drop':
      return repair(Object.fromEntries(Object.entries(fields).filter(([key]) => key !== field)))
    case 'add':
      return repair({ ...fields, added: 1 })
    case 'throw':
      throw value
    case 'promise':
      return Promise.reject(new Error('no'))
    case 'junk':
      return value
    case 'forge':
      return { kind: 'repair', candidate: { fields, digest: candidate.digest }, reasons: [] }
    case 'denyNumbers':
      return typeof current === 'number' ? { kind: 'deny', reasons: [{ code: 'number' }] } : { kind: 'accept' }
    case 'holdNumbers':
      return typeof current === 'number' ? { kind: 'hold', question: 'A number?' } : { kind: 'accept' }
    default:
      return { kind }
  }
}

const policyLists: fc.Arbitrary<readonly Policy[]> = fc.array(fc.tuple(behaviours, fc.subarray([...names])), { maxLength: 4 }).map((drawn) =>
  drawn.map(([behaviour, owns], at) => ({ id: `p${at}`, version: '1', owns: () => owns, evaluate: (attempt) => proposalOf(behaviour, attempt) as ReturnType<Policy['evaluate']> })))

const flat = fc.record({ a: fc.oneof(fc.string({ maxLength: 4 }), fc.integer()), b: fc.oneof(fc.string({ maxLength: 4 }), fc.boolean()), c: fc.constant('7') })
const candidates = fc.oneof(flat, exactFields).map((fields) => Candidate.of(fields))
const adapters = fc.constantFrom(able, able, able, unable('replace'), unable('hold'), unable('deny'))
const phases = fc.constantFrom<Pick<AttemptFields, 'phase' | 'event'>>({ phase: 'pre', event: 'tool.call' }, { phase: 'pre', event: 'tool.call' }, { phase: 'post', event: 'tool.failure' }, { phase: 'pre', event: 'tool.success' })
const attempts = fc.tuple(phases, candidates).map(([pair, candidate]) => Attempt.create({ ...pair, target: { adapter: 'example', tool: 't' }, candidate }))

/** Policies that own the one field they may change, most of which settle. */
const settlingLists: fc.Arbitrary<readonly Policy[]> = fc
  .uniqueArray(fc.record({ kind: fc.constantFrom('set', 'cast', 'cast', 'observe', 'holdNumbers', 'denyNumbers', 'grow', 'abstain'), field: fc.constantFrom(...names), value: fc.constant(0) }), {
    selector: ({ field }) => field,
  })
  .map((drawn) => drawn.map((behaviour, at) => ({
    id: `p${at}`, version: '1', owns: [behaviour.field], evaluate: (attempt) => proposalOf(behaviour, attempt) as ReturnType<Policy['evaluate']>,
  })))

/** Repairs that settle, and that only the rules of ownership and completeness stand against. */
const trespasses = ['drop', 'add', 'share'] as const
type Trespass = (typeof trespasses)[number]

function trespassers(kind: Trespass, field: string): readonly Policy[] {
  const repairing = { kind: kind === 'share' ? 'set' : kind, field, value: 0 }
  const owned = kind === 'add' ? ['added'] : [field]
  const policy: Policy = { id: kind, version: '1', owns: () => owned, evaluate: (attempt) => proposalOf(repairing, attempt) as ReturnType<Policy['evaluate']> }
  return kind === 'share' ? [policy, { id: 'sharing', version: '1', owns: () => owned, evaluate: () => ({ kind: 'accept' }) }] : [policy]
}

/** One trespasser among policies that settle without a denial, before or after them. */
const trespassing: fc.Arbitrary<{ readonly trespass: Trespass; readonly policies: readonly Policy[] }> = fc
  .record({
    trespass: fc.constantFrom(...trespasses),
    field: fc.constantFrom(...names),
    isFirst: fc.boolean(),
    others: fc.uniqueArray(fc.record({ kind: fc.constantFrom('set', 'cast', 'observe', 'holdNumbers', 'abstain'), field: fc.constantFrom(...names) }), { selector: (other) => other.field, maxLength: 2 }),
  })
  .map(({ trespass, field, isFirst, others }) => {
    const harmless = others.filter((other) => other.field !== field).map((other, at): Policy => ({
      id: `p${at}`, version: '1', owns: [other.field], evaluate: (attempt) => proposalOf({ ...other, value: 0 }, attempt) as ReturnType<Policy['evaluate']>,
    }))
    const guilty = trespassers(trespass, field)
    return { trespass, policies: isFirst ? [...guilty, ...harmless] : [...harmless, ...guilty] }
  })

type Case = { readonly policies: readonly Policy[]; readonly attempt: Attempt; readonly adapter: AdapterDeclaration; readonly trespass?: Trespass }
const flatAttempts = flat.map((fields) => attemptOf(fields))
const anyCase: fc.Arbitrary<Case> = fc.record({ policies: policyLists, attempt: attempts, adapter: adapters })
const settlingCase: fc.Arbitrary<Case> = fc.record({ policies: settlingLists, attempt: flatAttempts, adapter: fc.constant(able) })
const trespassingCase: fc.Arbitrary<Case> = fc.tuple(trespassing, flatAttempts).map(([drawn, attempt]) => ({ ...drawn, attempt, adapter: able }))

function ownedBy({ owns }: Policy, attempt: Attempt): readonly string[] {
  return typeof owns === 'function' ? owns(attempt) : owns
}

function checkShape(decision: Decision): void {
  expect(['run', 'refuse', 'hold', 'observe']).toContain(decision.verdict)
  const { toJSON, ...data } = decision
  expect(typeof toJSON).toBe('function')
  for (const container of [decision, ...containersIn(data).slice(1)]) expect(Object.isFrozen(container)).toBe(true)
  expect(() => JSON.stringify(decision)).not.toThrow()
  expect(decision.verdict === 'refuse' ? (decision.message ?? '').trim() !== '' && decision.reasons.length > 0 : decision.message === undefined).toBe(true)
  expect(decision.questions.length > 0).toBe(decision.verdict === 'hold')
  expect(decision.retry).toBe(decision.verdict === 'observe' ? 'never' : undefined)
}

test('admission is total, deterministic and frozen, whatever the policies do', () => {
  fc.assert(fc.property(policyLists, attempts, adapters, (policies, attempt, adapter) => {
    const kernel = new AdmissionKernel(policies)
    const decision = kernel.admit(attempt, adapter)
    checkShape(decision)
    const again = new AdmissionKernel(policies).admit(attempt, adapter)
    expect(JSON.stringify(again)).toBe(JSON.stringify(decision))
    expect(JSON.stringify(kernel.admit(attempt, adapter))).toBe(JSON.stringify(decision))
  }), { numRuns: 400 })
})

test('admission is total and deterministic for arbitrary values in the place of attempts and adapters', () => {
  const anything = fc.anything({ withBigInt: true, withBoxedValues: true, withDate: true, withMap: true, withNullPrototype: true, withSet: true, withSparseArray: true })
  const lookalikes = fc.record({ phase: fc.oneof(fc.constant('pre'), anything), event: fc.oneof(fc.constant('tool.call'), anything), target: anything, candidate: fc.oneof(candidates, anything) }, { requiredKeys: [] })
  const values = fc.oneof(anything, lookalikes, attempts)
  fc.assert(fc.property(values, fc.oneof(fc.constant(able), anything), (attempt, adapter) => {
    const admit = (): Decision => new AdmissionKernel([]).admit(attempt as Attempt, adapter as AdapterDeclaration)
    const decision = admit()
    checkShape(decision)
    expect(JSON.stringify(admit())).toBe(JSON.stringify(decision))
    if (!Attempt.isAttempt(attempt)) expect(decision.verdict).toBe('refuse')
  }), { numRuns: 400 })
})

test('every enacted replacement is a fixed point of every policy, complete, and within what its owners own', () => {
  let enacted = 0
  const tried = { drop: 0, add: 0, share: 0 }
  fc.assert(fc.property(fc.oneof(anyCase, settlingCase, trespassingCase), ({ policies, attempt, adapter, trespass }) => {
    const kernel = new AdmissionKernel(policies)
    const decision = kernel.admit(attempt, adapter)
    const { candidate, changes } = decision
    if (trespass !== undefined && decision.trace.some(({ policy, proposal }) => policy === trespass && proposal.kind === 'repair')) tried[trespass] += 1
    expect(diffValues(attempt.candidate.fields, candidate.fields)).toEqual(changes)
    if (changes.length === 0) {
      expect(candidate).toBe(attempt.candidate)
      return
    }
    enacted += 1
    expect(['run', 'hold']).toContain(decision.verdict)
    const next = kernel.admit(Attempt.create({ ...attempt, candidate }), adapter)
    expect([next.verdict, next.candidate]).toEqual([decision.verdict, candidate])
    expect(next.changes).toEqual([])
    expect(Object.keys(candidate.fields).sort()).toEqual(Object.keys(attempt.candidate.fields).sort())
    const repairing = new Set(decision.trace.filter(({ proposal }) => proposal.kind === 'repair').map(({ policy }) => policy))
    const owned = policies.filter(({ id }) => repairing.has(id)).flatMap((policy) => ownedBy(policy, attempt))
    for (const { pointer } of changes) expect(owned).toContain(pointer.split('/')[1])
    const everyOwned = policies.flatMap((policy) => [...new Set(ownedBy(policy, attempt))])
    expect(everyOwned.length).toBe(new Set(everyOwned).size)
  }), { numRuns: 2700 })
  expect(enacted).toBeGreaterThan(100)
  for (const trespass of trespasses) expect(tried[trespass]).toBeGreaterThan(20)
})

test('a denial or a failure never lets the call run', () => {
  fc.assert(fc.property(policyLists, candidates, (policies, candidate) => {
    const attempt = Attempt.create({ phase: 'pre', event: 'tool.call', target: { adapter: 'example', tool: 't' }, candidate })
    const decision = new AdmissionKernel(policies).admit(attempt, able)
    const isClosed = decision.trace.some(({ proposal }) => proposal.kind === 'deny' || proposal.kind === 'failure')
    if (isClosed) expect(decision).toMatchObject({ verdict: 'refuse', changes: [] })
  }), { numRuns: 400 })
})
