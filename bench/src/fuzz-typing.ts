import { parseArgs } from 'node:util'
import { fuzzTyping } from './fuzz/fuzz-typing.ts'
import type { FailingPair } from './fuzz/shrink-pair.ts'
import { formatTable } from './report.ts'
import { TIERS } from './typing/tiers.ts'

const RUNS = 1_000_000
const MOST_RUNS = 1_000_000_000
const ARGUMENTS_PER_SCHEMA = 400
const SHOW_EVERY_MS = 1_000
const MOST_SEEDS = 2 ** 31

process.exitCode = main(process.argv.slice(2))

/** Tries random schemas and arguments; exit code 1 where a pair goes wrong, which is then printed; 2 for flags that are none. */
function main(args: readonly string[]): number {
  try {
    const { values } = parseArgs({ args: [...args], options: { runs: { type: 'string' }, seed: { type: 'string' } } })
    const runs = readCount('--runs', values.runs, MOST_RUNS) ?? RUNS
    const seed = readCount('--seed', values.seed, MOST_SEEDS) ?? Math.floor(Math.random() * MOST_SEEDS)
    process.stdout.write(`seed ${seed}, ${runs} pairs (again: npm run fuzz:typing -- --runs ${runs} --seed ${seed})\n`)
    const start = performance.now()
    const { pairs, schemas, verdicts, failing } = fuzzTyping({ runs, seed, argumentsPerSchema: ARGUMENTS_PER_SCHEMA, ...(process.stderr.isTTY === true && { progress: progressOf(runs, start) }) })
    const seconds = (performance.now() - start) / 1_000
    const rows = TIERS.map((tier) => [tier, String(verdicts[tier].unchanged), String(verdicts[tier].repaired), String(verdicts[tier].refused)])
    process.stdout.write(`${formatTable(['tier', 'unchanged', 'repaired', 'refused'], rows)}\n${pairs} pairs of ${schemas} schemas in ${seconds.toFixed(0)} s\n`)
    if (failing === undefined) return 0
    process.stdout.write(describe(failing))
    return 1
  } catch (error) {
    process.stderr.write(`fuzz: ${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
}

function progressOf(runs: number, start: number): (pairs: number) => void {
  let shown = start
  return (pairs) => {
    const now = performance.now()
    if (now - shown < SHOW_EVERY_MS && pairs < runs) return
    shown = now
    process.stderr.write(`\r${pairs} of ${runs} pairs, ${((pairs * 1_000) / (now - start)).toFixed(0)} a second${pairs < runs ? '' : '\n'}`)
  }
}

function describe({ schema, sent, fault }: FailingPair): string {
  const text = (value: unknown): string => JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each))
  return `\nWrong in ${fault.tier}: ${fault.what}\nschema:    ${text(schema)}\narguments: ${text(sent)}\n`
}

function readCount(flag: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined
  const count = Number(text)
  if (!/^\d+$/.test(text) || count > most || (flag === '--runs' && count === 0)) throw new Error(`${flag} takes a whole number up to ${most}, not "${text}"`)
  return count
}
