import { answerHold, isCallgateError } from '@callgate/core'
import type { Hold } from '@callgate/core'
import { systemClock } from '@callgate/core/local'
import type { Command } from 'commander'
import { jsonText } from '../json-text.ts'
import type { Settle } from '../settle.ts'
import { revealPlain } from '../reveal.ts'
import { addStoreOptions, withStore } from '../store-options.ts'
import type { StoreOptions } from '../store-options.ts'
import type { Surroundings } from '../surroundings.ts'
import { readApproverToken } from './approver-token.ts'
import { noSuchHold } from './holds-show.ts'

type AnswerOptions = StoreOptions & { readonly reason?: string }
type Verdict = 'approve' | 'deny'

/** `callgate holds approve ID` and `callgate holds deny ID --reason R`, each with an approver's token (contract 10). */
export function addHoldsAnswerCommands(holds: Command, surroundings: Surroundings, settle: Settle): void {
  const add = (verdict: Verdict, description: string): Command =>
    addStoreOptions(holds.command(verdict).description(description).argument('<id>', 'the id of the hold')).action(
      async (id: string, options: AnswerOptions) => {
        settle(await answer(verdict, id, options, surroundings))
      },
    )
  add('approve', "say yes: the call may run once (needs an approver's token, see below)").addHelpText('after', TOKEN_HELP)
  add('deny', "say no (needs an approver's token, see below)")
    .requiredOption('--reason <text>', 'why; the model reads it')
    .addHelpText('after', TOKEN_HELP)
}

const TOKEN_HELP = `
The token comes from CALLGATE_APPROVER_TOKEN, or is asked for on the terminal.
callgate token create --name NAME makes one.`

async function answer(verdict: Verdict, holdId: string, options: AnswerOptions, surroundings: Surroundings): Promise<number> {
  const hold = await withStore(options, surroundings, async (store) => {
    if (store === undefined) throw noSuchHold(holdId)
    const token = await readApproverToken(surroundings)
    const request = { holdId, verdict, token, ...(options.reason !== undefined && { reason: options.reason }) }
    return await answerHold({ store, clock: systemClock() }, request).catch((error: unknown) => {
      throw isCallgateError(error) && error.code === 'unknown_hold' ? noSuchHold(holdId) : error
    })
  })
  surroundings.stdout.write(options.json === true ? `${jsonText(answered(hold))}\n` : sentence(hold))
  return 0
}

function answered({ id, status, tool, answer: given }: Hold): { [key: string]: string | undefined } {
  return { id, status, tool, verdict: given?.verdict, approver: given?.approver, reason: given?.reason }
}

/** A yes that was given before may have been spent by now: then the answer and the state are two things. */
function sentence({ id, status, tool, answer: given }: Hold): string {
  const verdict = given?.verdict === 'approve' ? 'approved' : 'denied'
  const by = given === undefined ? '' : ` by ${revealPlain(given.approver)}`
  const since = status === verdict ? '' : ` before; nothing was changed, the call is ${status} by now`
  return `${id} ${verdict}${by}${since}: ${revealPlain(tool)}\n`
}
