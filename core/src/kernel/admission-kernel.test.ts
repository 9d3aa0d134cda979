import { expect, test } from 'vitest'
import { Candidate } from '../model/candidate.ts'
import { AdmissionKernel } from './admission-kernel.ts'
import { able, admit, attemptOf, codesOf, denial, policyOf, settingTo, unable } from './kernel.fixture.ts'

const seven = attemptOf({ argument: '7' })

test('without policies, and where all abstain or accept, the call runs as it is', () => {
  for (const policies of [[], [policyOf('a', { kind: 'abstain' })], [policyOf('a', { kind: 'accept' }), policyOf('b', { kind: 'abstain' })]]) {
    const decision = admit(policies, seven)
    expect(decision).toMatchObject({ verdict: 'run', reasons: [], questions: [], changes: [] })
    expect(decision.candidate).toBe(seven.candidate)
    expect(decision.digestAfter).toBe(decision.digestBefore)
    expect(Object.keys(decision)).not.toContain('message')
    expect(Object.keys(decision)).not.toContain('retry')
  }
})

test('every policy is evaluated, also after a denial, and the trace says what each proposed', () => {
  const decision = admit([policyOf('a', denial('no')), policyOf('b', { kind: 'accept' })])
  expect(decision.trace).toEqual([
    { policy: 'a', version: '1', round: 1, proposal: denial('no') },
    { policy: 'b', version: '1', round: 1, proposal: { kind: 'accept' } },
  ])
})

test('a deny outranks any number of repairs, holds and observations', () => {
  const others = [
    policyOf('a', settingTo({ argument: 7 }), ['argument']), policyOf('b', { kind: 'hold', question: 'Sure?' }),
    policyOf('c', { kind: 'observe', reasons: [{ code: 'seen' }] }),
  ]
  const decision = admit([...others, policyOf('d', denial('no'))], seven)
  expect(decision).toMatchObject({ verdict: 'refuse', questions: [], changes: [] })
  expect(decision.candidate).toBe(seven.candidate)
  expect(codesOf(decision)).toEqual(['d:no'])
})

test('all reasons of all denials are kept, in policy order, and the model reads their messages', () => {
  const both = { kind: 'deny', reasons: [{ code: 'one', message: 'First.' }, { code: 'two', pointer: '/argument' }] }
  const decision = admit([policyOf('a', both), policyOf('b', denial('three', ' ')), policyOf('c', denial('four', 'Last.'))])
  expect(codesOf(decision)).toEqual(['a:one', 'a:two', 'b:three', 'c:four'])
  expect(decision.message).toBe('First.\nRefused by a: two at /argument.\nRefused by b: three.\nLast.')
})

test('a repair is enacted, evaluated again, and carries its reasons and changes', () => {
  const decision = admit([policyOf('typist', settingTo({ argument: 7 }, 'canonical_integer'), ['argument'])], seven)
  expect(decision).toMatchObject({ verdict: 'run', changes: [{ pointer: '/argument', before: '7', after: 7 }] })
  expect(decision.candidate.fields).toEqual({ argument: 7 })
  expect(decision.reasons).toEqual([{ policy: 'typist', code: 'canonical_integer' }])
  expect([decision.digestBefore, decision.digestAfter]).toEqual([seven.candidate.digest, Candidate.of({ argument: 7 }).digest])
  expect(decision.trace.map(({ round, proposal }) => [round, proposal.kind])).toEqual([[1, 'repair'], [2, 'accept']])
  expect(decision.trace[0]?.proposal).toMatchObject({ changes: decision.changes, reasons: [{ code: 'canonical_integer' }] })
})

test('the second evaluation sees the same target and schema, and the repaired candidate', () => {
  const schema = { schemaId: 'count', version: '1' }
  const attempt = attemptOf({ argument: '7' }, { schema })
  const seen: unknown[] = []
  admit([policyOf('a', settingTo({ argument: 7 }), ['argument']), policyOf('b', (given: unknown) => (seen.push(given), { kind: 'accept' }))], attempt)
  expect(seen[0]).toBe(attempt)
  expect(seen[1]).toEqual({ ...attempt, candidate: Candidate.of({ argument: 7 }) })
  expect(seen).toHaveLength(2)
})

test('repairs of several owners are merged by pointer, reasons in policy order', () => {
  const attempt = attemptOf({ arguments: { a: '1', b: '2', c: 3 } })
  const decision = admit([
    policyOf('first', settingTo({ arguments: { a: 1, b: '2', c: 3 } }), ['/arguments/a']),
    policyOf('second', ({ candidate }: typeof attempt) => {
      const args = candidate.fields['arguments'] as { readonly b: unknown }
      return args.b === 2 ? { kind: 'accept' } : { kind: 'repair', candidate: Candidate.ofArguments({ ...args, b: 2 }), reasons: [{ code: 'two' }] }
    }, ['/arguments/b']),
  ], attempt)
  // The first wants b as it was: on the merged candidate that is a further change.
  expect(codesOf(decision)).toEqual(['kernel:not_a_fixed_point'])
  const settled = admit(['a', 'b'].map((key) => policyOf(key, ({ candidate }: typeof attempt) => {
    const args = candidate.fields['arguments'] as Record<string, unknown>
    const wanted = Candidate.ofArguments({ ...args, [key]: Number(args[key]) })
    return wanted.digest === candidate.digest ? { kind: 'abstain' } : { kind: 'repair', candidate: wanted, reasons: [{ code: key }] }
  }, [`/arguments/${key}`])), attempt)
  expect(settled.candidate.fields).toEqual({ arguments: { a: 1, b: 2, c: 3 } })
  expect(codesOf(settled)).toEqual(['a:a', 'b:b'])
  expect(settled.changes.map(({ pointer }) => pointer)).toEqual(['/arguments/a', '/arguments/b'])
})

test('a repair that changes nothing leaves the same candidate, and is no second round', () => {
  const decision = admit([policyOf('a', { kind: 'repair', candidate: Candidate.of({ argument: '7' }), reasons: [{ code: 'same' }] })], seven)
  expect(decision).toMatchObject({ verdict: 'run', changes: [], trace: [{ round: 1 }] })
  expect(decision.candidate).toBe(seven.candidate)
  expect(codesOf(decision)).toEqual(['a:same'])
  expect(admit([policyOf('a', { kind: 'repair', candidate: seven.candidate, reasons: [] })], seven, unable('replace')).verdict).toBe('run')
})

test('a repair that the second evaluation confirms word for word is a fixed point', () => {
  const repair = { kind: 'repair', candidate: Candidate.of({ argument: 7 }), reasons: [{ code: 'again' }] }
  const decision = admit([policyOf('a', repair, ['argument'])], seven)
  expect(decision.verdict).toBe('run')
  expect(codesOf(decision)).toEqual(['a:again'])
})

test('observations before the call run, with their reasons from the last evaluation', () => {
  const observe = ({ candidate }: typeof seven): unknown => ({ kind: 'observe', reasons: [{ code: typeof candidate.fields['argument'] }] })
  expect(codesOf(admit([policyOf('a', observe)], seven))).toEqual(['a:string'])
  expect(codesOf(admit([policyOf('a', observe), policyOf('b', settingTo({ argument: 7 }), ['argument'])], seven))).toEqual(['a:number', 'b:repaired'])
})

test('a policy that repairs and then observes is heard with both', () => {
  const evaluate = ({ candidate }: typeof seven): unknown => candidate.fields['argument'] === 7
    ? { kind: 'observe', reasons: [{ code: 'seen' }] }
    : { kind: 'repair', candidate: Candidate.of({ argument: 7 }), reasons: [{ code: 'cast' }] }
  expect(codesOf(admit([policyOf('a', evaluate, ['argument'])], seven))).toEqual(['a:cast', 'a:seen'])
})

test('holds become one hold with every question', () => {
  const decision = admit([
    policyOf('a', { kind: 'hold', question: 'Sure?' }),
    policyOf('b', { kind: 'hold', question: 'Really?', reasons: [{ code: 'large' }] }),
  ], seven)
  expect(decision).toMatchObject({ verdict: 'hold', reasons: [{ policy: 'b', code: 'large' }] })
  expect(decision.questions).toEqual([{ policy: 'a', question: 'Sure?' }, { policy: 'b', question: 'Really?' }])
  expect(decision.candidate).toBe(seven.candidate)
  expect(decision.trace.map(({ proposal }) => proposal)).toEqual([
    { kind: 'hold', question: 'Sure?', reasons: [] },
    { kind: 'hold', question: 'Really?', reasons: [{ code: 'large' }] },
  ])
})

test('holds are taken from the evaluation of the repaired candidate', () => {
  const typist = policyOf('typist', settingTo({ argument: 7 }), ['argument'])
  const when = (type: string): unknown => ({ candidate }: typeof seven) =>
    (typeof candidate.fields['argument'] === type ? { kind: 'hold', question: type } : { kind: 'accept' })
  expect(admit([policyOf('a', when('string')), typist], seven).verdict).toBe('run')
  const held = admit([policyOf('a', when('number')), typist], seven)
  expect(held).toMatchObject({ verdict: 'hold', questions: [{ policy: 'a', question: 'number' }] })
  expect(held.candidate.fields).toEqual({ argument: 7 })
})

test('what a policy does later to what it returned changes no decision', () => {
  const reason = { code: 'no', message: 'No.' }
  const proposal = { kind: 'deny', reasons: [reason] }
  const kernel = new AdmissionKernel([policyOf('a', proposal)])
  const decision = kernel.admit(seven, able)
  reason.code = 'yes'
  proposal.reasons.pop()
  proposal.kind = 'accept'
  expect(decision).toMatchObject({ verdict: 'refuse', reasons: [{ policy: 'a', code: 'no' }], message: 'No.' })
})

test('what is done to a policy or the list after construction changes no kernel', () => {
  const policy = { ...policyOf('a', denial('no')) }
  const policies = [policy]
  const kernel = new AdmissionKernel(policies)
  Object.assign(policy, { id: 'b', version: '2', evaluate: () => ({ kind: 'accept' }) })
  policies.pop()
  expect(codesOf(kernel.admit(seven, able))).toEqual(['a:no'])
})

test('a policy is evaluated with its own this, and its ownership too', () => {
  class Counter {
    readonly id = 'counter'
    readonly version = '1'
    readonly code = 'own'
    owns(): readonly string[] {
      return [this.code === 'own' ? 'argument' : 'other']
    }
    evaluate({ candidate }: typeof seven): ReturnType<ReturnType<typeof settingTo>> {
      return settingTo({ argument: 7 }, this.code)(attemptOf(candidate.fields))
    }
  }
  expect(codesOf(admit([{ id: 'a', version: '1', owns: [], evaluate: () => ({ kind: 'abstain' }) }], seven))).toEqual([])
  const counter = new Counter()
  expect(codesOf(admit([{ id: counter.id, version: '1', owns: () => counter.owns(), evaluate: (attempt) => counter.evaluate(attempt) }], seven))).toEqual(['counter:own'])
  const bare = new Counter() as unknown as ReturnType<typeof policyOf>
  expect(codesOf(admit([bare], seven))).toEqual(['counter:own'])
})
