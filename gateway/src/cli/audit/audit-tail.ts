import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Store } from '@callgate/core'
import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import { jsonText } from '../json-text.ts'
import type { Settle } from '../settle.ts'
import { addStoreOptions, withStore } from '../store-options.ts'
import type { StoreOptions } from '../store-options.ts'
import type { Surroundings } from '../surroundings.ts'
import { noRecord } from './audit-verify.ts'
import { entryAnswer, entryLine } from './entry-line.ts'

const PAGE = 500
const POLL_MS = 500
const MAX_TAIL = 1_000_000

type TailOptions = StoreOptions & { readonly lines: number; readonly follow?: boolean }

/** `callgate audit tail`: the last entries of the record, one a line, in the order of their numbers. */
export function addAuditTailCommand(audit: Command, surroundings: Surroundings, settle: Settle): void {
  addStoreOptions(audit.command('tail').description('the last entries, one a line (with --json: JSON lines)'))
    .option('-n, --lines <count>', 'how many', parseCount, 20)
    .option('-f, --follow', 'go on as entries are written, until interrupted')
    .action(async (options: TailOptions) => {
      settle(await tail(options, surroundings))
    })
}

function parseCount(text: string): number {
  const count = Number(text)
  if (!/^\d+$/.test(text) || count > MAX_TAIL) throw new InvalidArgumentError(`a whole number from 0 to ${MAX_TAIL} is wanted`)
  return count
}

async function tail(options: TailOptions, surroundings: Surroundings): Promise<number> {
  const stop = new AbortController()
  const abort = (): void => stop.abort()
  process.once('SIGINT', abort)
  process.once('SIGTERM', abort)
  // The reader of a pipe has gone, as `head` does.
  surroundings.stdout.once('error', abort)
  try {
    await withStore(options, surroundings, async (store) => {
      if (store === undefined) throw noRecord()
      await printFrom(store, options, surroundings, stop.signal)
    })
  } finally {
    process.removeListener('SIGINT', abort)
    process.removeListener('SIGTERM', abort)
  }
  return 0
}

async function printFrom(store: Store, options: TailOptions, { stdout }: Surroundings, signal: AbortSignal): Promise<void> {
  const { seq } = await store.record.head()
  let after = Math.max(0, seq - options.lines)
  while (!signal.aborted) {
    const page = await store.record.read(after, PAGE)
    const text = page.map((entry) => `${options.json === true ? jsonText(entryAnswer(entry)) : entryLine(entry)}\n`).join('')
    // A slow reader holds the next page back.
    if (!stdout.write(text)) await once(stdout, 'drain', { signal }).catch(() => undefined)
    after = page.at(-1)?.seq ?? after
    if (page.length > 0) continue
    if (options.follow !== true) return
    await setTimeout(POLL_MS, undefined, { signal }).catch(() => undefined)
  }
}
