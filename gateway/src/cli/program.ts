import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { addAuditCommands } from './audit/audit-commands.ts'
import { addCheckCommand } from './check/check-command.ts'
import { addDemoCommand } from './demo-command.ts'
import { addHoldsCommands } from './holds/holds-commands.ts'
import { addReplayCommand } from './replay/replay-command.ts'
import { addRunCommand } from './run-command.ts'
import type { Settle } from './settle.ts'
import type { Surroundings } from './surroundings.ts'
import { addTokenCommands } from './token/token-commands.ts'
import { addUnbuiltCommands } from './unbuilt-commands.ts'

const STATE_HELP = `
State (holds, tokens, the record) lives in the user's state folder, one file a gates file;
--store or CALLGATE_STORE names another: a path, or "memory:".

Exit codes: 0 all is well; 1 it found what it looks for; 2 it could not run.`

/** The whole command line, ready to parse; `settle` gets the exit code. */
export function createProgram(surroundings: Surroundings, settle: Settle): Command {
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
  addRunCommand(program, surroundings, settle)
  addDemoCommand(program, surroundings, settle)
  addHoldsCommands(program, surroundings, settle)
  addTokenCommands(program, surroundings, settle)
  addAuditCommands(program, surroundings, settle)
  addCheckCommand(program, surroundings, settle)
  addReplayCommand(program, surroundings, settle)
  addUnbuiltCommands(program)
  return program
}

function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}
