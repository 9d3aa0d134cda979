import { rename, rm, writeFile } from 'node:fs/promises'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createHtmlReport, createReplayTally, readTraces, replay, verdictOf } from '@callgate/analysis'
import type { ReplayedCall, ReplayOptions, ReplaySummary } from '@callgate/analysis'
import { CallgateError } from '@callgate/core'
import { formatProblem, loadGates } from '@callgate/gates-file/load'
import type { GatesFile } from '@callgate/gates-file/load'
import { aligned } from '../aligned.ts'
import { jsonText } from '../json-text.ts'
import { revealPlain } from '../reveal.ts'
import type { Surroundings } from '../surroundings.ts'
import { loadTyping } from '../../calls/tool-typing.ts'
import { readToolsFile } from '../tools-file.ts'
import { createProgress } from './progress.ts'
import type { ReplayFlags } from './replay-command.ts'

const MAX_UNREAD_SHOWN = 20

/** Replays and prints; resolves with the exit code: 1 where `--fail` found what it looks for, or a line could not be read with it. */
export async function runReplay(traces: readonly string[], flags: ReplayFlags, surroundings: Surroundings): Promise<number> {
  const { cwd, stdout, stderr } = surroundings
  const files = traces.map((trace) => resolve(cwd, trace))
  const bytes = await sizeOf(files)
  const { gates, warnings } = await loadGates(resolve(cwd, flags.gates))
  for (const warning of warnings) stderr.write(`callgate: warning: ${formatProblem(warning)}\n`)
  const options = await optionsOf(gates, flags, cwd)
  const progress = createProgress(stderr, bytes)
  const tally = createReplayTally()
  const report = flags.html === undefined ? undefined : createHtmlReport()
  const each: ReplayedCall[] = []
  let unread = 0
  const events = readTraces(files, {
    bytes: progress.read,
    unread({ file, line, why }) {
      unread += 1
      if (unread <= MAX_UNREAD_SHOWN) progress.say(`callgate: ${file}:${line} was left out: ${revealPlain(why)}\n`)
    },
  })
  for await (const event of replay(events, options)) {
    tally.add(event)
    report?.add(event)
    if (event.kind !== 'call') continue
    progress.called()
    if (flags.each === true) each.push(event.call)
  }
  progress.end()
  if (unread > MAX_UNREAD_SHOWN) stderr.write(`callgate: ${unread} lines were left out in all\n`)
  if (report !== undefined && flags.html !== undefined) await writeWhole(resolve(cwd, flags.html), report.page(`callgate replay of ${flags.gates}`))
  const summary = tally.summary()
  stdout.write(flags.json === true ? `${jsonText({ ...summary, ...(flags.each === true && { verdicts: each.map(verdictOf) }) })}\n` : tableOf(summary, each))
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

async function sizeOf(files: readonly string[]): Promise<number> {
  let bytes = 0
  for (const file of files) {
    const found = await stat(file).catch((cause: unknown) => {
      throw new CallgateError('invalid_option', `${file} cannot be read: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}.`, { cause })
    })
    if (!found.isFile()) throw new CallgateError('invalid_option', `${file} is no file.`)
    bytes += found.size
  }
  return bytes
}

/** Written beside its place and moved there: a report that is cut short is never seen. */
async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.part`
  try {
    await writeFile(draft, text, { flag: 'wx' })
    await rename(draft, path)
  } catch (cause) {
    await rm(draft, { force: true })
    throw new CallgateError('invalid_option', `The report ${path} cannot be written: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}.`, { cause })
  }
}

function tableOf({ traces, calls, ran, repaired, refused, held, byRule }: ReplaySummary, each: readonly ReplayedCall[]): string {
  const listed = aligned(each.map(({ trace, call, tool, verdict, rule = '' }) => [revealPlain(trace), String(call), verdict, revealPlain(tool), rule]))
  const rules = byRule.length === 0 ? [] : ['', ...aligned([['rule', 'line', 'refused', 'held'], ...byRule.map(({ rule, line, ...stopped }) => [revealPlain(rule), line === undefined ? '' : String(line), String(stopped.refused), String(stopped.held)])])]
  const sum = `${traces} traces, ${calls} calls: ${ran} ran, ${repaired} repaired, ${refused} refused, ${held} held`
  return `${[...listed, ...(listed.length > 0 ? [''] : []), sum, ...rules].join('\n')}\n`
}
