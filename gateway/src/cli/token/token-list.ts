import type { ApproverToken } from '@callgate/core'
import type { Command } from 'commander'
import { aligned } from '../aligned.ts'
import { momentText } from '../durations.ts'
import { jsonText } from '../json-text.ts'
import type { Settle } from '../settle.ts'
import { revealPlain } from '../reveal.ts'
import { addStoreOptions, noteNoStore, withStore } from '../store-options.ts'
import type { StoreOptions } from '../store-options.ts'
import type { Surroundings } from '../surroundings.ts'

/** `callgate token list`: who may answer; neither tokens nor their hashes. */
export function addTokenListCommand(token: Command, surroundings: Surroundings, settle: Settle): void {
  addStoreOptions(token.command('list', { isDefault: true }).description('who may answer; never the tokens')).action(
    async (options: StoreOptions) => {
      settle(await listTokens(options, surroundings))
    },
  )
}

async function listTokens(options: StoreOptions, surroundings: Surroundings): Promise<number> {
  const tokens = await withStore(options, surroundings, async (store, location) => {
    if (store === undefined) noteNoStore(surroundings, location)
    return (await store?.approvers.list()) ?? []
  })
  const answer = tokens.map(({ id, name, roles, createdAt, revokedAt }) => ({ id, name, roles, createdAt, revokedAt }))
  surroundings.stdout.write(options.json === true ? `${jsonText(answer)}\n` : table(tokens))
  return 0
}

function table(tokens: readonly ApproverToken[]): string {
  if (tokens.length === 0) return 'No token was made yet.\n'
  const rows = tokens.map(({ id, name, roles, createdAt, revokedAt }) => [
    id,
    revealPlain(name),
    roles.map(revealPlain).join(',') || '-',
    momentText(createdAt),
    revokedAt === undefined ? 'valid' : `revoked ${momentText(revokedAt)}`,
  ])
  return `${aligned([['ID', 'NAME', 'ROLES', 'CREATED', 'STATUS'], ...rows]).join('\n')}\n`
}
