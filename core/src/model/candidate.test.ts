import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Candidate } from './candidate.ts'
import { containersIn, exactFields, reversedKeys } from './exact-values.fixture.ts'
import { WireNumber } from './wire-number.ts'

function inexact(message: string): unknown {
  return expect.objectContaining({ code: 'inexact_candidate', message: expect.stringContaining(message) as unknown })
}

test('the fields are what was handed in', () => {
  fc.assert(fc.property(exactFields, (fields) => {
    expect(Candidate.of(fields).fields).toEqual(fields)
  }))
})

test('frozen means frozen: the candidate, its fields and everything in them', () => {
  fc.assert(fc.property(exactFields, (fields) => {
    const candidate = Candidate.of(fields)
    for (const container of [candidate, ...containersIn(candidate.fields)]) expect(Object.isFrozen(container)).toBe(true)
  }))
  expect(() => Object.assign(Candidate.of({ a: 1 }), { fields: {} })).toThrow(TypeError)
})

test('a later change of what was handed in changes nothing', () => {
  const args = { list: [1] }
  const candidate = Candidate.ofArguments(args)
  args.list.push(2)
  expect(candidate.fields).toEqual({ arguments: { list: [1] } })
})

test('what is not exact is named by where and what', () => {
  expect(() => Candidate.ofArguments({ limit: NaN })).toThrow(inexact('/arguments/limit is NaN'))
  expect(() => Candidate.of({ argument: undefined })).toThrow(inexact('/argument is undefined'))
})

test.each([[null, 'null'], [[1], 'an array'], ['text', 'a string'], [7, 'a number']])('fields that are %s are no fields', (fields, what) => {
  expect(() => Candidate.of(fields as unknown as Record<string, unknown>)).toThrow(inexact(`The fields are ${what}`))
})

test.each([[null, 'null'], [[1], 'an array'], ['{}', 'a string'], [true, 'a boolean'], [2n ** 60n, 'a bigint']])('arguments that are %s are no object', (args, what) => {
  expect(() => Candidate.ofArguments(args)).toThrow(inexact(`/arguments is ${what}`))
})

test.each([[undefined, 'undefined'], [new WireNumber('-0', -0), 'a number']])('arguments that are %s are no object either', (args, what) => {
  expect(() => Candidate.ofArguments(args)).toThrow(inexact(`/arguments is ${what}`))
})

test('nobody but the three makers makes a candidate', () => {
  const Maker = Candidate as unknown as new (...args: unknown[]) => Candidate
  expect(() => new Maker({}, { argument: 7 })).toThrow(inexact('made by Candidate.of'))
  class Forger extends Maker {}
  expect(() => new Forger(undefined, {})).toThrow(inexact('made by Candidate.of'))
  expect(() => Reflect.construct(Maker, [Symbol('made by Candidate'), {}])).toThrow(inexact('made by Candidate.of'))
})

test('only what was made here is a candidate', () => {
  const candidate = Candidate.of({ argument: 7 })
  const lookalike = Object.freeze(Object.assign(Object.create(Candidate.prototype) as object, { fields: { argument: 7 } }))
  expect(Candidate.isCandidate(candidate)).toBe(true)
  for (const value of [lookalike, { ...candidate }, new Proxy(candidate, {}), structuredClone(candidate), null, undefined, 'x']) {
    expect(Candidate.isCandidate(value)).toBe(false)
  }
})

// SHA-256 of the canonical texts, computed apart from this code; the last is the key order example of RFC 8785, 3.2.3.
test.each([
  ['nothing', Candidate.of({}), '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'],
  ['a string', Candidate.of({ argument: '1' }), '5decfcfb455248ef96e5c971cd3c3b82c0cc75e328588d1746a43f012ba6d030'],
  ['a number', Candidate.of({ argument: 1 }), '579af3049ac10f5cb173f87e27514772cf185106077f14a91303751de5dd90aa'],
  ['a boolean', Candidate.of({ argument: true }), '65c9cbe1c917258342fdcb5e68d0775d43c9b8c1291621a609b4008525311aec'],
  ['wire numbers', Candidate.ofWire('{"b":-0,"a":9007199254740993}'), '7566b4aa2cf508458a1585e15aaa0c980b4b63a9c0f9044fee90a0fab6f7ae77'],
  ['the keys of RFC 8785', Candidate.ofArguments({
    '\u20ac': 'Euro Sign', '\r': 'Carriage Return', '\ufb33': 'Hebrew Letter Dalet With Dagesh', '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face', '\u0080': 'Control', '\u00f6': 'Latin Small Letter O With Diaeresis',
  }), '6e1341dfd41d9ea42790b69646bd16dd35a46924c81cd2b8d18d59864aeda77c'],
])('the digest of %s is pinned', (_, candidate, digest) => {
  expect(candidate.digest).toBe(digest)
  expect(candidate.digest).toBe(digest)
})

test('1, "1" and true have different digests', () => {
  expect(new Set([1, '1', true].map((argument) => Candidate.of({ argument }).digest)).size).toBe(3)
})

test('equal fields have one digest, whatever the order of their keys', () => {
  fc.assert(fc.property(exactFields, (fields) => {
    expect(Candidate.of(reversedKeys(fields) as Record<string, unknown>).digest).toBe(Candidate.of(fields).digest)
  }))
})

test('unequal fields have different digests', () => {
  fc.assert(fc.property(exactFields, exactFields, (one, other) => {
    const isEqual = sameText(one) === sameText(other)
    expect(Candidate.of(one).digest === Candidate.of(other).digest).toBe(isEqual)
  }))
})

/** Equality by another way than canonical JSON: sorted entries, types written out. */
function sameText(value: unknown): string {
  if (Array.isArray(value)) return `L(${value.map(sameText).join()})`
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? `S${JSON.stringify(value)}` : `N${String(value)}`
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}=${sameText(member)}`)
  return `O(${members.sort((a, b) => (a < b ? -1 : 1)).join()})`
}

test('one changed value changes the digest', () => {
  fc.assert(fc.property(exactFields, fc.string(), (fields, key) => {
    const changed = Object.fromEntries([...Object.entries(fields), [key, 'x'], [key, Object.hasOwn(fields, key) ? [fields[key], 0] : 1]])
    expect(Candidate.of(changed).digest).not.toBe(Candidate.of(fields).digest)
  }))
})
