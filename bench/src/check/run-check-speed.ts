import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../figures.ts'
import { formatTable } from '../report.ts'
import { runCallgate } from '../run-callgate.ts'

const RULES = 10_000
const ROUNDS = 5
const MOST_SECONDS = 2

/** Measures `callgate check` on a file of 10,000 rules over 1,000 tools, and returns the table. */
export async function runCheckSpeed(progress: (text: string) => void): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-bench-'))
  try {
    const path = join(folder, 'gates.yml')
    writeFileSync(path, rulesText(RULES))
    const seconds: number[] = []
    const peaks: number[] = []
    for (let round = 1; round <= ROUNDS; round += 1) {
      const figures = await runCallgate(['check', path, '--json'])
      if (figures.code !== 0) throw new Error(`check ended with ${figures.code}: ${figures.stdout.slice(0, 500)}`)
      progress(`check, round ${round} of ${ROUNDS}: ${figures.seconds.toFixed(2)} s`)
      seconds.push(figures.seconds)
      peaks.push(figures.peakMib)
    }
    const value = median(seconds)
    const row = [`check of ${RULES} rules`, `${value.toFixed(2)} s`, `at most ${MOST_SECONDS} s`, value <= MOST_SECONDS ? 'yes' : 'no', median(peaks).toFixed(0)]
    return `${formatTable(['command', 'measured', 'target', 'reached', 'peak MiB'], [row])}\n`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A valid file: ten rules a tool, every gate marked by a tool that is free. */
function rulesText(count: number): string {
  const tools = count / 10
  const rules = Array.from({ length: count }, (_, at) => {
    const own = Math.floor(at / tools)
    return `    - gate: gate_${own}_${at % 50}\n      tools: [tool_${at % tools}]\n      message: Run read_${own}_${at % 50} first.\n`
  })
  const gates = new Set(Array.from({ length: count }, (_, at) => `${Math.floor(at / tools)}_${at % 50}`))
  const marks = [...gates].map((gate) => `    - gate: gate_${gate}\n      tools: [read_${gate}]\n`)
  return `gates:\n  rules:\n${rules.join('')}  marks:\n${marks.join('')}`
}
