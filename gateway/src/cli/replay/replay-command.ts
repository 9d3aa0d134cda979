import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import type { Settle } from '../settle.ts'
import type { Surroundings } from '../surroundings.ts'
import type { ReplayFlags } from './replay-flags.ts'

/** `callgate replay`: what a gates file would have refused, held or repaired in recorded runs; loaded only when it is asked for. */
export function addReplayCommand(program: Command, surroundings: Surroundings, settle: Settle): void {
  program
    .command('replay')
    .description('say what a gates file would have refused, held or repaired in recorded runs')
    .argument('<trace...>', 'files of recorded runs, plain or .gz')
    .requiredOption('--gates <file>', 'the gates file', notEmpty)
    .option('--tools <file>', 'the tools with their schemas, as tools/list gives them; without it recorded arguments are taken as valid')
    .option('--each', 'list every call with its verdict')
    .option('--fail', 'exit 1 where a call was refused or held')
    .addOption(new Option('--hold <how>', 'take a held call as not run, or each hold as a yes').choices(['block', 'allow']).default('block'))
    .option('--html <file>', 'write a report to look at: one page, whole in itself', notEmpty)
    .option('--json', 'print one JSON document')
    .action(async (traces: string[], flags: ReplayFlags) => {
      const { runReplay } = await import('./run-replay.ts')
      settle(await runReplay(traces, flags, surroundings))
    })
}

function notEmpty(value: string): string {
  if (value === '') throw new InvalidArgumentError('Name a file.')
  return value
}
