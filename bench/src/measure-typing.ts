import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { keepFigures } from './measure/keep-figures.ts'
import { measureTypingData, typingDataTargets } from './measure/typing/measure-typing-data.ts'
import { readTypingData } from './measure/typing/read-typing-data.ts'
import { formatTypingData } from './measure/typing/typing-data-report.ts'

const COMMAND = 'npm run measure:typing -- --write'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const progress = (text: string): void => void process.stderr.write(`measure: ${text}\n`)

process.exitCode = main(process.argv.slice(2))

/**
 * Prints what the Schema Typist makes of recorded arguments: those beside the repository, or those of `--data`, another part
 * of the same sets. `--write` keeps the figures of the former in docs/measurements.md. Exit code 1 where a target is missed, 2 where it could not.
 */
function main(args: readonly string[]): number {
  try {
    const { values: { data: other, write } } = parseArgs({ args: [...args], options: { data: { type: 'string' }, write: { type: 'boolean', default: false } } })
    if (write && other !== undefined) throw new Error('--write keeps the figures of the arguments beside the repository; leave --data out')
    const data = other === undefined ? at('../../../shared/data/typing') : resolve(other)
    if (!existsSync(data)) {
      progress(`skipped: there are no recorded arguments at ${data}`)
      return 0
    }
    const measurement = measureTypingData(readTypingData(data, join(dirname(data), 'schemas')))
    const text = formatTypingData(measurement)
    process.stdout.write(text)
    if (write) keepFigures(at('../../docs/measurements.md'), COMMAND, text)
    const missed = typingDataTargets(measurement).filter(({ isReached }) => isReached === false)
    for (const { name, measured, wanted } of missed) progress(`missed: ${name}: ${measured}, wanted ${wanted}`)
    return missed.length === 0 ? 0 : 1
  } catch (error) {
    progress(error instanceof Error ? error.message : String(error))
    return 2
  }
}
