import { parseArgs } from 'node:util'
import { ROUTE_NAMES } from './routes.ts'
import type { RouteName } from './routes.ts'

const MAX_ROUNDS = 50
const MAX_CALLS = 100_000
// The server alone is still getting faster after 1,500 calls: before that a figure is one of the compiler.
const WARM_UP = 2000

/** What the command line asks for; `help` means that nothing else counts. */
export type BenchOptions = {
  readonly rounds: number
  readonly calls: number
  readonly warmUp: number
  readonly routes: readonly RouteName[]
  readonly json: boolean
  readonly help: boolean
}

/** The text of `--help`. */
export const USAGE: string = `npm run bench [-- PART] [FLAGS]
  stdio          (the default) the added latency of a tool call through callgate, against the bare server and a plain pipe
  rules          one decision with 10 to 100,000 rules, beside other libraries
  replay         recorded runs replayed: calls a second and peak memory; --size 256MiB or 1GiB
  check          \`callgate check\` on a file of 10,000 rules
  typing         one admission of six parameters, beside zod, valibot, ajv and TypeBox
Flags of stdio:
  --rounds N     rounds over all routes (default 5)
  --calls N      calls a route and a round, in sequence, and as many sixteen at a time (default 2000)
  --routes A,B   only these routes, of ${ROUTE_NAMES.join(', ')}
  --quick        2 rounds of 200 calls: a look, not a figure
  --json         print JSON
`

/** Reads the flags; throws an Error that says what is wrong with them. */
export function readBenchOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string' },
      calls: { type: 'string' },
      routes: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const { quick, json, help } = values
  const calls = readCount('--calls', values.calls, MAX_CALLS) ?? (quick ? 200 : 2000)
  return {
    rounds: readCount('--rounds', values.rounds, MAX_ROUNDS) ?? (quick ? 2 : 5),
    calls,
    warmUp: Math.min(WARM_UP, calls),
    routes: values.routes === undefined ? ROUTE_NAMES : readRoutes(values.routes),
    json,
    help,
  }
}

function readCount(flag: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined
  const count = Number(text)
  if (!/^[1-9]\d*$/.test(text) || count > most) throw new Error(`${flag} takes a whole number from 1 to ${most}, not "${text}"`)
  return count
}

function readRoutes(text: string): readonly RouteName[] {
  const asked = text.split(',')
  const unknown = asked.find((name) => !ROUTE_NAMES.some((known) => known === name))
  if (unknown !== undefined) throw new Error(`--routes knows ${ROUTE_NAMES.join(', ')}, not "${unknown}"`)
  return ROUTE_NAMES.filter((name) => asked.includes(name))
}
