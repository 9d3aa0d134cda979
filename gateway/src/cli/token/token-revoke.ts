import { CallgateError } from '@callgate/core'
import type { Command } from 'commander'
import { jsonText } from '../json-text.ts'
import type { Settle } from '../settle.ts'
import { revealPlain } from '../reveal.ts'
import { addStoreOptions, withStore } from '../store-options.ts'
import type { StoreOptions } from '../store-options.ts'
import type { Surroundings } from '../surroundings.ts'

/** `callgate token revoke ID`: from now on the token answers nothing; answers given before stand. */
export function addTokenRevokeCommand(token: Command, surroundings: Surroundings, settle: Settle): void {
  addStoreOptions(
    token.command('revoke').description('take a token back').argument('<id>', 'the id of the token, from token list'),
  ).action(async (id: string, options: StoreOptions) => {
    settle(await revokeToken(id, options, surroundings))
  })
}

async function revokeToken(id: string, options: StoreOptions, surroundings: Surroundings): Promise<number> {
  const revokedAt = Date.now()
  const isRevoked = await withStore(
    options,
    surroundings,
    async (store) => (await store?.approvers.revoke(id, revokedAt)) ?? false,
  )
  if (!isRevoked) {
    throw new CallgateError(
      'unknown_approver',
      `no valid token has the id ${revealPlain(id)}: it was revoked before, or never made. callgate token list shows them.`,
    )
  }
  surroundings.stdout.write(options.json === true ? `${jsonText({ id, revokedAt })}\n` : `${id} revoked\n`)
  return 0
}
