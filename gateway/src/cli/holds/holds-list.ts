import { reveal } from '@callgate/core'
import type { Hold, HoldStatus, Store } from '@callgate/core'
import type { Command } from 'commander'
import { aligned } from '../aligned.ts'
import { spanText } from '../durations.ts'
import { jsonText } from '../json-text.ts'
import type { Settle } from '../settle.ts'
import { revealPlain, shorten } from '../reveal.ts'
import { addStoreOptions, noteNoStore, withStore } from '../store-options.ts'
import type { StoreOptions } from '../store-options.ts'
import type { Surroundings } from '../surroundings.ts'
import { currentStatus, holdAnswer } from './hold-view.ts'

const PAGE = 200
const MAX_HOLDS = 10_000
const LIVE: readonly HoldStatus[] = ['pending', 'approved', 'claimed']
const ARGS_WIDTH = 60

type ListOptions = StoreOptions & { readonly all?: boolean }

/** `callgate holds list`: the holds that wait or may still be used, newest first; with `--all` those that ended too. */
export function addHoldsListCommand(holds: Command, surroundings: Surroundings, settle: Settle): void {
  addStoreOptions(
    holds.command('list', { isDefault: true }).description('the holds that wait for an answer or for their use, newest first'),
  )
    .option('--all', 'those that ended too')
    .action(async (options: ListOptions) => {
      settle(await listHolds(options, surroundings))
    })
}

async function listHolds(options: ListOptions, surroundings: Surroundings): Promise<number> {
  const { stdout, stderr } = surroundings
  await withStore(options, surroundings, async (store, location) => {
    if (store === undefined) noteNoStore(surroundings, location)
    const now = Date.now()
    const found = store === undefined ? [] : await readHolds(store, options.all === true, now)
    if (found.length === MAX_HOLDS) stderr.write(`callgate: only the newest ${MAX_HOLDS} holds are listed.\n`)
    stdout.write(options.json === true ? `${jsonText(found.map((hold) => holdAnswer(hold, now)))}\n` : table(found, now))
  })
  return 0
}

async function readHolds(store: Store, all: boolean, now: number): Promise<readonly Hold[]> {
  const found: Hold[] = []
  let after: string | undefined
  while (found.length < MAX_HOLDS) {
    const page = await store.holds.list({ limit: PAGE, ...(!all && { statuses: LIVE }), ...(after !== undefined && { after }) })
    found.push(...page.filter((hold) => all || LIVE.includes(currentStatus(hold, now))))
    after = page.at(-1)?.id
    if (page.length < PAGE) break
  }
  return found.slice(0, MAX_HOLDS)
}

function table(holds: readonly Hold[], now: number): string {
  if (holds.length === 0) return 'No call is held.\n'
  const rows = holds.map((hold) => [
    hold.id,
    currentStatus(hold, now),
    hold.expiresAt > now ? spanText(hold.expiresAt - now) : 'over',
    String(hold.count),
    revealPlain(hold.tool),
    shorten(reveal(hold.args), ARGS_WIDTH),
    revealPlain(hold.question),
  ])
  const lines = aligned([['ID', 'STATUS', 'LEFT', 'WAITING', 'TOOL', 'ARGUMENTS', 'QUESTION'], ...rows])
  return `${lines.join('\n')}\n`
}
