import type { CompiledGates } from '../gates/compile-gates.ts'
import type { MarkDetail } from '../gates/host-marks.ts'
import type { MarkView } from '../gates/judge-gates.ts'
import type { MarkViews } from '../gates/judge-views.ts'
import type { Mark, MarkClear } from '../gates/ledger.ts'
import type { Candidate } from '../model/candidate.ts'
import type { DecisionReason } from '../model/reason.ts'
import type { ToolCall } from './call.ts'
import { createMarkHistory, isAlive } from './journal-marks.ts'

const MAX_TURNS = 256
const MAX_FAILED = 256

/** A call that has come in: what it is, copied, and which marks count for it. */
export type Ticket = {
  readonly call: ToolCall
  readonly callId: string
  /** The complete arguments, or why they are not exact. */
  readonly candidate: Candidate | DecisionReason
  /** Marks that this process delivered at or after this tick do not count. */
  readonly horizon: number
  /** How many calls its turn holds so far, by tool, itself among them; empty where no turn was named. */
  readonly siblings: ReadonlyMap<string, number>
  /** What the tool's own code marked, to count on success. */
  readonly ownMarks: OwnMark[]
  /** What a yes is bound to of the schema that the call was judged with. */
  readonly schemaKey: string | undefined
}

/** A gate that the tool's own code marks, with its keys and facts. */
export type OwnMark = { readonly gate: string; readonly detail: MarkDetail }

/** The order of calls and marks in one session, in this process (contract 9: turns, siblings, calls in flight). */
export type CallJournal = {
  enter(call: ToolCall, callId: string, candidate: Candidate | DecisionReason, schemaKey: string | undefined): Ticket
  /** Between `start` and `end` the call is in flight, judged or running: what it may mark counts for conditions. */
  start(ticket: Ticket): void
  end(ticket: Ticket): void
  /** Announces marks about to be written; they count for the calls that come in after `deliver`, which takes what they replaced. */
  marking(marks: readonly Mark[]): (replaced: readonly Mark[]) => void
  /** A call has ended and nobody knows whether it took effect: what it may have marked counts for conditions from now on. */
  doubt(ticket: Ticket): void
  /** Takes note of whether the last try of a tool succeeded. */
  tried(tool: string, isSuccess: boolean): void
  hasFailed(tool: string): boolean
  /** A call has cleared these: what is marked anew counts for the calls that come in after that. */
  cleared(clears: readonly MarkClear[]): void
  /** The marks that count for the call at this time, of those that were read for it: as it came in, and as they are now. */
  views(ticket: Ticket, marks: readonly Mark[], at: number): MarkViews
  inFlightBeside(ticket: Ticket): ReadonlySet<string>
  isInFlight(ticket: object): boolean
  readonly isIdle: boolean
}

type Turn = { readonly horizon: number; readonly tools: Map<string, number> }

/** Makes an empty journal; it holds at most 256 turns, the oldest forgotten first. */
export function createCallJournal(gates: CompiledGates): CallJournal {
  let tick = 0
  const turns = createTurns()
  const history = createMarkHistory()
  const inFlight = new Set<Ticket>()
  const doubtful = new Set<string>()
  const tries = createTries()

  const toolsBeside = (ticket: Ticket): Set<string> => {
    const tools = new Set<string>()
    for (const other of inFlight) if (other !== ticket) tools.add(other.call.tool)
    for (const [tool, count] of ticket.siblings) if (count > 1 || tool !== ticket.call.tool) tools.add(tool)
    return tools
  }
  const oldestHorizon = (): number => Math.min(tick + 1, turns.oldestHorizon(), ...[...inFlight].map(({ horizon }) => horizon))

  return {
    enter(call, callId, candidate, schemaKey) {
      tick += 1
      const turn = call.turn === undefined ? undefined : turns.at(call.turn, tick)
      turn?.tools.set(call.tool, (turn.tools.get(call.tool) ?? 0) + 1)
      const horizon = turn?.horizon ?? tick
      return { call, callId, candidate, horizon, siblings: turn?.tools ?? new Map(), ownMarks: [], schemaKey }
    },
    start: (ticket) => void inFlight.add(ticket),
    end: (ticket) => void inFlight.delete(ticket),
    marking(marks) {
      const { deliver } = history.marking(marks)
      return (replaced) => {
        tick += 1
        deliver(replaced, tick)
        history.prune(oldestHorizon())
      }
    },
    doubt({ call, ownMarks }) {
      for (const gate of [...gates.gatesMarkedBy(call.tool), ...ownMarks.map((own) => own.gate)]) if (gates.isCondition(gate)) doubtful.add(gate)
    },
    tried: tries.tried,
    hasFailed: tries.hasFailed,
    cleared(clears) {
      if (clears.length === 0) return
      tick += 1
      history.clear(clears, tick)
    },
    views(ticket, marks, at) {
      const beside = toolsBeside(ticket)
      const stored = new Set(marks.map(({ gate }) => gate))
      const isDoubtful = (gate: string): boolean =>
        doubtful.has(gate) || mayBeMarked(gates, gate, beside) || [...inFlight].some((other) => other !== ticket && other.ownMarks.some((own) => own.gate === gate))
      const counted = countedOf(marks, (mark) => history.seen(mark, ticket.horizon), at)
      const view = (seen: readonly Mark[]): MarkView => viewOf({ marks: seen, stored, isDoubtful })
      return { before: view(counted.before), ...(counted.now !== undefined && { now: view(counted.now) }) }
    },
    inFlightBeside: toolsBeside,
    isInFlight: (ticket) => inFlight.has(ticket as Ticket),
    get isIdle() {
      return inFlight.size === 0
    },
  }
}

/** The live marks that count, as they stood for the call and, where one of those was made anew since, as they are now. */
function countedOf(marks: readonly Mark[], seenOf: (mark: Mark) => Mark | undefined, at: number): { readonly before: readonly Mark[]; readonly now?: readonly Mark[] } {
  const before: Mark[] = []
  const now: Mark[] = []
  let isChanged = false
  for (const mark of marks) {
    const seen = seenOf(mark)
    if (seen === undefined || !isAlive(seen, at)) continue
    before.push(seen)
    if (seen !== mark) isChanged = true
    if (isAlive(mark, at)) now.push(mark)
  }
  return isChanged ? { before, now } : { before }
}

type Seen = { readonly marks: readonly Mark[]; readonly stored: ReadonlySet<string>; isDoubtful(gate: string): boolean }

function viewOf({ marks, stored, isDoubtful }: Seen): MarkView {
  const byGate = new Map<string, Mark[]>()
  for (const mark of marks.toSorted((a, b) => a.at - b.at || ((a.key ?? '') < (b.key ?? '') ? -1 : 1))) {
    const known = byGate.get(mark.gate)
    if (known === undefined) byGate.set(mark.gate, [mark])
    else known.push(mark)
  }
  return {
    marksOf: (gate, key) => (key === undefined ? (byGate.get(gate) ?? []) : (byGate.get(gate) ?? []).filter((mark) => mark.key === key)),
    isConditionLive: (gate) => stored.has(gate) || isDoubtful(gate),
  }
}

/** Who marks a gate without a declared marker is not known: it may be any call beside this one. */
function mayBeMarked(gates: CompiledGates, gate: string, beside: ReadonlySet<string>): boolean {
  if (gates.markersOf(gate).length > 0) return [...beside].some((tool) => gates.mayMark(gate, tool))
  return beside.size > 0 && (gates.isExternal(gate) || !gates.isMarkedByUser(gate))
}

/** Remembers which tools failed when they were last tried; at most 256, the oldest forgotten first. */
function createTries(): Pick<CallJournal, 'tried' | 'hasFailed'> {
  const failed = new Set<string>()
  return {
    tried(tool, isSuccess) {
      failed.delete(tool)
      if (isSuccess) return
      const [oldest] = failed
      if (failed.size >= MAX_FAILED && oldest !== undefined) failed.delete(oldest)
      failed.add(tool)
    },
    hasFailed: (tool) => failed.has(tool),
  }
}

/** Finds a turn by its name, or begins it at `horizon`; at most 256 are kept, the oldest forgotten first. */
function createTurns(): { at(turn: string, horizon: number): Turn; oldestHorizon(): number } {
  const turns = new Map<string, Turn>()
  return {
    at(turn, horizon) {
      const known = turns.get(turn)
      if (known !== undefined) return known
      const made = { horizon, tools: new Map<string, number>() }
      turns.set(turn, made)
      const [oldest] = turns.keys()
      if (turns.size > MAX_TURNS && oldest !== undefined) turns.delete(oldest)
      return made
    },
    oldestHorizon: () => turns.values().next().value?.horizon ?? Infinity,
  }
}
