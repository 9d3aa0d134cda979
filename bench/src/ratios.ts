import { median } from './figures.ts'
import type { Round, RouteFigures } from './measure-round.ts'
import type { RouteName } from './routes.ts'

/** A ratio of two routes with its target: the median of the ratios of each round, and whether it is reached. */
export type Ratio = {
  readonly name: string
  readonly value: number
  readonly bound: 'at most' | 'at least'
  readonly target: number
  readonly reached: boolean
}

type Question = {
  readonly name: string
  readonly route: RouteName
  readonly bound: Ratio['bound']
  readonly target: number
  readonly of: (gated: RouteFigures, pipe: RouteFigures, direct: RouteFigures) => number
}

const addedLatency: Question['of'] = (gated, pipe, direct) => (gated.p50Ms - direct.p50Ms) / (pipe.p50Ms - direct.p50Ms)
const throughput: Question['of'] = (gated, pipe) => gated.callsPerSecond / pipe.callsPerSecond
const start: Question['of'] = (gated, pipe) => gated.startMs / pipe.startMs

const QUESTIONS: readonly Question[] = [
  { name: 'added p50, no durable record / pipe', route: 'callgate-memory', bound: 'at most', target: 1.5, of: addedLatency },
  { name: 'added p50, durable record / pipe', route: 'callgate-durable', bound: 'at most', target: 3, of: addedLatency },
  { name: 'calls/s at 16, no durable record / pipe', route: 'callgate-memory', bound: 'at least', target: 0.8, of: throughput },
  { name: 'calls/s at 16, durable record / pipe', route: 'callgate-durable', bound: 'at least', target: 0.8, of: throughput },
  { name: 'start, no durable record / pipe', route: 'callgate-memory', bound: 'at most', target: 1.3, of: start },
  { name: 'start, durable record / pipe', route: 'callgate-durable', bound: 'at most', target: 1.3, of: start },
]

/**
 * The ratios that the rounds can answer. Each is computed within a round, where all routes had the same machine; a
 * round in which the pipe was no slower than the bare server says nothing about added latency and is left out.
 */
export function computeRatios(rounds: readonly Round[]): readonly Ratio[] {
  return QUESTIONS.flatMap(({ name, route, bound, target, of }) => {
    const value = median(rounds.map((round) => ratioIn(round, route, of)))
    if (Number.isNaN(value)) return []
    return [{ name, value, bound, target, reached: bound === 'at most' ? value <= target : value >= target }]
  })
}

function ratioIn(round: Round, route: RouteName, of: Question['of']): number {
  const [gated, pipe, direct] = [round.get(route), round.get('pipe'), round.get('direct')]
  if (gated === undefined || pipe === undefined || direct === undefined) return Number.NaN
  if (of === addedLatency && pipe.p50Ms <= direct.p50Ms) return Number.NaN
  return of(gated, pipe, direct)
}
