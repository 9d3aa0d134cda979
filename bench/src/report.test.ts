import { expect, test } from 'vitest'
import { createReport, formatReport, formatTable } from './report.ts'
import type { Round, RouteFigures } from './measure-round.ts'

const figures = (p50Ms: number): RouteFigures => ({ p50Ms, p99Ms: 1, callsPerSecond: 1000, startMs: 100, peakMib: 50 })
const rounds: readonly Round[] = [0.2, 0.9, 0.3].map((p50Ms) => new Map([['direct', figures(p50Ms)]]))
const bare = [3, 0.2, 0.1].map((libsqlRowMs) => ({ fileFsyncMs: 0.1, libsqlRowMs }))

test('a figure is the median of its rounds', () => {
  expect(createReport(rounds, 10, bare).routes).toEqual([{ route: 'direct', ...figures(0.3) }])
})

test('what is printed names the machine, each route and the cost of a bare write', () => {
  const text = formatReport(createReport(rounds, 10, bare))
  expect(text).toContain(process.version)
  expect(text).toMatch(/\| direct \| {2}0\.300 \|/)
  expect(text).toContain('one libsql row with synchronous=FULL 0.200 ms')
  expect(text).not.toContain('NaN')
})

test('the cost of the durable record is printed where both kinds of store were run', () => {
  const both: Round = new Map([['callgate-memory', figures(0.25)], ['callgate-durable', figures(0.75)]])
  expect(formatReport(createReport([both], 10, bare))).toContain('The durable record adds 0.500 ms to a call.')
  expect(formatReport(createReport(rounds, 10, bare))).not.toContain('durable record adds')
})

test('a table is Markdown with aligned columns', () => {
  expect(formatTable(['a', 'number'], [['long', '1']])).toBe('| a    | number |\n| ---- | -----: |\n| long |      1 |')
})
