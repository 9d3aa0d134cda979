import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readTraces } from '../traces/read-traces.ts'
import type { UnreadLine } from '../traces/trace.ts'
import { createReplayTally } from './replay-tally.ts'
import type { ReplaySummary } from './replay-tally.ts'
import { replay } from './replay.ts'

const FOLDER = new URL('../../../../shared/data/messages/', import.meta.url)
const isHere = existsSync(FOLDER)

async function replayed(name: string, deny: readonly string[]): Promise<ReplaySummary & { readonly unread: readonly UnreadLine[] }> {
  const unread: UnreadLine[] = []
  const tally = createReplayTally()
  const events = readTraces([fileURLToPath(new URL(name, FOLDER))], { unread: (line) => unread.push(line) })
  for await (const event of replay(events, { gates: { rules: [], deny }, hold: 'block' })) tally.add(event)
  return { ...tally.summary(), unread }
}

test.skipIf(!isHere)('every recorded call is read and judged; only arguments that are no JSON are refused', async () => {
  const airline = await replayed('tau-bench-airline-gpt4o.jsonl.gz', [])
  expect(airline).toMatchObject({ traces: 155, calls: 894, ran: 894, unread: [], byRule: [] })
  const advice = await replayed('tau-bench-retail-precond-advice.jsonl.gz', [])
  expect(advice.byRule).toEqual([{ rule: 'arguments', refused: advice.calls - advice.ran, held: 0 }])
  expect(await replayed('tau-bench-airline-gpt4o.jsonl.gz', ['*'])).toMatchObject({ ran: 0, refused: airline.calls })
}, 60_000)
