import type { Command } from 'commander'
import type { Settle } from '../settle.ts'
import type { Surroundings } from '../surroundings.ts'
import { addHoldsAnswerCommands } from './holds-answer.ts'
import { addHoldsListCommand } from './holds-list.ts'
import { addHoldsShowCommand } from './holds-show.ts'

/** `callgate holds`: calls that wait for a person, and their answers from a terminal (contract 10). */
export function addHoldsCommands(program: Command, surroundings: Surroundings, settle: Settle): void {
  const holds = program.command('holds').description('calls that wait for a person: list, show, approve, deny')
  addHoldsListCommand(holds, surroundings, settle)
  addHoldsShowCommand(holds, surroundings, settle)
  addHoldsAnswerCommands(holds, surroundings, settle)
}
