import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import type { BareWrites } from './bare-writes.ts'
import { median } from './figures.ts'
import type { Round, RouteFigures } from './measure-round.ts'
import { computeRatios } from './ratios.ts'
import type { Ratio } from './ratios.ts'
import type { RouteName } from './routes.ts'

/** Where it was measured. `load` is what the system says of the last minute when the report is made, the bench's own share included. */
type Machine = {
  readonly platform: string
  readonly cores: number
  readonly cpu: string
  readonly memoryGib: number
  readonly node: string
  readonly load: number
}

/** What was measured, as `--json` prints it. Milliseconds and MiB; medians over the rounds. */
export type Report = {
  readonly machine: Machine
  readonly rounds: number
  readonly calls: number
  readonly routes: readonly ({ readonly route: RouteName } & RouteFigures)[]
  readonly ratios: readonly Ratio[]
  readonly bareWrites: BareWrites
}

/** Sums up the rounds; there must be one at least. */
export function createReport(rounds: readonly Round[], calls: number, bareWrites: readonly BareWrites[]): Report {
  const names = [...(rounds[0]?.keys() ?? [])]
  return {
    machine: describeMachine(),
    rounds: rounds.length,
    calls,
    routes: names.map((route) => ({ route, ...mediansOf(rounds.flatMap((round) => round.get(route) ?? [])) })),
    ratios: computeRatios(rounds),
    bareWrites: {
      fileFsyncMs: median(bareWrites.map(({ fileFsyncMs }) => fileFsyncMs)),
      libsqlRowMs: median(bareWrites.map(({ libsqlRowMs }) => libsqlRowMs)),
    },
  }
}

function describeMachine(): Machine {
  return {
    platform: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    memoryGib: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    load: loadavg()[0] ?? 0,
  }
}

function mediansOf(figures: readonly RouteFigures[]): RouteFigures {
  const of = (key: keyof RouteFigures): number => median(figures.map((one) => one[key]))
  return { p50Ms: of('p50Ms'), p99Ms: of('p99Ms'), callsPerSecond: of('callsPerSecond'), peakMib: of('peakMib'), startMs: of('startMs') }
}

/** The report as Markdown that reads well in a terminal too. */
export function formatReport({ machine, rounds, calls, routes, ratios, bareWrites }: Report): string {
  const { platform, cores, cpu, memoryGib, node, load } = machine
  const figures = routes.map(({ route, p50Ms, p99Ms, callsPerSecond, peakMib, startMs }) =>
    [route, p50Ms.toFixed(3), p99Ms.toFixed(3), callsPerSecond.toFixed(0), peakMib.toFixed(0), startMs.toFixed(0)])
  const judged = ratios.map(({ name, value, bound, target, reached }) => [name, value.toFixed(2), `${bound} ${target}`, reached ? 'yes' : 'no'])
  return [
    `${platform}, ${cores} cores (${cpu}), ${memoryGib} GiB, Node ${node}, load ${load.toFixed(1)}; medians of ${rounds} rounds of ${calls} calls.`,
    '',
    formatTable(['route', 'p50 ms', 'p99 ms', 'calls/s at 16', 'peak MiB', 'start ms'], figures),
    '',
    ...(judged.length === 0 ? [] : [formatTable(['ratio', 'measured', 'target', 'reached'], judged), '']),
    `For scale, on the same disk in the same rounds: a file append with fsync ${bareWrites.fileFsyncMs.toFixed(3)} ms, one libsql row with synchronous=FULL ${bareWrites.libsqlRowMs.toFixed(3)} ms.`,
    ...recordCost(routes),
    '',
  ].join('\n')
}

/** What the durable record costs a call, to be held against one bare row. */
function recordCost(routes: Report['routes']): readonly string[] {
  const [memory, durable] = (['callgate-memory', 'callgate-durable'] as const).map((name) => routes.find(({ route }) => route === name))
  return memory === undefined || durable === undefined ? [] : [`The durable record adds ${(durable.p50Ms - memory.p50Ms).toFixed(3)} ms to a call.`]
}

/** A Markdown table with aligned columns: the first to the left, the others to the right. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}
