import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import type { Settle } from './settle.ts'
import type { Surroundings } from './surroundings.ts'

type AddCommand = (program: Command, surroundings: Surroundings, settle: Settle) => void

/** The commands in the order of the help, each loaded only where it is wanted: `run` is waited for by its client. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  run: async () => (await import('./run-command.ts')).addRunCommand,
  demo: async () => (await import('./demo-command.ts')).addDemoCommand,
  holds: async () => (await import('./holds/holds-commands.ts')).addHoldsCommands,
  token: async () => (await import('./token/token-commands.ts')).addTokenCommands,
  audit: async () => (await import('./audit/audit-commands.ts')).addAuditCommands,
  check: async () => (await import('./check/check-command.ts')).addCheckCommand,
  replay: async () => (await import('./replay/replay-command.ts')).addReplayCommand,
}

const UNBUILT = async (): Promise<AddCommand> => (await import('./unbuilt-commands.ts')).addUnbuiltCommands

const STATE_HELP = `
State (holds, tokens, the record) lives in the user's state folder, one file a gates file;
--store or CALLGATE_STORE names another: a path, or "memory:".

Exit codes: 0 all is well; 1 it found what it looks for; 2 it could not run.`

/** The command line, ready to parse `args`: the one command that they begin with, else all; `settle` gets the exit code. */
export async function createProgram(args: readonly string[], surroundings: Surroundings, settle: Settle): Promise<Command> {
  const { stdout, stderr } = surroundings
  const program = new Command('callgate')
    .description('Decides before a tool call runs: refuses, repairs, asks a person, and records.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .showHelpAfterError('(callgate COMMAND --help says more)')
    .addHelpText('after', STATE_HELP)
  for (const add of await loadCommands(args[0])) add(program, surroundings, settle)
  return program
}

function loadCommands(name = ''): Promise<readonly AddCommand[]> {
  const only = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  const wanted = only === undefined ? [...Object.values(COMMANDS), UNBUILT] : [only]
  return Promise.all(wanted.map((load) => load()))
}

function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}
