import { expect, test } from 'vitest'
import type { Round, RouteFigures } from './measure-round.ts'
import { computeRatios } from './ratios.ts'
import type { RouteName } from './routes.ts'

const figures = (p50Ms: number, callsPerSecond = 1000, startMs = 100): RouteFigures => ({ p50Ms, p99Ms: 1, callsPerSecond, startMs, peakMib: 50 })
const round = (routes: Partial<Record<RouteName, RouteFigures>>): Round => new Map(Object.entries(routes) as [RouteName, RouteFigures][])
const valueOf = (rounds: readonly Round[], name: string): number | undefined => computeRatios(rounds).find((ratio) => ratio.name === name)?.value

test('added latency is what a route adds to the bare server, over what the pipe adds', () => {
  const one = round({ direct: figures(0.25), pipe: figures(0.5), 'callgate-memory': figures(0.625) })
  expect(valueOf([one], 'added p50, no durable record / pipe')).toBe(1.5)
})

test('a ratio is the median of the ratios of each round, never a ratio of medians', () => {
  const rounds = [[1, 2, 3], [10, 11, 14], [100, 102, 103]].map(([direct = 0, pipe = 0, gated = 0]) =>
    round({ direct: figures(direct), pipe: figures(pipe), 'callgate-memory': figures(gated) }))
  expect(valueOf(rounds, 'added p50, no durable record / pipe')).toBe(2)
})

test('a round in which the pipe was not slower than the bare server says nothing about added latency', () => {
  const odd = round({ direct: figures(0.5), pipe: figures(0.4), 'callgate-memory': figures(0.3) })
  const good = round({ direct: figures(1), pipe: figures(2), 'callgate-memory': figures(4) })
  expect(valueOf([odd, good], 'added p50, no durable record / pipe')).toBe(3)
  expect(valueOf([odd], 'added p50, no durable record / pipe')).toBeUndefined()
})

test('a target is reached at its bound, and missed beyond it', () => {
  const at = round({ direct: figures(1), pipe: figures(2), 'callgate-memory': figures(2.5, 800, 130) })
  expect(computeRatios([at]).map(({ reached }) => reached)).toEqual([true, true, true])
  const beyond = round({ direct: figures(1), pipe: figures(2), 'callgate-memory': figures(2.6, 790, 131) })
  expect(computeRatios([beyond]).map(({ reached }) => reached)).toEqual([false, false, false])
})

test('a ratio of a route that was not run is left out', () => {
  expect(computeRatios([round({ direct: figures(1), pipe: figures(2) })])).toEqual([])
})
