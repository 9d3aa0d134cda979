import { runCheckSpeed } from './check/run-check-speed.ts'
import { runReplaySpeed } from './replay/run-replay-speed.ts'
import { runRules } from './rules/run-rules.ts'
import { runStdioLatency } from './stdio-latency.ts'
import { runTyping } from './typing/run-typing.ts'

const progress = (text: string): void => void process.stderr.write(`bench: ${text}\n`)

const PARTS: Readonly<Record<string, (args: readonly string[]) => Promise<string>>> = {
  stdio: runStdioLatency,
  rules: () => runRules(progress),
  replay: (args) => runReplaySpeed(args, progress),
  check: () => runCheckSpeed(progress),
  typing: async () => runTyping(progress),
}

process.exitCode = await main(process.argv.slice(2))

/** Exit code 0 whatever the figures, for this measures and does not judge; 2 where it could not run. */
async function main(args: readonly string[]): Promise<number> {
  const [part = 'stdio', ...rest] = args[0]?.startsWith('-') === true ? ['stdio', ...args] : args
  try {
    const run = Object.hasOwn(PARTS, part) ? PARTS[part] : undefined
    if (run === undefined) throw new Error(`there is no part "${part}"; there are ${Object.keys(PARTS).join(', ')}`)
    process.stdout.write(await run(rest))
    return 0
  } catch (error) {
    progress(error instanceof Error ? error.message : String(error))
    return 2
  }
}
