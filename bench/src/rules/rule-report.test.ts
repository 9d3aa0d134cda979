import { expect, test } from 'vitest'
import { formatRuleReport, ruleTargets } from './rule-report.ts'

const figures = [
  { name: 'floor: Map and a bit test', rules: 10_000, micros: 0.1 },
  { name: 'callgate', rules: 10_000, micros: 0.3 },
  { name: 'CASL', rules: 10_000, micros: 6 },
  { name: 'cedar-wasm', rules: 10_000 },
]

test('the targets are judged by the floor and the fastest peer that was run', () => {
  expect(ruleTargets(figures)).toEqual([
    { name: 'callgate / floor at 10000', ratio: expect.closeTo(3), target: 'at most 4', reached: true },
    { name: 'fastest peer / callgate at 10000', ratio: expect.closeTo(20), target: 'at least 15', reached: true },
  ])
})

test('a slower look-up and a faster peer miss them', () => {
  const slow = figures.map((one) => (one.name === 'callgate' ? { ...one, micros: 0.5 } : one))
  expect(ruleTargets(slow).map(({ reached }) => reached)).toEqual([false, false])
})

test('what was not run is said, and reaches nothing', () => {
  expect(formatRuleReport(figures)).toContain('| cedar-wasm                | not run |')
  expect(ruleTargets(figures.filter(({ name }) => name !== 'callgate')).every(({ reached }) => !reached)).toBe(true)
})
