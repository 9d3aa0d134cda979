import { expect, test } from 'vitest'
import { formatTypingReport, typingTargets } from './typing-report.ts'

const valid = [{ name: 'callgate, strict', micros: [15, 30, 45] }, { name: 'zod', micros: [1, 1, 9] }]
const repairable = [{ name: 'callgate, strict', micros: [26, 26, 26] }, { name: 'zod', micros: [1, 1, 1] }]
const figures = { admissions: { valid, repairable }, digests: [{ name: 'callgate, digest', micros: [4, 4, 4] }, { name: 'bare', micros: [2, 2, 2] }] }

test('a ratio is the median of the ratios within each round, and a target at its bound is reached', () => {
  expect(typingTargets(figures)).toEqual([
    { name: 'callgate, strict, valid / zod', ratio: 15, most: 15, isReached: true },
    { name: 'callgate, strict, repairable / zod', ratio: 26, most: 25, isReached: false },
    { name: 'digest / JSON.stringify and SHA-256', ratio: 2, most: 2, isReached: true },
  ])
})

test('what was not measured is no target reached', () => {
  expect(typingTargets({ ...figures, digests: [] }).at(-1)).toMatchObject({ isReached: false })
})

test('the report has a row for each contestant and says which targets are missed', () => {
  const text = formatTypingReport(figures)
  expect(text).toMatch(/\| zod +\| +1\.000 \| +1\.000 \|/)
  expect(text).toMatch(/repairable \/ zod +\| +26\.00 \| at most 25 \| +no \|/)
})
