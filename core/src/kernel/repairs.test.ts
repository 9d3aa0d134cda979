import { expect, test } from 'vitest'
import { Candidate } from '../model/candidate.ts'
import type { Policy } from '../model/policy.ts'
import { AdmissionKernel } from './admission-kernel.ts'
import { able, admit, attemptOf, codesOf, denial, policyOf, settingTo, unable } from './kernel.fixture.ts'
import { MOST_OWNED } from './ownership.ts'

const seven = attemptOf({ argument: '7' })
const whole = attemptOf({ arguments: { limit: '10', list: ['1', '2'] } })
const repairTo = (args: unknown): unknown => ({ kind: 'repair', candidate: Candidate.ofArguments(args), reasons: [] })
const owning = (id: string, ...owns: readonly string[]): Policy => policyOf(id, { kind: 'abstain' }, () => owns)

test.each<readonly [string, readonly string[], unknown]>([
  ['by its name', ['arguments'], { limit: 10, list: [] }], ['by its pointer', ['/arguments/limit'], { limit: 10, list: ['1', '2'] }],
  ['below an owned pointer', ['/arguments/list'], { limit: '10', list: ['1', 2] }], ['one item', ['/arguments/list/1'], { limit: '10', list: ['1', 2] }],
  ['a property that is new', ['/arguments/extra'], { limit: '10', list: ['1', '2'], extra: 1 }], ['a property that is dropped', ['/arguments/limit'], { list: ['1', '2'] }],
  ['among others', ['/arguments/other', '/arguments/limit'], { limit: 10, list: ['1', '2'] }],
])('a policy may change what it owns: %s', (_, owns, args) => {
  for (const owned of [owns, () => owns]) {
    const decision = admit([policyOf('a', repairTo(args), owned)], whole)
    expect(decision.verdict).toBe('run')
    expect(decision.candidate.fields).toEqual({ arguments: args })
  }
})

test.each<readonly [string, readonly string[], unknown, string]>([
  ['nothing', [], { limit: 10, list: ['1', '2'] }, '/arguments/limit'], ['another field', ['argument'], { limit: 10, list: ['1', '2'] }, '/arguments/limit'],
  ['a longer name', ['/arguments/limits'], { limit: 10, list: ['1', '2'] }, '/arguments/limit'], ['a shorter name', ['/arguments/lim'], { limit: 10, list: ['1', '2'] }, '/arguments/limit'],
  ['one item, changing the length', ['/arguments/list/0'], { limit: '10', list: ['1'] }, '/arguments/list'],
  ['one of two that changed', ['/arguments/limit'], { limit: 10, list: ['1', 2] }, '/arguments/list/1'],
  ['a property, dropping another', ['/arguments/limit'], { limit: '10' }, '/arguments/list'],
])('a policy may not change what it does not own: it owns %s', (_, owns, args, pointer) => {
  const decision = admit([policyOf('a', repairTo(args), owns)], whole)
  expect(decision).toMatchObject({ verdict: 'refuse', changes: [], reasons: [{ policy: 'kernel', code: 'not_owned', pointer }] })
  expect(decision.message).toBe(`The policy "a" may not change ${pointer}, which it does not own.`)
  expect(decision.candidate).toBe(whole.candidate)
})

test('a field that the candidate does not have may not be added, owned or not', () => {
  const decision = admit([policyOf('a', settingTo({ extra: 1 }), ['extra'])], seven)
  expect(decision.reasons).toMatchObject([{ policy: 'kernel', code: 'not_owned', pointer: '/extra' }])
})

test('a successor holds every field', () => {
  const attempt = attemptOf({ argument: '7', other: 1 })
  const partial = { kind: 'repair', candidate: Candidate.of({ argument: 7 }), reasons: [] }
  for (const owns of [['argument'], ['argument', 'other']]) {
    const decision = admit([policyOf('a', partial, owns)], attempt)
    expect(decision.message).toBe('The repair of the policy "a" lacks the field /other, so it is no complete candidate.')
    expect(decision.reasons).toMatchObject([{ policy: 'kernel', code: 'incomplete', pointer: '/other' }])
  }
  expect(codesOf(admit([policyOf('a', partial)], attempt))).toEqual(['kernel:incomplete', 'kernel:not_owned'])
})

test.each<readonly [string, readonly string[], readonly string[]]>([
  ['the same field', ['argument'], ['argument']], ['a field by name and by pointer', ['argument'], ['/argument']],
  ['a field and a part of it', ['arguments'], ['/arguments/limit']], ['a part and the field', ['/arguments/a/b/c'], ['/arguments/a']],
  ['one of several', ['x', '/arguments/a'], ['y', '/arguments/a']],
])('fixed ownership of %s by two is refused at construction', (_, one, other) => {
  for (const [first, second] of [[one, other], [other, one]] as const) {
    expect(() => new AdmissionKernel([policyOf('a', {}, first), policyOf('b', {}, ['unrelated']), policyOf('c', {}, second)])).toThrow(expect.objectContaining({
      code: 'invalid_policy', message: expect.stringMatching(/^Invalid policy: "a" and "c" both own \/.+; a field has one owner\.$/) as unknown,
    }))
  }
})

test('neighbours are no conflict, and neither is one owner twice', () => {
  const owners: readonly (readonly string[])[] = [['/arguments/a', '/arguments/a/b', '/arguments/a'], ['/arguments/ab'], ['/argument'], ['/a'], []]
  expect(() => new AdmissionKernel(owners.map((owns, at) => policyOf(String(at), {}, owns)))).not.toThrow()
})

test('ownership that depends on the attempt is denied where it conflicts and a repair is wanted', () => {
  const repairing = policyOf('a', settingTo({ argument: 7 }), () => ['argument'])
  const decision = admit([repairing, owning('b', 'x'), owning('c', '/argument')], seven)
  expect(decision).toMatchObject({ verdict: 'refuse', reasons: [{ policy: 'kernel', code: 'ownership_conflict', pointer: '/argument' }] })
  expect(decision.message).toBe('The policies "a" and "c" both own /argument, so neither repair is made.')
  expect(decision.candidate).toBe(seven.candidate)
  expect(codesOf(admit([policyOf('f', { kind: 'accept' }, ['/argument/deep']), repairing], seven))).toEqual(['kernel:ownership_conflict'])
  expect(admit([owning('b', 'x'), owning('c', 'x')], seven).verdict).toBe('run')
})

test.each<readonly [string, unknown]>([
  ['throws', () => { throw new Error('no') }], ['is no list', () => 'argument'], ['is a promise', () => Promise.reject(new Error('no'))],
  ['holds what is no text', () => [7]], ['holds the empty name', () => ['']], ['holds a bad pointer', () => ['/a~2']], ['is too long', () => Array.from({ length: MOST_OWNED + 1 }, () => 'argument')],
])('ownership that %s is an evaluator failure', (_, owns) => {
  const decision = admit([policyOf('a', settingTo({ argument: 7 }), owns as Policy['owns'])], seven)
  expect(decision.reasons).toEqual([{ policy: 'kernel', code: 'evaluator_failure', message: 'The policy "a" failed: it did not say which fields it owns.' }])
})

test('ownership may depend on what the attempt is about', () => {
  const owns: Policy['owns'] = ({ target }) => (target.tool === 'count' ? ['argument'] : [])
  const policies = [policyOf('a', settingTo({ argument: 7 }), owns)]
  expect(admit(policies, seven).verdict).toBe('run')
  expect(codesOf(admit(policies, attemptOf({ argument: '7' }, { target: { adapter: 'example', tool: 'other' } })))).toEqual(['kernel:not_owned'])
})

test('ownership up to the bound is read', () => {
  const owns = Array.from({ length: MOST_OWNED }, (_, at) => (at === MOST_OWNED - 1 ? 'argument' : 'x'))
  expect(admit([policyOf('a', settingTo({ argument: 7 }), () => owns)], seven).verdict).toBe('run')
})

test.each<readonly [string, unknown]>([['a denial', denial('no', 'Too many.')], ['a further change', { kind: 'repair', candidate: Candidate.of({ argument: 8 }), reasons: [{ code: 'more' }] }]])(
  'a repaired candidate that meets %s is no fixed point',
  (what, then) => {
    const second = policyOf('b', ({ candidate }: typeof seven) => (candidate.fields['argument'] === 7 ? then : { kind: 'accept' }), ['unused'])
    const decision = admit([policyOf('a', settingTo({ argument: 7 }), ['argument']), second], seven)
    expect(decision).toMatchObject({ verdict: 'refuse', changes: [] })
    expect(decision.candidate).toBe(seven.candidate)
    expect(codesOf(decision)).toEqual(what === 'a denial' ? ['kernel:not_a_fixed_point', 'b:no'] : ['kernel:not_a_fixed_point'])
    expect(decision.message).toBe(what === 'a denial'
      ? 'The policy "b" denies the repaired arguments.\nToo many.'
      : 'The policy "b" would change /argument of the repaired arguments again.')
    expect(decision.reasons[0]?.pointer).toBe(what === 'a denial' ? undefined : '/argument')
    expect(decision.trace.map(({ round }) => round)).toEqual([1, 1, 2, 2])
  },
)

test('a policy that never settles is refused after two rounds', () => {
  let rounds = 0
  const restless = policyOf('a', () => {
    rounds += 1
    return { kind: 'repair', candidate: Candidate.of({ argument: rounds }), reasons: [] }
  }, ['argument'])
  expect(codesOf(admit([restless], seven))).toEqual(['kernel:not_a_fixed_point'])
  expect(rounds).toBe(2)
})

test('an evaluator failure on the repaired candidate keeps its own code', () => {
  const failing = policyOf('b', ({ candidate }: typeof seven) => (candidate.fields['argument'] === 7 ? undefined : { kind: 'accept' }))
  expect(codesOf(admit([policyOf('a', settingTo({ argument: 7 }), ['argument']), failing], seven))).toEqual(['kernel:evaluator_failure'])
})

test('a repair where the adapter cannot replace is a denial that says how to call', () => {
  const decision = admit([policyOf('a', settingTo({ argument: 7 }), ['argument'])], seven, unable('replace'))
  expect(decision).toMatchObject({ verdict: 'refuse', changes: [], reasons: [{ policy: 'kernel', code: 'cannot_replace' }] })
  expect(decision.message).toBe('The arguments must change and cannot be changed here. Call again with /argument as 7.')
  expect(decision.candidate).toBe(seven.candidate)
})

test('what is told of changes is bounded in number and length', () => {
  const attempt = attemptOf({ arguments: { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 } })
  const tell = (args: unknown): string | undefined => admit([policyOf('p', repairTo(args), ['arguments'])], attempt, unable('replace')).message
  expect(tell({ b: 'x'.repeat(98), c: 'x'.repeat(99), d: [4], e: 5, f: 6, g: 7 })).toContain(
    `with no /arguments/a, /arguments/b as "${'x'.repeat(98)}", another /arguments/c, /arguments/d as [4].`)
  expect(tell({ a: 0, b: 0, c: 0, d: 0, e: 0, f: 6, g: 7 })).toContain('/arguments/d as 0, /arguments/e as 0.')
  expect(tell({ a: 0, b: 0, c: 0, d: 0, e: 0, f: 0, g: 0 })).toContain('/arguments/e as 0, and 2 more.')
})

test('a hold where the adapter cannot hold is a denial, and so are both', () => {
  const holds = [policyOf('h', { kind: 'hold', question: 'Sure?' }), policyOf('i', { kind: 'hold', question: 'Really?' })]
  const decision = admit(holds, seven, unable('hold'))
  expect(decision).toMatchObject({ verdict: 'refuse', questions: [], reasons: [{ policy: 'kernel', code: 'cannot_hold' }] })
  expect(decision.message).toBe('A person would have to answer "Sure?", "Really?", and no call can be held here.')
  const both = admit([policyOf('a', settingTo({ argument: 7 }), ['argument']), ...holds], seven, unable('replace', 'hold'))
  expect(codesOf(both)).toEqual(['kernel:cannot_replace', 'kernel:cannot_hold'])
  expect(both.candidate).toBe(seven.candidate)
  expect(admit([], seven, unable('replace', 'hold', 'observe')).verdict).toBe('run')
  for (const effects of [{ ...able.effects, replace: 'true' }, { deny: true }]) {
    const adapter = { ...able, effects } as unknown as typeof able
    expect(codesOf(admit([policyOf('a', settingTo({ argument: 7 }), ['argument'])], seven, adapter))).toEqual(['kernel:cannot_replace'])
    expect(codesOf(admit(holds, seven, { ...able, effects: { ...adapter.effects, hold: 1 as unknown as boolean } }))).toEqual(['kernel:cannot_hold'])
  }
})

test.each<readonly [string, unknown]>([
  ['in another order', { list: ['1', '2'], limit: 10 }], ['with a property dropped', { limit: 10 }], ['with a property added in front', { more: 1, limit: 10, list: ['1', '2'] }],
])('a repair sent back %s leaves the order of what it does not change', (_, args) => {
  const decision = admit([policyOf('a', repairTo(args), ['arguments'])], whole)
  expect(decision.verdict).toBe('run')
  const order = ['limit', 'list', 'more'].filter((name) => name in (args as object))
  expect(JSON.stringify(decision.candidate.fields)).toBe(`{"arguments":${JSON.stringify(Object.fromEntries(order.map((name) => [name, (args as Record<string, unknown>)[name]])))}}`)
})

test('a repair keeps how a number that it does not change is spelt', () => {
  const sent = Candidate.ofWire('{"id":100000000000000000000,"limit":"10"}')
  const { id } = sent.fields['arguments'] as { readonly id: unknown }
  const other = typeof id === 'bigint' ? Candidate.ofWire('{"id":100000000000000000000,"limit":10}') : Candidate.ofArguments({ id: 10n ** 20n, limit: 10 })
  const decision = admit([policyOf('a', { kind: 'repair', candidate: other, reasons: [] }, ['/arguments/limit'])], attemptOf({}, { candidate: sent }))
  expect(decision.changes).toEqual([{ pointer: '/arguments/limit', before: '10', after: 10 }])
  expect((decision.candidate.fields['arguments'] as { readonly id: unknown }).id).toBe(id)
})

test('what a policy owns is asked anew at each attempt; a list that it changes later is read again', () => {
  const owned = ['/arguments/limit']
  const kernel = new AdmissionKernel([policyOf('a', repairTo({ limit: 10, list: ['1', '2'] }), () => owned)])
  expect(kernel.admit(whole, able).verdict).toBe('run')
  owned[0] = '/arguments/list'
  expect(codesOf(kernel.admit(whole, able))).toEqual(['kernel:not_owned'])
  const lists = [Object.freeze(['/arguments/limit']), Object.freeze(['/arguments/list'])]
  const frozen = new AdmissionKernel([policyOf('a', repairTo({ limit: 10, list: ['1', '2'] }), () => lists[0] as readonly string[])])
  expect([frozen.admit(whole, able).verdict, frozen.admit(whole, able).verdict]).toEqual(['run', 'run'])
  lists.shift()
  expect(codesOf(frozen.admit(whole, able))).toEqual(['kernel:not_owned'])
})
