import type { CompiledGates } from '../gates/compile-gates.ts'
import type { MarkView } from '../gates/judge-gates.ts'
import type { Candidate } from '../model/candidate.ts'
import type { DecisionReason } from '../model/reason.ts'
import type { Mark } from '../ports/store.ts'
import type { ToolCall } from './call.ts'

const MAX_TURNS = 256

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
  /** Gates that the tool's own code marked, to count on success. */
  readonly ownMarks: Set<string>
  /** What a yes is bound to of the schema that the call was judged with. */
  readonly schemaKey: string | undefined
}

/** The order of calls and marks in one session, in this process (contract 9: turns, siblings, calls in flight). */
export type CallJournal = {
  enter(call: ToolCall, callId: string, candidate: Candidate | DecisionReason, schemaKey: string | undefined): Ticket
  /** Between `start` and `end` the call is in flight, judged or running: what it may mark counts for conditions. */
  start(ticket: Ticket): void
  end(ticket: Ticket): void
  /** Announces marks about to be written; they count for the calls that come in after the returned function is called. */
  marking(gates: readonly string[]): () => void
  /** A call has ended and nobody knows whether it took effect: what it may have marked counts for conditions from now on. */
  doubt(ticket: Ticket): void
  view(ticket: Ticket, marks: readonly Mark[]): MarkView
  inFlightBeside(ticket: Ticket): ReadonlySet<string>
  isInFlight(ticket: object): boolean
  readonly isIdle: boolean
}

type Turn = { readonly horizon: number; readonly tools: Map<string, number> }

/** Makes an empty journal; it holds at most 256 turns, the oldest forgotten first. */
export function createCallJournal(gates: CompiledGates): CallJournal {
  let tick = 0
  const turnOf = createTurns()
  const markedAt = new Map<string, number>()
  const markedElsewhere = new Set<string>()
  const inFlight = new Set<Ticket>()
  const doubtful = new Set<string>()

  const toolsBeside = (ticket: Ticket): Set<string> => {
    const tools = new Set<string>()
    for (const other of inFlight) if (other !== ticket) tools.add(other.call.tool)
    for (const [tool, count] of ticket.siblings) if (count > 1 || tool !== ticket.call.tool) tools.add(tool)
    return tools
  }

  return {
    enter(call, callId, candidate, schemaKey) {
      tick += 1
      const turn = call.turn === undefined ? undefined : turnOf(call.turn, tick)
      turn?.tools.set(call.tool, (turn.tools.get(call.tool) ?? 0) + 1)
      const horizon = turn?.horizon ?? tick
      return { call, callId, candidate, horizon, siblings: turn?.tools ?? new Map(), ownMarks: new Set(), schemaKey }
    },
    start: (ticket) => void inFlight.add(ticket),
    end: (ticket) => void inFlight.delete(ticket),
    marking(names) {
      const own = names.filter((gate) => !markedElsewhere.has(gate))
      for (const gate of own) if (!markedAt.has(gate)) markedAt.set(gate, Infinity)
      return () => {
        tick += 1
        for (const gate of own) if (markedAt.get(gate) === Infinity) markedAt.set(gate, tick)
      }
    },
    doubt({ call, ownMarks }) {
      for (const gate of [...gates.marksOf(call.tool), ...ownMarks]) if (gates.isCondition(gate)) doubtful.add(gate)
    },
    view(ticket, marks) {
      const stored = new Set(marks.map((mark) => mark.gate))
      for (const gate of stored) if (!markedAt.has(gate)) markedElsewhere.add(gate)
      const beside = toolsBeside(ticket)
      const isMarking = (gate: string): boolean => [...inFlight].some((other) => other !== ticket && other.ownMarks.has(gate))
      // Who marks a gate without a declared marker is not known: it may be any call beside this one.
      const mayBeMarked = (gate: string): boolean => {
        const markers = gates.markersOf(gate)
        return markers.length === 0 ? beside.size > 0 : markers.some((tool) => beside.has(tool))
      }
      return {
        isMarked: (gate) => stored.has(gate) && (markedAt.get(gate) ?? 0) < ticket.horizon,
        isConditionLive: (gate) => stored.has(gate) || doubtful.has(gate) || isMarking(gate) || mayBeMarked(gate),
      }
    },
    inFlightBeside: toolsBeside,
    isInFlight: (ticket) => inFlight.has(ticket as Ticket),
    get isIdle() {
      return inFlight.size === 0
    },
  }
}

/** Finds a turn by its name, or begins it at `horizon`; at most 256 are kept, the oldest forgotten first. */
function createTurns(): (turn: string, horizon: number) => Turn {
  const turns = new Map<string, Turn>()
  return (turn, horizon) => {
    const known = turns.get(turn)
    if (known !== undefined) return known
    const made = { horizon, tools: new Map<string, number>() }
    turns.set(turn, made)
    const [oldest] = turns.keys()
    if (turns.size > MAX_TURNS && oldest !== undefined) turns.delete(oldest)
    return made
  }
}
