import type { ChainReport } from '@callgate/core'
import { verifyRecord } from '../cli/audit/verify-record.ts'
import { jsonText } from '../cli/json-text.ts'
import type { Surroundings } from '../cli/surroundings.ts'
import { openStore } from '../state/open-store.ts'
import { locateStore } from '../state/store-location.ts'
import { createDemoFolder, DEMO_GATES } from './demo-folder.ts'
import type { DemoFolder } from './demo-folder.ts'
import { createDemoLines } from './demo-lines.ts'
import type { DemoLines } from './demo-lines.ts'
import { findFilesystemServer } from './find-server.ts'
import { playDemo } from './play-demo.ts'
import type { Played } from './play-demo.ts'

/** The flags of `callgate demo`. */
export type DemoOptions = { readonly json?: boolean; readonly keep?: boolean }

const INTERRUPTED = 130

/**
 * Plays the demo in a temporary folder that is gone afterwards (unless `keep`), with state of its own. Resolves with 0
 * where every call went as expected and the record's chain holds, 1 with what differed; rejects where it could not run.
 */
export async function runDemo(options: DemoOptions, surroundings: Surroundings): Promise<number> {
  const { stdout, stderr, env } = surroundings
  const server = findFilesystemServer()
  const lines = options.json === true ? undefined : createDemoLines(stdout, env)
  const folder = createDemoFolder()
  const interruption = watchInterruption()
  try {
    lines?.heading('The rules (gates.yml)')
    lines?.plain(DEMO_GATES)
    lines?.heading('The calls: a real MCP client, callgate run, the npm filesystem server')
    const { played, record } = await perform(folder, server, lines, surroundings, interruption.signal)
    if (options.json === true) stdout.write(document(played, record))
    else lines?.plain(`\n${recordLine(record)}`)
    for (const difference of played.differences) stderr.write(`callgate: ${difference}\n`)
    return played.differences.length === 0 && record.ok ? 0 : 1
  } catch (error) {
    if (interruption.signal.aborted) return INTERRUPTED
    throw error
  } finally {
    interruption.stop()
    if (options.keep === true) stderr.write(`callgate: the demo's folder is ${folder.root}\n`)
    else folder.remove()
  }
}

type Ended = { readonly played: Played; readonly record: ChainReport }

async function perform(
  folder: DemoFolder,
  server: string,
  lines: DemoLines | undefined,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<Ended> {
  const store = await openStore(locateStore({ gates: folder.gates }, { ...surroundings, env: { XDG_STATE_HOME: folder.state } }))
  try {
    const quiet = { call: () => undefined, approved: () => undefined }
    const played = await playDemo(folder, store, server, lines ?? quiet, signal)
    return { played, record: await verifyRecord(store.record) }
  } finally {
    await store.close()
  }
}

function document({ calls }: Played, { ok, entries, firstBad }: ChainReport): string {
  const shown = calls.map(({ tool, verdict, rule, args }) => ({ tool, verdict, rule, args }))
  return `${jsonText({ calls: shown, record: { ok, entries, firstBad } })}\n`
}

function recordLine({ ok, entries, firstBad }: ChainReport): string {
  if (!ok) return `record    BROKEN at entry ${firstBad?.seq ?? 0}: ${firstBad?.why ?? ''}`
  return `record    ${entries} entries, the chain is unbroken`
}

/** Aborts on SIGINT or SIGTERM, so that the children end and the temporary folder is removed then too. */
function watchInterruption(): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController()
  const interrupt = (): void => controller.abort()
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  const stop = (): void => {
    process.removeListener('SIGINT', interrupt)
    process.removeListener('SIGTERM', interrupt)
  }
  return { signal: controller.signal, stop }
}
