import { CallgateError } from '@callgate/core'
import type { Command } from 'commander'

const UNBUILT = ['init', 'console', 'freeze', 'thaw', 'prove', 'explain', 'graph', 'mine', 'hook']

/** The commands of the command line that this version does not have yet: each fails by name (`unsupported`). */
export function addUnbuiltCommands(program: Command): void {
  for (const name of UNBUILT) addUnbuiltCommand(program, name)
}

/** One such command below `parent`; whatever follows it, it says that it is not built yet. */
export function addUnbuiltCommand(parent: Command, name: string): void {
  parent
    .command(name, { hidden: true })
    .argument('[anything...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(() => {
      const full = [parent.parent === null ? '' : `${parent.name()} `, name].join('')
      throw new CallgateError('unsupported', `"${full}" is not built yet. callgate --help lists what there is.`)
    })
}
