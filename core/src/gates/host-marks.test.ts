import { expect, test } from 'vitest'
import { hostMarks } from './host-marks.ts'
import type { MarkDetail } from './host-marks.ts'

test('the host marks a gate, or keys of it, each with a fact', () => {
  expect(hostMarks('g', {}, 5)).toEqual([{ gate: 'g', at: 5 }])
  expect(hostMarks('g', { keys: ['INV-7', 7] }, 5)).toEqual([{ gate: 'g', at: 5, key: '"INV-7"' }, { gate: 'g', at: 5, key: '7' }])
  expect(hostMarks('g', { keys: ['a', 'b'], facts: [{ s: 'open' }, null] }, 5))
    .toEqual([{ gate: 'g', at: 5, key: '"a"', fact: '{"s":"open"}' }, { gate: 'g', at: 5, key: '"b"', fact: 'null' }])
  expect(hostMarks('g', { facts: [[1, 2]] }, 5)).toEqual([{ gate: 'g', at: 5, fact: '[1,2]' }])
  expect(hostMarks('g', { keys: [], facts: [] }, 5)).toEqual([])
})

test.each<[string, unknown]>([
  ['fewer facts than keys', { keys: ['a', 'b'], facts: [1] }],
  ['facts of no keys', { facts: [1, 2] }],
  ['no fact of no keys', { facts: [] }],
  ['a key that is missing', { keys: ['a', undefined] }],
  ['a key that is null', { keys: [null] }],
  ['a key that is no exact value', { keys: [NaN] }],
  ['a fact that is no exact value', { keys: ['a'], facts: [new Date(0)] }],
  ['a fact that is missing', { keys: ['a'], facts: [undefined] }],
  ['too many keys', { keys: new Array(10_001).fill('a') }],
  ['keys that are a text', { keys: 'a' }],
  ['facts that are an object', { facts: {} }],
])('%s cannot be marked', (_what, detail) => {
  expect(() => hostMarks('g', detail as MarkDetail, 1)).toThrow(/^The gate "g" cannot be marked so: .+\. Pass \{ keys/)
  expect(() => hostMarks('g', detail as MarkDetail, 1)).toThrow(expect.objectContaining({ code: 'invalid_call' }))
})

test('confirm and what is no gate cannot be marked', () => {
  expect(() => hostMarks('confirm', {}, 1)).toThrow(expect.objectContaining({ code: 'reserved_gate' }))
  expect(() => hostMarks('', {}, 1)).toThrow(expect.objectContaining({ code: 'invalid_rules' }))
})
