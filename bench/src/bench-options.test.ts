import { expect, test } from 'vitest'
import { readBenchOptions } from './bench-options.ts'

test('without flags the bench runs five rounds of two thousand calls over every route', () => {
  expect(readBenchOptions([])).toMatchObject({ rounds: 5, calls: 2000, warmUp: 2000, json: false })
  expect(readBenchOptions([]).routes).toContain('callgate-durable')
})

test('a quick run is small, and its numbers can still be set', () => {
  expect(readBenchOptions(['--quick'])).toMatchObject({ rounds: 2, calls: 200, warmUp: 200 })
  expect(readBenchOptions(['--quick', '--rounds', '7'])).toMatchObject({ rounds: 7, calls: 200 })
})

test('routes are taken in their own order, whatever order they were asked in', () => {
  expect(readBenchOptions(['--routes', 'pipe,direct']).routes).toEqual(['direct', 'pipe'])
})

test.each([
  [['--rounds', '0']],
  [['--rounds', '51']],
  [['--rounds', '2.5']],
  [['--calls', '1e3']],
  [['--routes', 'direct,teleport']],
  [['--slow']],
  [['stray']],
])('%j is refused', (args) => {
  expect(() => readBenchOptions(args)).toThrow(Error)
})
