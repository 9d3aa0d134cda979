import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { readTraces, replay } from '@callgate/analysis'
import type { ReplayVerdict, TraceEvent } from '@callgate/analysis'
import type { GateRules } from '@callgate/core'

/** A recorded run with what its publishers say of it. */
export type Run = {
  readonly id: string
  readonly domain: string
  readonly task_id: string | number
  readonly outcome: { readonly utility?: boolean; readonly injection_succeeded?: boolean }
  readonly messages: readonly { readonly tool_calls?: readonly unknown[] }[]
}

/** A judged call: `call` counts the calls of its run from 0, as a replay does. */
export type Label = { readonly id: string; readonly call: number; readonly label: string }

type LabelLine = { readonly id: string; readonly message_index: number; readonly call_index: number; readonly label: string }

/** The runs of a file, without their texts. */
export async function readRuns(path: string): Promise<ReadonlyMap<string, Run>> {
  const runs = new Map<string, Run>()
  for await (const line of linesOf(path)) {
    const { id, domain, task_id, outcome, messages } = JSON.parse(line) as Run
    const counted = messages.map(({ tool_calls: calls }) => (calls === undefined ? {} : { tool_calls: calls.map(() => 0) }))
    runs.set(id, { id, domain, task_id, outcome, messages: counted })
  }
  return runs
}

/** The labels of a file, joined to the calls of its runs. */
export async function readLabels(path: string, runs: ReadonlyMap<string, Run>): Promise<readonly Label[]> {
  const labels: Label[] = []
  for await (const line of linesOf(path)) {
    const { id, message_index: message, call_index: index, label } = JSON.parse(line) as LabelLine
    const before = (runs.get(id)?.messages ?? []).slice(0, message).reduce((sum, { tool_calls: calls = [] }) => sum + calls.length, 0)
    labels.push({ id, call: before + index, label })
  }
  return labels
}

/** Which calls of which runs the rules stop, through the code that judges live calls. */
export async function stoppedCalls(traces: string, gates: GateRules, isAbout: (id: string) => boolean): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const stopped = new Map<string, Set<number>>()
  for await (const event of replay(only(readTraces([traces], { unread: fail }), isAbout), { gates, hold: 'block' })) {
    if (event.kind !== 'call' || !isStopped(event.call)) continue
    const calls = stopped.get(event.call.trace) ?? new Set()
    stopped.set(event.call.trace, calls.add(event.call.call))
  }
  return stopped
}

function isStopped({ verdict }: ReplayVerdict): boolean {
  return verdict === 'refused' || verdict === 'held'
}

async function* only(events: AsyncIterable<TraceEvent>, isAbout: (id: string) => boolean): AsyncGenerator<TraceEvent> {
  for await (const event of events) if (isAbout(event.trace)) yield event
}

function fail({ file, line, why }: { readonly file: string; readonly line: number; readonly why: string }): never {
  throw new Error(`${file}:${line} cannot be read: ${why}`)
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const input = path.endsWith('.gz') ? createReadStream(path).pipe(createGunzip()) : createReadStream(path)
  for await (const line of createInterface({ input, crlfDelay: Infinity })) if (line !== '') yield line
}
