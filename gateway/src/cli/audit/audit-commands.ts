import type { Command } from 'commander'
import type { Settle } from '../settle.ts'
import type { Surroundings } from '../surroundings.ts'
import { addUnbuiltCommand } from '../unbuilt-commands.ts'
import { addAuditTailCommand } from './audit-tail.ts'
import { addAuditVerifyCommand } from './audit-verify.ts'

/** `callgate audit`: the record (contract 11). */
export function addAuditCommands(program: Command, surroundings: Surroundings, settle: Settle): void {
  const audit = program.command('audit').description('the record: tail, verify')
  addAuditTailCommand(audit, surroundings, settle)
  addAuditVerifyCommand(audit, surroundings, settle)
  addUnbuiltCommand(audit, 'export')
}
