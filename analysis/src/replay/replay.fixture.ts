import type { Expression, GateRules } from '@callgate/core'
import type { RecordedCall, RecordedResult, TraceEvent } from '../traces/trace.ts'
import { replay } from './replay.ts'
import type { ReplayedCall, ReplayOptions } from './replay.ts'

/** One argument, by name. */
export function arg(name: string): Expression {
  return { source: `args.${name}`, evaluate: ({ args = {} }) => args[name] }
}

/** A call that returned `result`, or of which nobody knows how it ended. */
export function made(tool: string, value: unknown = {}, result?: Partial<RecordedResult>): RecordedCall {
  return { tool, args: { value }, ...(result !== undefined && { result: { isError: false, ...result } }) }
}

/** A trace, in short: text is the user's, a list is a turn. */
export function traceOf(trace: string, ...steps: readonly (string | readonly RecordedCall[])[]): readonly TraceEvent[] {
  return [
    ...steps.map((step): TraceEvent => (typeof step === 'string' ? { kind: 'user', trace, text: step } : { kind: 'calls', trace, calls: step })),
    { kind: 'end', trace },
  ]
}

/** What the rules say of each call. */
export async function verdictsOf(events: readonly TraceEvent[], gates: GateRules, options: Partial<ReplayOptions> = {}): Promise<readonly ReplayedCall[]> {
  const calls: ReplayedCall[] = []
  for await (const event of replay(streamed(events), { gates, hold: 'block', ...options })) if (event.kind === 'call') calls.push(event.call)
  return calls
}

/** Each verdict in short, as `held by confirm`. */
export async function shortly(events: readonly TraceEvent[], gates: GateRules, options: Partial<ReplayOptions> = {}): Promise<readonly string[]> {
  return (await verdictsOf(events, gates, options)).map(({ verdict, rule }) => (rule === undefined ? verdict : `${verdict} by ${rule}`))
}

async function* streamed(events: readonly TraceEvent[]): AsyncGenerator<TraceEvent> {
  for (const event of events) yield event
}
