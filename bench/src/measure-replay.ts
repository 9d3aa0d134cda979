import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { measureAgentDojo } from './measure/measure-agentdojo.ts'
import { measureTau } from './measure/measure-tau.ts'
import { formatMeasurements } from './measure/measurement-report.ts'

const BEGIN = '<!-- figures: npm run measure:replay -- --write -->\n'
const END = '<!-- /figures -->'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const progress = (text: string): void => void process.stderr.write(`measure: ${text}\n`)

process.exitCode = await main(process.argv.slice(2))

/** Prints what the example rules do to recorded runs; `--write` keeps it in docs/measurements.md. Exit code 2 where it could not. */
async function main(args: readonly string[]): Promise<number> {
  const data = at('../../../shared/data/messages')
  if (!existsSync(data)) {
    progress(`skipped: there are no recorded runs at ${data}`)
    return 0
  }
  try {
    const examples = at('../../examples')
    const text = formatMeasurements(await measureAgentDojo(data, examples, progress), await measureTau(data, examples, progress))
    process.stdout.write(text)
    if (args.includes('--write')) keep(at('../../docs/measurements.md'), text)
    return 0
  } catch (error) {
    progress(error instanceof Error ? error.message : String(error))
    return 2
  }
}

function keep(path: string, text: string): void {
  const page = readFileSync(path, 'utf8')
  const [before, rest] = page.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`${path} has no place for the figures`)
  writeFileSync(path, `${before}${BEGIN}\n${text}\n${END}${after}`)
}
