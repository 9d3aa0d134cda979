import { Candidate, createGatekeeper, isCallgateError } from '@callgate/core'
import type { AttemptSchema, Gatekeeper, GateRules, Outcome, Policy, Session, ToolAnnotations, ToolCall, ToolReading } from '@callgate/core'
import type { RecordedCall, RecordedResult, TraceEvent } from '../traces/trace.ts'
import { createReplayPorts, SAYS_YES } from './replay-ports.ts'
import type { ReplayPorts } from './replay-ports.ts'

/** What is known of a tool: its schema, and what its server says of it. */
export type ReplayTool = { readonly schema?: AttemptSchema; readonly annotations?: ToolAnnotations }

/** What recorded runs are put before. */
export type ReplayOptions = {
  readonly gates: GateRules
  readonly policies?: readonly Policy[]
  /** Tools by name; without it recorded arguments are taken as valid, and no tool as unlisted. */
  readonly tools?: ReadonlyMap<string, ReplayTool>
  /** What becomes of a hold: the call is taken as not run, or each hold as a yes. */
  readonly hold: 'block' | 'allow'
}

/** What the rules say of one recorded call; `call` counts the calls of its trace from 0. */
export type ReplayVerdict = {
  readonly trace: string
  readonly call: number
  readonly tool: string
  readonly verdict: 'ran' | 'refused' | 'held' | 'repaired'
  /** The gate that decided, or `deny`, `allow`, `default`, `unlisted`, `limits`, `arguments`. */
  readonly rule?: string
  readonly line?: number
}

/** A verdict with what led to it. */
export type ReplayedCall = ReplayVerdict & { readonly args: string; readonly message?: string }

/** What happens in a replay, in order. */
export type ReplayEvent =
  | { readonly kind: 'call'; readonly call: ReplayedCall }
  | { readonly kind: 'end'; readonly trace: string }

/** A gatekeeper remembers sessions that have ended for a while; after so many traces another one is made. */
const TRACES_A_GATEKEEPER = 200

type Live = { readonly session: Session; calls: number }

/**
 * Puts recorded runs before rules, through the code that judges live calls. A refused or held call is taken as not run: it
 * marks nothing, and its recorded result is not used. Constant memory for traces that come one after the other.
 */
export async function* replay(events: AsyncIterable<TraceEvent>, options: ReplayOptions): AsyncGenerator<ReplayEvent> {
  let ports = createReplayPorts()
  let gatekeeper = gatekeeperOf(options, ports)
  let ended = 0
  const live = new Map<string, Live>()
  for await (const event of events) {
    if (live.size === 0 && ended >= TRACES_A_GATEKEEPER) {
      ports = createReplayPorts()
      gatekeeper = gatekeeperOf(options, ports)
      ended = 0
    }
    ports.clock.tick()
    const known = live.get(event.trace) ?? { session: gatekeeper.session('replay', { principal: `trace ${event.trace}`.toWellFormed() }), calls: 0 }
    live.set(event.trace, known)
    if (event.kind === 'user') await known.session.said(event.text)
    else if (event.kind === 'calls') yield* replayTurn(known, event, options)
    else {
      await ports.store.marks.reset({ principal: known.session.principal, session: known.session.id })
      live.delete(event.trace)
      ended += 1
      yield { kind: 'end', trace: event.trace }
    }
  }
}

function gatekeeperOf({ gates, policies = [], hold, tools }: ReplayOptions, ports: ReplayPorts): Gatekeeper {
  return createGatekeeper({
    gates,
    policies,
    ...ports,
    ...(hold === 'allow' && { approver: SAYS_YES }),
    schemaless: tools === undefined ? 'allow' : 'refuse',
    completion: (result) => ((result as RecordedResult).isError ? 'failure' : 'success'),
    reading: (result) => readingOf(result as RecordedResult),
  })
}

function readingOf({ text, structured }: RecordedResult): ToolReading {
  return { ...(text !== undefined && { text }), ...(structured !== undefined && { structured }) }
}

async function* replayTurn(known: Live, { trace, calls }: TraceEvent & { readonly kind: 'calls' }, { tools }: ReplayOptions): AsyncGenerator<ReplayEvent> {
  const turn = `turn ${known.calls}`
  const outcomes = await Promise.all(calls.map((call) => known.session.call({ ...toolCallOf(call, tools), turn }, () => resultOf(call))))
  for (const [at, outcome] of outcomes.entries()) {
    const call = calls[at] as RecordedCall
    if (outcome.verdict === 'held') await known.session.cancel(outcome.holdId, outcome.callId)
    yield { kind: 'call', call: { trace, call: known.calls + at, tool: call.tool, ...verdictOf(outcome), args: textOf(call) } }
  }
  known.calls += calls.length
}

/** A call without a recorded result is taken as one that returned nothing and marks nothing. */
function resultOf({ result }: RecordedCall): RecordedResult {
  return result ?? { isError: true }
}

function toolCallOf({ tool, args }: RecordedCall, tools: ReplayOptions['tools']): ToolCall {
  const known = tools?.get(tool)
  return {
    tool: tool === '' ? ' ' : tool.toWellFormed(),
    args: 'text' in args ? exactArguments(args.text) : args.value,
    ...(known?.schema !== undefined && { schema: known.schema }),
    ...(known?.annotations !== undefined && { annotations: known.annotations }),
    ...(tools !== undefined && known === undefined && { isListed: false }),
  }
}

/** The arguments as they were sent, or the error that says why they are not exact, as a live call would carry it. */
function exactArguments(text: string): unknown {
  try {
    return Candidate.ofWire(text.trim() === '' ? '{}' : text)
  } catch (error) {
    if (isCallgateError(error)) return error
    throw error
  }
}

function verdictOf(outcome: Outcome<RecordedResult>): Pick<ReplayedCall, 'verdict' | 'rule' | 'line' | 'message'> {
  if (outcome.verdict === 'ran') return { verdict: outcome.repaired ? 'repaired' : 'ran' }
  const { line, message } = outcome
  const rule = outcome.rule ?? (outcome.verdict === 'refused' ? outcome.cause : undefined)
  return { verdict: outcome.verdict, ...(rule !== undefined && { rule }), ...(line !== undefined && { line }), message }
}

function textOf({ args }: RecordedCall): string {
  if ('text' in args) return args.text
  return JSON.stringify(args.value, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ?? ''
}
