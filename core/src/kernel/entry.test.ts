import { expect, test } from 'vitest'
import type { AdapterDeclaration } from '../model/adapter.ts'
import type { Attempt, AttemptFields } from '../model/attempt.ts'
import { Candidate } from '../model/candidate.ts'
import type { Budget } from '../model/budget.ts'
import { AdmissionKernel } from './admission-kernel.ts'
import { able, admit, attemptOf, codesOf, denial, policyOf, settingTo, unable } from './kernel.fixture.ts'

const seven = attemptOf({ argument: '7' })
const spy = (seen: unknown[]) => policyOf('spy', (attempt: unknown) => (seen.push(attempt), { kind: 'accept' }))
const forgedCandidate = { fields: { argument: '7' }, digest: 'x' } as unknown as Candidate
const trap = new Proxy({}, { get: () => { throw new Error('no') } })

test.each<readonly [string, string]>([['pre', 'tool.success'], ['pre', 'tool.failure'], ['pre', 'tool.calls'], ['', ''], ['Pre', 'tool.call'], ['pre:tool.call', '']])(
  'a pair of %s and %s is refused',
  (phase, event) => {
    const decision = admit([], attemptOf({ argument: '7' }, { phase, event } as Partial<AttemptFields>))
    expect(decision).toMatchObject({ verdict: 'refuse', reasons: [{ policy: 'kernel', code: 'unknown_event' }], trace: [] })
    expect(decision.message).toContain('pre:tool.call, post:tool.success, post:tool.failure')
  },
)

test('an unknown event after the call is an observation', () => {
  expect(admit([], attemptOf({ argument: '7' }, { phase: 'post', event: 'tool.call' }))).toMatchObject({
    verdict: 'observe', retry: 'never', reasons: [{ policy: 'kernel', code: 'unknown_event' }], trace: [],
  })
})

const UNFIT: readonly (readonly [string, unknown, string])[] = [
  ['no declaration', undefined, 'a declaration'], ['null', null, 'a declaration'], ['a text', 'example', 'a declaration'],
  ['one that throws', trap, 'a declaration'], ['one without id', { ...able, id: undefined }, 'a declaration'],
  ['one without version', { ...able, version: 1 }, 'a declaration'],
  ['one without the event', { ...able, lifecycle: ['post:tool.failure'] }, 'pre:tool.call'], ['one without events', { ...able, lifecycle: undefined }, 'pre:tool.call'],
  ['one whose events are a text', { ...able, lifecycle: 'pre:tool.call' }, 'pre:tool.call'],
  ['one with the event out of bounds', { ...able, lifecycle: [...Array.from({ length: 100 }, () => ''), 'pre:tool.call'] }, 'pre:tool.call'],
  ['one without identity', { ...able, identity: false }, 'identity'], ['one with nearly identity', { ...able, identity: 'true' }, 'identity'],
  ['one without a complete candidate', { ...able, completeCandidate: false }, 'a complete candidate'],
  ['one that cannot deny', unable('deny'), 'denial'], ['one without effects', { ...able, effects: undefined }, 'denial'], ['one with null effects', { ...able, effects: null }, 'denial'],
  ['one with effects that are text', { ...able, effects: 'deny' }, 'denial'],
]

test.each(UNFIT)('%s makes an adapter unfit', (_, adapter, lack) => {
  const seen: unknown[] = []
  const decision = new AdmissionKernel([spy(seen)]).admit(seven, adapter as AdapterDeclaration)
  expect(decision).toMatchObject({ verdict: 'refuse', reasons: [{ policy: 'kernel', code: 'adapter_unfit' }] })
  expect(decision.message).toContain(`lacks ${lack}.`)
  expect(seen).toEqual([])
  expect(admit([], attemptOf({ argument: '7' }, { phase: 'post', event: 'tool.success' }), { ...able, identity: false })).toMatchObject({
    verdict: 'observe', retry: 'never', reasons: [{ code: 'adapter_unfit' }],
  })
})

test('an adapter with the event in the last place is fit, and all that it lacks is said', () => {
  const late = { ...able, lifecycle: [...Array.from({ length: 99 }, () => ''), 'pre:tool.call'] } as unknown as AdapterDeclaration
  expect(admit([], seven, late).verdict).toBe('run')
  const bare = { id: 'a', version: '1' } as unknown as AdapterDeclaration
  expect(admit([], seven, bare).message).toContain('lacks pre:tool.call, identity, a complete candidate, denial.')
})

test('what merely looks like a candidate is refused before any policy sees it', () => {
  for (const candidate of [forgedCandidate, undefined, null, trap, new Proxy(Candidate.of({ argument: '7' }), {})]) {
    const seen: unknown[] = []
    const fields = { candidate: candidate as Candidate }
    const decision = admit([spy(seen)], attemptOf({}, fields))
    expect(decision).toMatchObject({ verdict: 'refuse', reasons: [{ policy: 'kernel', code: 'inexact_candidate' }] })
    expect(decision.message).toBe('The candidate was not made by Candidate.of, Candidate.ofArguments or Candidate.ofWire.')
    expect(Object.keys(decision.reasons[0] ?? {})).toEqual(['policy', 'code', 'message'])
    expect(decision.candidate.fields).toEqual({})
    expect(seen).toEqual([])
    expect(admit([], attemptOf({}, { ...fields, phase: 'post', event: 'tool.failure' }))).toMatchObject({ verdict: 'observe', reasons: [{ code: 'inexact_candidate' }] })
  }
})

test('what merely looks like an attempt is refused, whatever phase it claims', () => {
  for (const phase of ['pre', 'post']) {
    const event = phase === 'pre' ? 'tool.call' : 'tool.success'
    for (const attempt of [{ ...seven, phase, event }, new Proxy(attemptOf({ argument: '7' }, { phase, event } as Partial<AttemptFields>), {})]) {
      const decision = admit([], attempt as unknown as Attempt)
      expect(decision).toMatchObject({ verdict: 'refuse', message: 'The attempt was not made by Attempt.create.', reasons: [{ policy: 'kernel', code: 'inexact_candidate' }] })
      expect(decision.candidate.fields).toEqual({})
    }
  }
  for (const attempt of [undefined, null, 7, 'pre', {}, trap, { phase: Symbol('pre'), event: 'tool.call' }]) {
    expect(codesOf(new AdmissionKernel([]).admit(attempt as unknown as Attempt, able))).toEqual(['kernel:unknown_event'])
  }
})

test('the checks come in the order event, adapter, exactness, budget, then policies', () => {
  const budget = { bytes: 1, depth: 1 }
  const kernel = new AdmissionKernel([policyOf('a', denial('no'))], { budget })
  const codes = (fields: Partial<AttemptFields>, adapter: unknown): readonly string[] => codesOf(kernel.admit(attemptOf({ a: 7 }, fields), adapter as AdapterDeclaration))
  const forged = { candidate: forgedCandidate }
  expect(codes({ ...forged, event: 'tool.success' }, undefined)).toEqual(['kernel:unknown_event'])
  expect(codes(forged, undefined)).toEqual(['kernel:adapter_unfit'])
  expect(codes(forged, able)).toEqual(['kernel:inexact_candidate'])
  expect(codes({ candidate: Candidate.of({ a: 17 }) }, able)).toEqual(['kernel:over_budget'])
  expect(codes({}, able)).toEqual(['a:no'])
})

test('64 KiB of canonical JSON are within the budget, one byte more is not', () => {
  const at = Candidate.ofArguments({ a: 'x'.repeat(65_536 - 8) })
  const over = Candidate.ofArguments({ a: 'x'.repeat(65_536 - 7) })
  expect(admit([], attemptOf({}, { candidate: at })).verdict).toBe('run')
  const decision = admit([], attemptOf({}, { candidate: over }))
  expect(decision).toMatchObject({ verdict: 'refuse', reasons: [{ policy: 'kernel', code: 'over_budget' }] })
  expect(decision.message).toBe('The arguments are over the budget of 65536 bytes of canonical JSON. Send less at a time.')
  expect(decision.candidate).toBe(over)
  expect(admit([], attemptOf({}, { candidate: over, phase: 'post', event: 'tool.success' }))).toMatchObject({ verdict: 'observe', reasons: [{ code: 'over_budget' }], retry: 'never' })
})

test('depth 64 is within the budget, 65 is not', () => {
  const nested = (depth: number): Candidate => Candidate.ofWire(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
  expect(admit([], attemptOf({}, { candidate: nested(64) })).verdict).toBe('run')
  expect(admit([], attemptOf({}, { candidate: nested(65) })).message).toBe('The arguments are over the budget of 64 levels of nesting. Send less at a time.')
})

test('each bound of the budget can be set apart', () => {
  const admitWith = (budget: Partial<Budget>): string => new AdmissionKernel([], { budget }).admit(attemptOf({ arguments: { a: [1] } }), able).verdict
  expect([admitWith({ bytes: 9 }), admitWith({ bytes: 8 }), admitWith({ depth: 2 }), admitWith({ depth: 1 }), admitWith({})]).toEqual(['run', 'refuse', 'run', 'refuse', 'run'])
})

test.each([{ bytes: 0 }, { bytes: -1 }, { bytes: 1.5 }, { bytes: NaN }, { bytes: '9' }, { depth: 0 }, { depth: Infinity }, { depth: null }])('%j is no budget', (budget) => {
  expect(() => new AdmissionKernel([], { budget: budget as unknown as Budget })).toThrow(expect.objectContaining({
    code: 'invalid_option', message: 'budget.bytes and budget.depth are positive integers.',
  }))
})

test('a repair over the budget is refused, and evaluated no more', () => {
  const kernel = new AdmissionKernel([policyOf('a', settingTo({ argument: 'xx' }), ['argument'])], { budget: { bytes: 3 } })
  const decision = kernel.admit(seven, able)
  expect(codesOf(decision)).toEqual(['kernel:over_budget'])
  expect(decision.candidate).toBe(seven.candidate)
  expect(decision.trace.map(({ round }) => round)).toEqual([1])
})
