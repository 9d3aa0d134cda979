import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureBareWrites } from './bare-writes.ts'
import type { BareWrites } from './bare-writes.ts'
import { readBenchOptions, USAGE } from './bench-options.ts'
import type { BenchOptions } from './bench-options.ts'
import { measureRound } from './measure-round.ts'
import type { Round } from './measure-round.ts'
import { createReport, formatReport } from './report.ts'
import type { Report } from './report.ts'
import { createRoutes } from './routes.ts'

const BUDGET_MS = 220_000

/** Measures a call through each route by the flags and returns the report, or the usage; throws an Error for wrong flags. */
export async function runStdioLatency(args: readonly string[]): Promise<string> {
  const options = readBenchOptions(args)
  return options.help ? USAGE : runBench(options)
}

async function runBench(options: BenchOptions): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-bench-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  process.once('SIGINT', () => {
    remove()
    process.exit(130)
  })
  try {
    const report = await runRounds(options, folder)
    return options.json ? `${JSON.stringify(report, null, 2)}\n` : formatReport(report)
  } finally {
    remove()
  }
}

/** Runs the rounds, and stops early where another like the longest would end after the budget. */
async function runRounds(options: BenchOptions, folder: string): Promise<Report> {
  const routes = createRoutes(options.routes, folder)
  const rounds: Round[] = []
  const bareWrites: BareWrites[] = []
  const start = performance.now()
  let longestMs = 0
  while (rounds.length < options.rounds && performance.now() - start + longestMs < BUDGET_MS) {
    const roundStart = performance.now()
    bareWrites.push(measureBareWrites(folder))
    rounds.push(await measureRound(routes, options))
    const roundMs = performance.now() - roundStart
    longestMs = Math.max(longestMs, roundMs)
    process.stderr.write(`bench: round ${rounds.length} of ${options.rounds}, ${(roundMs / 1000).toFixed(1)} s\n`)
  }
  if (rounds.length < options.rounds) process.stderr.write(`bench: stopped after ${rounds.length} rounds, at the end of its time\n`)
  return createReport(rounds, options.calls, bareWrites)
}
