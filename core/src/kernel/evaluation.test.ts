import { expect, test } from 'vitest'
import { Candidate } from '../model/candidate.ts'
import type { Policy } from '../model/policy.ts'
import { AdmissionKernel } from './admission-kernel.ts'
import { admit, attemptOf, codesOf, denial, policyOf, settingTo } from './kernel.fixture.ts'
import { MOST_REASONS } from './read-proposal.ts'

const failed = attemptOf({ argument: '7' }, { phase: 'post', event: 'tool.failure' })
const seven = Candidate.of({ argument: 7 })
const reasons = [{ code: 'c' }]
const throwing = new Proxy({}, { get: () => { throw new Error('no') } })
const thrower = (error: unknown) => () => { throw error }

/** The object with a member `then`, on purpose. */
function withThen(target: object, then: unknown): object {
  return Object.defineProperty(target, ['th', 'en'].join(''), { value: then })
}

const FAILURES: readonly (readonly [name: string, says: unknown, why: string])[] = [
  ['throws an error', thrower(new TypeError('secret')), 'threw'], ['throws a text', thrower('secret'), 'threw'], ['throws nothing', thrower(undefined), 'threw'],
  ['throws what throws', thrower(new Proxy(new Error('no'), { getPrototypeOf: () => { throw new Error('no') } })), 'threw'],
  ['returns a promise', () => Promise.resolve({ kind: 'accept' }), 'returned a promise; policies are synchronous'],
  ['returns a promise that rejects', () => Promise.reject(new Error('no')), 'returned a promise; policies are synchronous'],
  ['returns a thenable', withThen({ kind: 'accept' }, () => undefined), 'returned a promise; policies are synchronous'],
  ['returns a promise in disguise', () => withThen(Object.assign(Promise.reject(new Error('no')), { kind: 'other' }), 1), 'returned a proposal of no known kind'],
  ['returns undefined', () => undefined, 'returned no proposal'], ['returns null', () => null, 'returned no proposal'], ['returns a text', () => 'accept', 'returned no proposal'],
  ['returns a function', () => () => ({ kind: 'accept' }), 'returned no proposal'], ['returns no kind', {}, 'returned a proposal of no known kind'],
  ['returns an unknown kind', { kind: 'run' }, 'returned a proposal of no known kind'], ['returns a trap', throwing, 'returned something that throws when it is read'],
  ['denies without reasons', { kind: 'deny' }, 'denied without a reason that can be read'], ['denies with none', { kind: 'deny', reasons: [] }, 'denied without a reason that can be read'],
  ['observes without reasons', { kind: 'observe' }, 'observed without reasons that can be read'],
  ['repairs to nothing', { kind: 'repair', reasons }, 'repaired to something that is no candidate'],
  ['repairs to a look-alike', { kind: 'repair', candidate: { fields: { argument: 7 } }, reasons }, 'repaired to something that is no candidate'],
  ['repairs to a proxy', { kind: 'repair', candidate: new Proxy(seven, {}), reasons }, 'repaired to something that is no candidate'],
  ['repairs without reasons', { kind: 'repair', candidate: seven }, 'repaired without reasons that can be read'],
  ['holds without a question', { kind: 'hold' }, 'held without a question'], ['holds with an empty question', { kind: 'hold', question: ' ' }, 'held without a question'],
  ['holds with a question that is no text', { kind: 'hold', question: 7 }, 'held without a question'],
  ['holds with bad reasons', { kind: 'hold', question: '?', reasons: 'no' }, 'held with reasons that cannot be read'],
]

test.each(FAILURES)('before the call, a policy that %s closes the gate', (_, says, why) => {
  const decision = admit([policyOf('other', denial('no')), policyOf('a', says, ['argument'])])
  expect(decision).toMatchObject({ verdict: 'refuse', changes: [] })
  expect(decision.reasons[1]).toEqual({ policy: 'kernel', code: 'evaluator_failure', message: `The policy "a" failed: it ${why}.` })
  expect(decision.trace[1]?.proposal).toMatchObject({ kind: 'failure', why })
})

test.each(FAILURES)('after the call, a policy that %s is an observation', (_, says, why) => {
  const decision = admit([policyOf('a', says, ['argument'])], failed)
  expect(decision).toMatchObject({ verdict: 'observe', retry: 'never' })
  expect(decision.reasons).toEqual([{ policy: 'kernel', code: 'evaluator_failure', message: `The policy "a" failed: it ${why}.` }])
})

test.each<readonly [string, unknown]>([
  ['no list', 'c'], ['a list of texts', ['c']], ['a list with null', [null]], ['a reason without code', [{}]], ['an empty code', [{ code: '' }]], ['a code that is no text', [{ code: 7 }]],
  ['a message that is no text', [{ code: 'c', message: 7 }]], ['a pointer that is null', [{ code: 'c', pointer: null }]], ['a trap', [throwing]],
  ['one good, one bad', [{ code: 'c' }, {}]], ['too many', Array.from({ length: MOST_REASONS + 1 }, () => ({ code: 'c' }))], ['holes', new Array(1)],
])('reasons that are %s are no reasons', (_, bad) => {
  for (const proposal of [{ kind: 'deny' }, { kind: 'observe' }, { kind: 'repair', candidate: seven }, { kind: 'hold', question: '?' }]) {
    expect(codesOf(admit([policyOf('a', { ...proposal, reasons: bad }, ['argument'])]))).toEqual(['kernel:evaluator_failure'])
  }
})

test('reasons up to the bound are kept, each with what it says and no more', () => {
  const full = { code: 'c', message: 'm', pointer: '/argument', policy: 'forged', extra: 1 }
  const decision = admit([policyOf('a', { kind: 'deny', reasons: [full, ...Array.from({ length: MOST_REASONS - 1 }, () => ({ code: 'c' }))] })])
  expect(decision.reasons).toHaveLength(MOST_REASONS)
  expect(decision.reasons.slice(0, 2)).toEqual([{ policy: 'a', code: 'c', message: 'm', pointer: '/argument' }, { policy: 'a', code: 'c' }])
  expect(Object.keys(decision.reasons[1] ?? {})).toEqual(['policy', 'code'])
})

test('what was thrown stands in the trace, cut, and the model does not read it', () => {
  const proposalOf = (error: unknown): unknown => admit([policyOf('a', thrower(error))]).trace[0]?.proposal
  const decision = admit([policyOf('a', thrower(new TypeError('secret')))])
  expect(decision.trace[0]?.proposal).toEqual({ kind: 'failure', why: 'threw', detail: 'TypeError: secret' })
  expect(decision.message).not.toContain('secret')
  expect(proposalOf('secret')).toEqual({ kind: 'failure', why: 'threw' })
  expect(Object.keys(proposalOf('secret') as object)).toEqual(['kind', 'why'])
  expect(proposalOf(new Error('x'.repeat(500)))).toMatchObject({ detail: `Error: ${'x'.repeat(193)}` })
})

test('after the call every proposal is an observation: nothing is enacted, nothing retried', () => {
  const proposals = [
    { kind: 'deny', reasons: [{ code: 'late' }] }, { kind: 'observe', reasons: [{ code: 'safe_cast_available', pointer: '/argument' }] },
    { kind: 'hold', question: '?', reasons: [{ code: 'asked' }] }, { kind: 'accept' }, { kind: 'abstain' },
  ]
  const policies = [...proposals.map((proposal, at) => policyOf(String(at), proposal)), policyOf('r', settingTo({ argument: 7 }, 'cast'))]
  for (const event of ['tool.failure', 'tool.success'] as const) {
    const attempt = attemptOf({ argument: '7' }, { phase: 'post', event })
    const decision = admit(policies, attempt)
    expect(decision).toMatchObject({ verdict: 'observe', retry: 'never', questions: [], changes: [] })
    expect(codesOf(decision)).toEqual(['0:late', '1:safe_cast_available', '2:asked', 'r:cast'])
    expect(decision.candidate).toBe(attempt.candidate)
    expect(decision.digestAfter).toBe(decision.digestBefore)
    expect(decision.trace.every(({ round }) => round === 1)).toBe(true)
    expect(Object.keys(decision)).not.toContain('message')
  }
  expect(admit([], failed)).toMatchObject({ verdict: 'observe', reasons: [], retry: 'never', trace: [] })
})

test.each<readonly [string, unknown, string]>([
  ['no list', undefined, 'the kernel takes a list of policies'], ['a policy alone', policyOf('a', {}), 'the kernel takes a list of policies'],
  ['null among them', [null], 'a policy is an object'], ['a text among them', ['a'], 'a policy is an object'],
  ['one without id', [{ ...policyOf('a', {}), id: undefined }], 'a policy needs an id'], ['one with an empty id', [policyOf('', {})], 'a policy needs an id'],
  ['one with the id of the kernel', [policyOf('kernel', {})], '"kernel" is the kernel\'s own name'],
  ['one without version', [{ ...policyOf('a', {}), version: '' }], '"a" needs a version'], ['one with a number for version', [{ ...policyOf('a', {}), version: 1 }], '"a" needs a version'],
  ['one without evaluate', [{ ...policyOf('a', {}), evaluate: undefined }], '"a" needs a function evaluate'],
  ['one without owns', [{ ...policyOf('a', {}), owns: undefined }], '"a" owns no list'], ['one that owns a text', [{ ...policyOf('a', {}), owns: 'argument' }], '"a" owns no list'],
  ['one that owns a bad pointer', [policyOf('a', {}, ['/~'])], '"a" owns no list'],
  ['two of one id', [policyOf('a', {}), policyOf('b', {}), policyOf('b', {})], 'two policies have the id "b"'],
])('a kernel of %s cannot be constructed', (_, policies, message) => {
  expect(() => new AdmissionKernel(policies as readonly Policy[])).toThrow(expect.objectContaining({
    code: 'invalid_policy', message: expect.stringMatching(new RegExp(`^Invalid policy: ${message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}.*\\.$`)) as unknown,
  }))
})

test('constructing a kernel evaluates nothing', () => {
  let calls = 0
  const counting = policyOf('a', () => (calls += 1, { kind: 'accept' }), () => (calls += 1, []))
  expect(new AdmissionKernel([counting])).toBeInstanceOf(AdmissionKernel)
  expect(calls).toBe(0)
})
