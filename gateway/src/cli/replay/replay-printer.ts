import { verdictOf } from '@callgate/analysis'
import type { ReplayedCall, ReplaySummary } from '@callgate/analysis'
import { aligned } from '../aligned.ts'
import { jsonText } from '../json-text.ts'
import { revealPlain } from '../reveal.ts'
import type { Output } from '../surroundings.ts'

/** The sums, and how many lines were left out; a file that could not be read on counts as one. */
export type PrintedSummary = ReplaySummary & { readonly unreadable: number }

/** Prints a replay: each call as it comes where that is asked for, then the sums. */
export type ReplayPrinter = { add(call: ReplayedCall): Promise<void>; end(summary: PrintedSummary): void }

/** Makes a printer to `stdout`: one JSON document, or lines. No call is kept; it waits for a reader that is slow. */
export function createReplayPrinter(stdout: Output, { each = false, json = false }: { readonly each?: boolean; readonly json?: boolean }): ReplayPrinter {
  let calls = 0
  return {
    async add(call) {
      if (!each) return
      const before = json ? (calls === 0 ? '{"verdicts":[' : ',') : ''
      calls += 1
      const goesOn = stdout.write(before + (json ? jsonText(verdictOf(call)) : lineOf(call)))
      if (!goesOn && stdout.writableNeedDrain && !stdout.destroyed) await drained(stdout)
    },
    end(summary) {
      if (!json) stdout.write(`${calls > 0 ? '\n' : ''}${tableOf(summary)}`)
      else if (!each) stdout.write(`${jsonText(summary)}\n`)
      else stdout.write(`${calls === 0 ? '{"verdicts":[' : ''}],${jsonText(summary).slice(1)}\n`)
    },
  }
}

/** A reader that has gone never drains; the stream then closes. */
async function drained(stdout: Output): Promise<void> {
  await new Promise<void>((resolve) => {
    const go = (): void => {
      stdout.off('drain', go).off('close', go)
      resolve()
    }
    stdout.on('drain', go).on('close', go)
  })
}

function lineOf({ trace, call, tool, verdict, rule, line }: ReplayedCall): string {
  const by = rule === undefined ? '' : `  by ${revealPlain(rule)}${line === undefined ? '' : `, line ${line}`}`
  return `${revealPlain(trace)}  ${call}  ${verdict.padEnd('repaired'.length)}  ${revealPlain(tool)}${by}\n`
}

function tableOf({ traces, calls, ran, repaired, refused, held, unreadable, byRule }: PrintedSummary): string {
  const rows = byRule.map(({ rule, line, ...stopped }) => [revealPlain(rule), line === undefined ? '' : String(line), String(stopped.refused), String(stopped.held)])
  const rules = rows.length === 0 ? [] : ['', ...aligned([['rule', 'line', 'refused', 'held'], ...rows])]
  const lost = unreadable === 0 ? [] : [`${unreadable} lines could not be read`]
  return `${[`${traces} traces, ${calls} calls: ${ran} ran, ${repaired} repaired, ${refused} refused, ${held} held`, ...lost, ...rules].join('\n')}\n`
}
