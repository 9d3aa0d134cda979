import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createHtmlReport, createReplayTally, readTraces, replay } from '@callgate/analysis'
import type { ReplayOptions } from '@callgate/analysis'
import { formatProblem, loadGates } from '@callgate/gates-file/load'
import type { GatesFile } from '@callgate/gates-file/load'
import { revealPlain } from '../reveal.ts'
import type { Surroundings } from '../surroundings.ts'
import { loadTyping } from '../../calls/tool-typing.ts'
import { readToolsFile } from '../tools-file.ts'
import { createProgress } from './progress.ts'
import type { ReplayFlags } from './replay-flags.ts'
import { createReplayPrinter } from './replay-printer.ts'
import { createWarner } from './warner.ts'
import { createWholeFile } from './whole-file.ts'

const MAX_UNREAD_SHOWN = 20

/**
 * Replays and prints, in constant memory; resolves with the exit code: 2 where of a file, or of them all, nothing could be read, else 1 where
 * `fail` is set and a call was refused or held.
 */
export async function runReplay(traces: readonly string[], flags: ReplayFlags, surroundings: Surroundings): Promise<number> {
  const { cwd, stderr } = surroundings
  const files = traces.map((trace) => resolve(cwd, trace))
  const bytes = await sizeOf(files)
  const { gates, warnings } = await loadGates(resolve(cwd, flags.gates))
  for (const warning of warnings) stderr.write(`callgate: warning: ${formatProblem(warning)}\n`)
  const options = await optionsOf(gates, flags, cwd)
  const progress = createProgress(stderr, bytes)
  const warner = createWarner(progress.say)
  const tally = createReplayTally()
  const page = flags.html === undefined ? undefined : await createWholeFile(resolve(cwd, flags.html))
  const report = page === undefined ? undefined : createHtmlReport()
  const printer = createReplayPrinter(surroundings.stdout, flags)
  let unread = 0
  let broken = 0
  let hasLostFile = false
  const events = readTraces(files, {
    bytes: progress.read,
    unread({ file, line, why }) {
      unread += 1
      if (unread <= MAX_UNREAD_SHOWN) progress.say(`callgate: ${revealPlain(file)}:${line} was left out: ${revealPlain(why)}\n`)
    },
    broken({ file, line, why, isPartlyRead }) {
      broken += 1
      hasLostFile ||= !isPartlyRead
      progress.say(`callgate: ${revealPlain(file)}:${line} and what comes after it could not be read: ${revealPlain(why)}\n`)
    },
  })
  try {
    for await (const event of replay(events, { ...options, warn: warner.warn })) {
      tally.add(event)
      report?.add(event)
      if (event.kind !== 'call') continue
      progress.called()
      await printer.add(event.call)
    }
  } finally {
    progress.end()
  }
  warner.rest()
  if (unread > MAX_UNREAD_SHOWN) stderr.write(`callgate: ${unread} lines were left out in all\n`)
  const summary = { ...tally.summary(), unreadable: unread + broken }
  printer.end(summary)
  if (report !== undefined && page !== undefined) await page.write(report.page(`callgate replay of ${flags.gates}`))
  if (hasLostFile || (summary.traces === 0 && summary.unreadable > 0)) return 2
  return flags.fail === true && summary.refused + summary.held > 0 ? 1 : 0
}

async function optionsOf(gates: GatesFile, { hold, tools }: ReplayFlags, cwd: string): Promise<ReplayOptions> {
  const typing = gates.typing === undefined && tools === undefined ? undefined : await loadTyping(gates.typing)
  const listed = tools === undefined ? undefined : await readToolsFile(resolve(cwd, tools))
  return {
    gates: gates.rules,
    policies: typing?.policies ?? [],
    hold,
    ...(listed !== undefined && typing !== undefined && {
      tools: new Map(listed.map((tool) => {
        const schema = typing.schemaOf(tool, 'replay')
        return [tool.name, { ...(schema !== undefined && { schema }), ...(tool.annotations !== undefined && { annotations: tool.annotations }) }]
      })),
    }),
  }
}

/** The bytes of the files that are there; what cannot be read is told when its turn comes. */
async function sizeOf(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => stat(file).then(({ size }) => size, () => 0)))
  return sizes.reduce((sum, size) => sum + size, 0)
}
