import { callAbreast, callInSequence, greet } from './calls.ts'
import { quantile } from './figures.ts'
import { openLineClient } from './line-client.ts'
import type { LineClient } from './line-client.ts'
import { readPeakMemory } from './peak-memory.ts'
import type { Route, RouteName } from './routes.ts'

const BLOCKS = 20

/** What one route did in one round: milliseconds, calls a second with sixteen under way, MiB. */
export type RouteFigures = {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly callsPerSecond: number
  readonly peakMib: number
  readonly startMs: number
}

/** One round: every route's figures, measured side by side. */
export type Round = ReadonlyMap<RouteName, RouteFigures>

type Runner = {
  readonly name: RouteName
  readonly client: LineClient
  readonly startMs: number
  readonly times: number[]
  abreastMs: number
}

/**
 * Starts every route anew and one after another, warms each up, then lets them take turns in twenty blocks, so that what
 * else the machine does falls on all of them. Rejects where a route does not answer as the tool would.
 */
export async function measureRound(routes: readonly Route[], { calls, warmUp }: { readonly calls: number; readonly warmUp: number }): Promise<Round> {
  const runners: Runner[] = []
  try {
    for (const route of routes) runners.push(await startRunner(route))
    for (const { client } of runners) {
      await callInSequence(client, warmUp)
      await callAbreast(client, warmUp)
    }
    for (const size of blocksOf(calls)) {
      for (const { client, times } of runners) times.push(...(await callInSequence(client, size)))
    }
    for (const size of blocksOf(calls)) {
      for (const runner of runners) runner.abreastMs += await callAbreast(runner.client, size)
    }
    return new Map(runners.map((runner) => [runner.name, figuresOf(runner, calls)]))
  } finally {
    await Promise.all(runners.map(({ client }) => client.close()))
  }
}

async function startRunner(route: Route): Promise<Runner> {
  const start = performance.now()
  const client = openLineClient(route)
  try {
    await greet(client)
  } catch (error) {
    await client.close()
    throw error
  }
  return { name: route.name, client, startMs: performance.now() - start, times: [], abreastMs: 0 }
}

function blocksOf(calls: number): readonly number[] {
  const size = Math.ceil(calls / BLOCKS)
  return Array.from({ length: Math.ceil(calls / size) }, (_, i) => Math.min(size, calls - i * size))
}

function figuresOf({ client, times, abreastMs, startMs }: Runner, calls: number): RouteFigures {
  const sorted = Float64Array.from(times).toSorted()
  return {
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    callsPerSecond: (calls * 1000) / abreastMs,
    peakMib: readPeakMemory(client.pid),
    startMs,
  }
}
