import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import type { Settle } from '../settle.ts'
import type { Surroundings } from '../surroundings.ts'
import type { CheckFlags } from './check-flags.ts'

/** `callgate check`: what is wrong in a gates file before it runs; loaded only when it is asked for. */
export function addCheckCommand(program: Command, surroundings: Surroundings, settle: Settle): void {
  program
    .command('check')
    .description('look for what is wrong in a gates file: its shape, unknown tools, gates that can never open, rules that never matter')
    .argument('[file]', 'the gates file')
    .option('--tools <file>', 'the tools that the server has, as tools/list gives them', notEmpty)
    .addOption(new Option('--server', "start the file's server and ask it for its tools").conflicts('tools'))
    .option('--schema', 'print the JSON Schema of the format, for editors')
    .option('--json', 'print one JSON document')
    .action(async (file: string | undefined, flags: CheckFlags) => {
      const { printSchema, runCheck } = await import('./run-check.ts')
      settle(flags.schema === true ? printSchema(surroundings) : await runCheck(file, flags, surroundings))
    })
}

function notEmpty(value: string): string {
  if (value === '') throw new InvalidArgumentError('Name a file.')
  return value
}
