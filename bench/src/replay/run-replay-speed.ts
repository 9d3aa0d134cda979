import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { formatTable } from '../report.ts'
import { runCallgate } from '../run-callgate.ts'
import { traceLines } from './trace-lines.ts'

const MIB = 2 ** 20
const MOST_MIB = 200
const GATES = `gates:
  rules:
    - gate: order_read
      tools: [change_order]
      message: Read the order first.
      key: args.order_id
      require: fact.status == "pending"
    - gate: confirm
      tools: [refund]
      message: Refund it?
      when: args.amount >= 100
  marks:
    - gate: order_read
      tools: [get_order]
      parse: json
      keys: result.order_id
      keep: '{"status": result.status}'
`

/** Generates runs of `--size` (256MiB where none is given) and replays them; returns the table. Throws an Error for wrong flags. */
export async function runReplaySpeed(args: readonly string[], progress: (text: string) => void): Promise<string> {
  const { values } = parseArgs({ args: [...args], options: { size: { type: 'string', default: '256MiB' } } })
  const bytes = readSize(values.size)
  const folder = mkdtempSync(join(tmpdir(), 'callgate-bench-'))
  try {
    const gates = join(folder, 'gates.yml')
    const traces = join(folder, 'traces.jsonl')
    writeFileSync(gates, GATES)
    progress(`writing ${values.size} of runs`)
    await pipeline(Readable.from(traceLines(bytes)), createWriteStream(traces))
    progress('replaying them')
    const { seconds, peakMib, code, stdout } = await runCallgate(['replay', traces, '--gates', gates, '--json'])
    if (code !== 0) throw new Error(`replay ended with ${code}: ${stdout.slice(0, 500)}`)
    const { calls, ran, refused, held } = JSON.parse(stdout) as { readonly [key: string]: number }
    const row = [values.size, String(calls), String(ran), String(refused), String(held), ((calls ?? 0) / seconds).toFixed(0), (bytes / MIB / seconds).toFixed(1), peakMib.toFixed(0), peakMib <= MOST_MIB ? 'yes' : 'no']
    return `${formatTable(['runs', 'calls', 'ran', 'refused', 'held', 'calls/s', 'MiB/s', 'peak MiB', `at most ${MOST_MIB}`], [row])}\n`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readSize(text: string): number {
  const match = /^([1-9]\d{0,4})(MiB|GiB)$/.exec(text)
  if (match === null) throw new Error(`--size takes a whole number and MiB or GiB, as in 1GiB, not "${text}"`)
  return Number(match[1]) * MIB * (match[2] === 'GiB' ? 1_024 : 1)
}
