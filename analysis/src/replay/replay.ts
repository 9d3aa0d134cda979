import { Candidate, createGatekeeper, isCallgateError } from '@callgate/core'
import type { AttemptSchema, Gatekeeper, GateRules, Outcome, Policy, Session, ToolAnnotations, ToolCall, ToolReading } from '@callgate/core'
import { exactText } from '../traces/exact-json.ts'
import type { RecordedCall, RecordedResult, TraceEvent } from '../traces/trace.ts'
import { createReplayPorts, SAYS_YES, START_MS, withoutQuorums } from './replay-ports.ts'
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
  /** Told why something marks nothing that should have, and what else the gatekeeper warns of; by default nobody is. */
  readonly warn?: (message: string) => void
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

/** What a gatekeeper remembers of sessions that have ended goes with it; after so many traces another one is made. */
const TRACES_A_GATEKEEPER = 200

type Judge = { readonly gatekeeper: Gatekeeper; readonly ports: ReplayPorts }
type Live = { readonly session: Session; readonly clock: ReplayPorts['clock']; now: number; calls: number; turns: number }

/**
 * Puts recorded runs before rules, through the code that judges live calls. A refused or held call is taken as not run: it
 * marks nothing, and its recorded result is not used. Time is the recorded one, else a millisecond passes with each event.
 * Traces know nothing of each other; memory is constant in their number.
 */
export async function* replay(events: AsyncIterable<TraceEvent>, options: ReplayOptions): AsyncGenerator<ReplayEvent> {
  const live = new Map<string, Live>()
  let judge = createJudge(options)
  let begun = 0
  const begin = ({ trace }: TraceEvent): Live => {
    begun += 1
    if (begun % TRACES_A_GATEKEEPER === 0) judge = createJudge(options)
    // Not the trace's own name, which may come twice.
    const session = judge.gatekeeper.session('replay', { principal: `trace ${begun}` })
    const made = { session, clock: judge.ports.clock, now: 0, calls: 0, turns: 0 }
    live.set(trace, made)
    return made
  }
  for await (const event of events) {
    const known = live.get(event.trace) ?? begin(event)
    if (event.kind === 'end') {
      live.delete(event.trace)
      yield { kind: 'end', trace: event.trace }
      continue
    }
    known.now = known.now === 0 ? (event.at ?? START_MS) : Math.max(known.now + 1, event.at ?? 0)
    known.clock.set(known.now)
    if (event.kind === 'user') await known.session.said(event.text)
    else yield* replayTurn(known, event, options)
  }
}

function createJudge({ gates, policies = [], hold, tools, warn }: ReplayOptions): Judge {
  const ports = createReplayPorts()
  const gatekeeper = createGatekeeper({
    gates: hold === 'allow' ? withoutQuorums(gates) : gates,
    policies,
    ...ports,
    ...(warn !== undefined && { warn }),
    ...(hold === 'allow' && { approver: SAYS_YES }),
    schemaless: tools === undefined ? 'allow' : 'refuse',
    completion: (result) => ((result as RecordedResult).isError ? 'failure' : 'success'),
    reading: (result) => readingOf(result as RecordedResult),
  })
  return { gatekeeper, ports }
}

function readingOf({ text, structured }: RecordedResult): ToolReading {
  return { ...(text !== undefined && { text }), ...(structured !== undefined && { structured }) }
}

async function* replayTurn(known: Live, { trace, calls }: TraceEvent & { readonly kind: 'calls' }, { tools }: ReplayOptions): AsyncGenerator<ReplayEvent> {
  // A call alone in its turn has no siblings; of a turn that is named, a session remembers the marks before it.
  const turn = calls.length > 1 ? { turn: `turn ${(known.turns += 1)}` } : {}
  const outcomes = await Promise.all(calls.map((call) => known.session.call({ ...toolCallOf(call, tools), ...turn }, () => resultOf(call))))
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
  return 'text' in args ? args.text : exactText(args.value)
}
