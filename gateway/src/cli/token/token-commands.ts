import type { Command } from 'commander'
import type { Settle } from '../settle.ts'
import type { Surroundings } from '../surroundings.ts'
import { addTokenCreateCommand } from './token-create.ts'
import { addTokenListCommand } from './token-list.ts'
import { addTokenRevokeCommand } from './token-revoke.ts'

/** `callgate token`: approvers' tokens, printed once and stored hashed (contract 10). */
export function addTokenCommands(program: Command, surroundings: Surroundings, settle: Settle): void {
  const token = program.command('token').description("approvers' tokens: create, list, revoke")
  addTokenCreateCommand(token, surroundings, settle)
  addTokenListCommand(token, surroundings, settle)
  addTokenRevokeCommand(token, surroundings, settle)
}
