import type { Command } from 'commander'
import type { DemoOptions } from '../demo/run-demo.ts'
import type { Settle } from './settle.ts'
import type { Surroundings } from './surroundings.ts'

/** `callgate demo`: the main job on real input, alone. */
export function addDemoCommand(program: Command, surroundings: Surroundings, settle: Settle): void {
  program
    .command('demo')
    .description('a real MCP client and the npm filesystem server behind a gate, in a temporary folder')
    .option('--json', 'print one JSON document: the calls and the verified record')
    .option('--keep', 'leave the temporary folder, and say where it is')
    .action(async (options: DemoOptions) => {
      const { runDemo } = await import('../demo/run-demo.ts')
      settle(await runDemo(options, surroundings))
    })
}
