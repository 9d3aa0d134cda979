import { createApproverToken } from '@callgate/core'
import { systemClock, systemRandom } from '@callgate/core/local'
import type { Command } from 'commander'
import { openStore, refuseMemory } from '../../state/open-store.ts'
import { locateStore } from '../../state/store-location.ts'
import { jsonText } from '../json-text.ts'
import type { Settle } from '../settle.ts'
import { revealPlain } from '../reveal.ts'
import { addStoreOptions } from '../store-options.ts'
import type { StoreOptions } from '../store-options.ts'
import type { Surroundings } from '../surroundings.ts'

type CreateOptions = StoreOptions & { readonly name: string; readonly role?: readonly string[] }

/** `callgate token create --name N --role R`: makes a person known, and prints the token this one time. */
export function addTokenCreateCommand(token: Command, surroundings: Surroundings, settle: Settle): void {
  addStoreOptions(token.command('create').description('make a token for a person; it is printed once and kept nowhere'))
    .requiredOption('--name <name>', 'the person, as votes name it')
    .option('--role <role...>', 'what the person may answer for')
    .action(async (options: CreateOptions) => {
      settle(await createToken(options, surroundings))
    })
}

async function createToken(options: CreateOptions, surroundings: Surroundings): Promise<number> {
  const { stdout, stderr } = surroundings
  const location = locateStore(options, surroundings)
  refuseMemory(location)
  const store = await openStore(location)
  try {
    const made = await createApproverToken(
      { store, clock: systemClock(), random: systemRandom() },
      { name: options.name, roles: options.role ?? [] },
    )
    const { id, name, roles, createdAt } = made.approver
    if (options.json === true) stdout.write(`${jsonText({ id, name, roles, createdAt, token: made.token })}\n`)
    else {
      stderr.write(
        `A token for ${revealPlain(name)} (id ${id}), shown this once. Put it in CALLGATE_APPROVER_TOKEN, out of the agent's reach:\n`,
      )
      stdout.write(`${made.token}\n`)
    }
  } finally {
    await store.close()
  }
  return 0
}
