import { expect, test } from 'vitest'
import { Candidate } from './candidate.ts'
import { createDecision } from './decision.ts'
import { containersIn } from './exact-values.fixture.ts'

const before = Candidate.ofWire('{"id":9007199254740993,"rate":1.00000000000000000001,"limit":"3"}')
const after = Candidate.ofWire('{"id":9007199254740993,"rate":1.00000000000000000001,"limit":3}')
const decision = createDecision(before, {
  verdict: 'run',
  candidate: after,
  reasons: [{ policy: 'p', code: 'c', pointer: '/arguments/limit' }],
  questions: [],
  changes: [{ pointer: '/arguments/limit', before: '3', after: 3 }],
  trace: [{ policy: 'p', version: '1', round: 1, proposal: { kind: 'accept' } }],
})

test('a decision knows the digests before and after', () => {
  expect([decision.digestBefore, decision.digestAfter]).toEqual([before.digest, after.digest])
})

test('a decision is frozen at every depth', () => {
  const { toJSON, ...data } = decision
  expect(typeof toJSON).toBe('function')
  for (const container of [decision, ...containersIn({ ...data }).slice(1)]) expect(Object.isFrozen(container)).toBe(true)
})

test('a decision is written as plain JSON, a bigint as its digits and a wire number as its text', () => {
  expect(JSON.parse(JSON.stringify(decision))).toEqual({
    verdict: 'run',
    candidate: { arguments: { id: '9007199254740993', rate: '1.00000000000000000001', limit: 3 } },
    reasons: [{ policy: 'p', code: 'c', pointer: '/arguments/limit' }],
    questions: [],
    changes: [{ pointer: '/arguments/limit', before: '3', after: 3 }],
    trace: [{ policy: 'p', version: '1', round: 1, proposal: { kind: 'accept' } }],
    digestBefore: before.digest,
    digestAfter: after.digest,
  })
})

test('message and retry are there where there are such', () => {
  const refused = createDecision(before, {
    verdict: 'observe', candidate: before, reasons: [], questions: [], changes: [], trace: [], message: 'no', retry: 'never',
  })
  expect(JSON.parse(JSON.stringify(refused))).toMatchObject({ message: 'no', retry: 'never' })
  expect(Object.keys(decision)).not.toContain('message')
  expect(Object.keys(decision)).not.toContain('retry')
})

test('a key __proto__ is written as data', () => {
  const candidate = Candidate.ofWire('{"__proto__":{"a":[1]}}')
  const text = JSON.stringify(createDecision(candidate, { verdict: 'run', candidate, reasons: [], questions: [], changes: [], trace: [] }))
  expect(text).toContain('"candidate":{"arguments":{"__proto__":{"a":[1]}}}')
})

test('a candidate of any depth can be written: what lies too deep is null', () => {
  const deep = (levels: number): string => {
    const candidate = Candidate.ofWire(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`)
    return JSON.stringify(createDecision(candidate, { verdict: 'refuse', candidate, reasons: [], questions: [], changes: [], trace: [] }))
  }
  expect(deep(998)).not.toContain('null')
  expect(deep(999)).toContain('[null]')
  expect(deep(1_000_000)).toContain('[null]')
})
