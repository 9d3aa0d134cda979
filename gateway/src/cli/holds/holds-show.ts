import { CallgateError } from '@callgate/core'
import type { Hold } from '@callgate/core'
import type { Command } from 'commander'
import { aligned } from '../aligned.ts'
import { momentText } from '../durations.ts'
import { jsonText } from '../json-text.ts'
import { prettyJson } from '../pretty-json.ts'
import type { Settle } from '../settle.ts'
import { revealLines, revealPlain } from '../reveal.ts'
import { addStoreOptions, withStore } from '../store-options.ts'
import type { StoreOptions } from '../store-options.ts'
import type { Surroundings } from '../surroundings.ts'
import { currentStatus, holdAnswer } from './hold-view.ts'

/** `callgate holds show ID`: the whole call as it would run, nothing cut, nothing invisible (contract 10). */
export function addHoldsShowCommand(holds: Command, surroundings: Surroundings, settle: Settle): void {
  addStoreOptions(
    holds.command('show').description('one hold, its arguments complete').argument('<id>', 'the id of the hold'),
  ).action(async (id: string, options: StoreOptions) => {
    settle(await showHold(id, options, surroundings))
  })
}

async function showHold(id: string, options: StoreOptions, surroundings: Surroundings): Promise<number> {
  const hold = await withStore(options, surroundings, async (store) => await store?.holds.get(id))
  if (hold === undefined) throw noSuchHold(id)
  const now = Date.now()
  surroundings.stdout.write(options.json === true ? `${jsonText(holdDetail(hold, now))}\n` : page(hold, now))
  return 0
}

/** The error of an id that the store does not know. */
export function noSuchHold(id: string): CallgateError {
  return new CallgateError(
    'unknown_hold',
    `no such hold: ${revealPlain(id)}. callgate holds list shows the ids; --gates or --store says in which store.`,
  )
}

function holdDetail(hold: Hold, now: number): ReturnType<typeof holdAnswer> {
  const { principal, answer } = hold
  return { ...holdAnswer(hold, now), principal, answer }
}

function page(hold: Hold, now: number): string {
  const { answer } = hold
  const facts: (readonly [string, string])[] = [
    ['hold', hold.id],
    ['status', currentStatus(hold, now)],
    ['question', revealPlain(hold.question)],
    ['tool', revealPlain(hold.tool)],
    ...(hold.server === undefined ? [] : [['server', revealPlain(hold.server)] as const]),
    ['for', revealPlain(hold.principal)],
    ['session', revealPlain(hold.session)],
    ['waiting', `${hold.count} ${hold.count === 1 ? 'call' : 'calls'}`],
    ['asked', momentText(hold.createdAt)],
    ['deadline', momentText(hold.expiresAt)],
    ...(answer === undefined
      ? []
      : [['answer', `${answer.verdict} by ${revealPlain(answer.approver)}, ${momentText(answer.at)}`] as const]),
    ...(answer?.reason === undefined ? [] : [['reason', revealPlain(answer.reason)] as const]),
  ]
  return `${aligned(facts).join('\n')}\narguments\n${indent(revealLines(prettyJson(hold.args)))}\n`
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ')
}
