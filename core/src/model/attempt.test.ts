import { expect, test } from 'vitest'
import { Attempt } from './attempt.ts'
import type { AttemptFields } from './attempt.ts'
import { Candidate } from './candidate.ts'

const target = { adapter: 'example', tool: 'count', server: 'numbers' }
const schema = { schemaId: 'count', version: '1' }
const fields: AttemptFields = { phase: 'pre', event: 'tool.call', target, candidate: Candidate.of({ argument: 7 }), schema }

test('an attempt carries what it was made of, its target copied, frozen', () => {
  const attempt = Attempt.create(fields)
  expect({ ...attempt }).toEqual(fields)
  expect(attempt.candidate).toBe(fields.candidate)
  expect(attempt.schema).toBe(schema)
  expect(attempt.target).not.toBe(target)
  expect(Object.isFrozen(attempt) && Object.isFrozen(attempt.target)).toBe(true)
})

test('what is left out stays out', () => {
  const attempt = Attempt.create({ ...fields, target: { adapter: 'a', tool: 't' }, schema: undefined })
  expect(Object.keys(attempt)).toEqual(['phase', 'event', 'target', 'candidate'])
  expect(Object.keys(attempt.target)).toEqual(['adapter', 'tool'])
})

test.each<readonly [string, unknown]>([
  ['nothing', undefined], ['null', null], ['a text', 'pre'],
  ['no phase', { ...fields, phase: undefined }], ['a phase that is no text', { ...fields, phase: 1 }], ['an event that is no text', { ...fields, event: {} }],
  ['no target', { ...fields, target: undefined }], ['a target that is null', { ...fields, target: null }],
  ['a target without adapter', { ...fields, target: { tool: 't' } }], ['a target without tool', { ...fields, target: { adapter: 'a' } }],
  ['a server that is no text', { ...fields, target: { ...target, server: 7 } }],
  ['a schema that is a text', { ...fields, schema: 'count' }], ['a schema without id', { ...fields, schema: { version: '1' } }],
  ['a schema without version', { ...fields, schema: { schemaId: 'count' } }],
])('%s is a programming error', (_, value) => {
  expect(() => Attempt.create(value as AttemptFields)).toThrow(expect.objectContaining({ code: 'invalid_attempt' }))
})

test.each<readonly [string, unknown]>([
  ['an unknown pair', { ...fields, phase: 'post', event: 'tool.call' }], ['a candidate that is none', { ...fields, candidate: { fields: {} } }],
  ['no candidate', { ...fields, candidate: undefined }],
])('%s is left to admission', (_, value) => {
  expect(Attempt.isAttempt(Attempt.create(value as AttemptFields))).toBe(true)
})

test('nobody but create makes an attempt, and what looks like one is none', () => {
  const Maker = Attempt as unknown as new (...args: unknown[]) => Attempt
  expect(() => new Maker(Symbol('made by Attempt'), fields)).toThrow(expect.objectContaining({ code: 'invalid_attempt' }))
  const attempt = Attempt.create(fields)
  for (const value of [{ ...attempt }, new Proxy(attempt, {}), Object.create(Attempt.prototype), null, undefined]) {
    expect(Attempt.isAttempt(value)).toBe(false)
  }
})
