import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { keepFigures } from './measure/keep-figures.ts'
import { measureAgentDojo } from './measure/measure-agentdojo.ts'
import { measureTau } from './measure/measure-tau.ts'
import { formatMeasurements } from './measure/measurement-report.ts'

const COMMAND = 'npm run measure:replay -- --write'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const progress = (text: string): void => void process.stderr.write(`measure: ${text}\n`)

process.exitCode = await main(process.argv.slice(2))

/**
 * Prints what the example rules do to recorded runs: those beside the repository, or those of `--data`, another part of the
 * same sets. `--write` keeps the figures of the former in docs/measurements.md. Exit code 2 where it could not.
 */
async function main(args: readonly string[]): Promise<number> {
  try {
    const { values: { data: other, write } } = parseArgs({ args: [...args], options: { data: { type: 'string' }, write: { type: 'boolean', default: false } } })
    if (write && other !== undefined) throw new Error('--write keeps the figures of the runs beside the repository; leave --data out')
    const data = other === undefined ? at('../../../shared/data/messages') : resolve(other)
    if (!existsSync(data)) {
      progress(`skipped: there are no recorded runs at ${data}`)
      return 0
    }
    const examples = at('../../examples')
    const agentDojo = await measureAgentDojo(data, examples, progress)
    const text = formatMeasurements(agentDojo, await measureTau(data, examples, progress), other === undefined)
    process.stdout.write(text)
    if (write) keepFigures(at('../../docs/measurements.md'), COMMAND, text)
    return 0
  } catch (error) {
    progress(error instanceof Error ? error.message : String(error))
    return 2
  }
}
