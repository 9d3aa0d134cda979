import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../figures.ts'
import { formatTable } from '../report.ts'
import { runCallgate } from '../run-callgate.ts'

const RULES = 10_000
const ROUNDS = 5
const MOST_SECONDS = 2

/** The files that are checked: by name, their text and the code that `check` ends with. */
const FILES: readonly (readonly [string, (count: number) => string, number])[] = [
  ['ordinary rules', rulesText, 0],
  ['rules about every tool', everyToolText, 0],
  ['rules about patterns', patternsText, 0],
  ['mistyped gates', mistypedText, 1],
]

/** Measures `callgate check` on files of 10,000 rules, and returns the table. */
export async function runCheckSpeed(progress: (text: string) => void): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-bench-'))
  try {
    const rows: (readonly string[])[] = []
    for (const [name, textOf, code] of FILES) {
      const path = join(folder, 'gates.yml')
      writeFileSync(path, textOf(RULES))
      rows.push(await measure(name, path, code, progress))
    }
    return `${formatTable(['command', 'measured', 'target', 'reached', 'peak MiB'], rows)}\n`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(name: string, path: string, code: number, progress: (text: string) => void): Promise<readonly string[]> {
  const seconds: number[] = []
  const peaks: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const figures = await runCallgate(['check', path, '--json'])
    if (figures.code !== code) throw new Error(`check ended with ${figures.code}: ${figures.stdout.slice(0, 500)}`)
    progress(`check of ${name}, round ${round} of ${ROUNDS}: ${figures.seconds.toFixed(2)} s`)
    seconds.push(figures.seconds)
    peaks.push(figures.peakMib)
  }
  const value = median(seconds)
  return [`check of ${RULES} ${name}`, `${value.toFixed(2)} s`, `at most ${MOST_SECONDS} s`, value <= MOST_SECONDS ? 'yes' : 'no', median(peaks).toFixed(0)]
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

function everyToolText(count: number): string {
  const gates = Array.from({ length: count }, (_, at) => `gate_${at}`)
  const rules = gates.map((gate) => `    - { gate: ${gate}, tools: ["*"], message: Read it first. }\n`)
  return `gates:\n  rules:\n${rules.join('')}  external: [${gates.join(', ')}]\n`
}

function patternsText(count: number): string {
  const rules = Array.from({ length: count }, (_, at) => `    - { gate: read, tools: [tool_${at}_*], message: Read it first. }\n`)
  return `gates:\n  rules:\n${rules.join('')}  external: [read]\n`
}

/** Each gate is mistyped, and there are a fifth as many that it could be. */
function mistypedText(count: number): string {
  const rules = Array.from({ length: count }, (_, at) => `    - { gate: gate_mistyped_${at}, tools: [tool_${at % (count / 10)}], message: Read it first. }\n`)
  const marks = Array.from({ length: count / 5 }, (_, at) => `    - { gate: gate_right_${at}, tools: [read_${at}] }\n`)
  return `gates:\n  rules:\n${rules.join('')}  marks:\n${marks.join('')}`
}
