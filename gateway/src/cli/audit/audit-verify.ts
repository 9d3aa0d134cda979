import { CallgateError } from '@callgate/core'
import type { ChainReport } from '@callgate/core'
import type { Command } from 'commander'
import { jsonText } from '../json-text.ts'
import type { Settle } from '../settle.ts'
import { revealPlain } from '../reveal.ts'
import { addStoreOptions, withStore } from '../store-options.ts'
import type { StoreOptions } from '../store-options.ts'
import type { Surroundings } from '../surroundings.ts'
import { verifyRecord } from './verify-record.ts'

/** `callgate audit verify`: recomputes the chain; exit code 1 where it is broken (contract 11). */
export function addAuditVerifyCommand(audit: Command, surroundings: Surroundings, settle: Settle): void {
  addStoreOptions(
    audit.command('verify').description('recompute the chain; exits 1 and names the first entry that does not fit'),
  ).action(async (options: StoreOptions) => {
    settle(await verify(options, surroundings))
  })
}

async function verify(options: StoreOptions, surroundings: Surroundings): Promise<number> {
  const report = await withStore(options, surroundings, async (store) => {
    if (store === undefined) throw noRecord()
    return await verifyRecord(store.record)
  })
  const { ok, entries, anchored, firstBad } = report
  surroundings.stdout.write(options.json === true ? `${jsonText({ ok, entries, anchored, firstBad })}\n` : sentence(report))
  return ok ? 0 : 1
}

/** The error of a record that nothing has been written to. */
export function noRecord(): CallgateError {
  return new CallgateError(
    'store_invalid',
    'there is no record yet for this gates file; callgate run makes it. --store names another one.',
  )
}

function sentence({ ok, entries, anchored, firstBad }: ChainReport): string {
  const count = `${entries} ${entries === 1 ? 'entry' : 'entries'}`
  if (!ok) return `BROKEN at entry ${firstBad?.seq ?? 0}: ${revealPlain(firstBad?.why ?? '')} (${count} read)\n`
  const end = anchored
    ? ''
    : ' The end of the chain is unproven without a signed checkpoint: entries cut off its end would not show.'
  return `The chain of ${count} is unbroken.${end}\n`
}
