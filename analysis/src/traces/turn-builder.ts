import type { CallItem, RecordedCall, TraceEvent, TraceItem } from './trace.ts'

/** Puts the calls of a turn together with their results, for one trace. */
export type TurnBuilder = {
  /** The events that the item completes. */
  push(item: TraceItem): readonly TraceEvent[]
  /** What is left, and the end. */
  end(): readonly TraceEvent[]
}

type Waiting = { readonly id: string; readonly call: RecordedCall; readonly isSent: boolean }

const MAX_WAITING = 1_000

/**
 * Makes a builder. A turn is complete when another begins, the trace ends, or the user speaks and all its results are there; what
 * the user says before that comes after the turn, at most 1,000 times. Where turns are not recorded, calls that were in flight together are one. A held call comes when it is settled, or at the end; of calls that
 * wait for that at most 1,000 are kept, and a turn has at most as many where turns are not recorded.
 */
export function createTurnBuilder(trace: string): TurnBuilder {
  const held = new Map<string, CallItem>()
  let waiting: Waiting[] = []
  let said: TraceEvent[] = []
  let turn: string | undefined
  let began: number | undefined

  const flush = (): readonly TraceEvent[] => {
    const calls = waiting.map(({ call }) => call)
    const turnEvents: readonly TraceEvent[] = calls.length === 0 ? [] : [{ kind: 'calls', trace, calls, ...(began !== undefined && { at: began }) }]
    const events = [...turnEvents, ...said]
    waiting = []
    said = []
    turn = undefined
    began = undefined
    return events
  }
  const add = (item: CallItem): readonly TraceEvent[] => {
    const isSibling = said.length === 0 && (item.turn === undefined ? waiting.length < MAX_WAITING && waiting.some(isInFlight) : item.turn === turn)
    const done = isSibling ? [] : flush()
    turn = item.turn
    began ??= item.at
    waiting.push({ id: item.id, call: item.call, isSent: item.phase !== 'refused' })
    return done
  }
  const hold = (item: CallItem): readonly TraceEvent[] => {
    held.set(item.id, item)
    const [oldest] = held
    if (held.size <= MAX_WAITING || oldest === undefined) return []
    held.delete(oldest[0])
    return add({ ...oldest[1], phase: 'refused' })
  }
  return {
    push(item) {
      switch (item.kind) {
        case 'user':
          said.push({ kind: 'user', trace, text: item.text, ...(item.at !== undefined && { at: item.at }) })
          // A result that is still to come must mark.
          return waiting.some(isInFlight) && said.length < MAX_WAITING ? [] : flush()
        case 'call':
          if (item.phase === 'held') return hold(item)
          held.delete(item.id)
          return add(item)
        case 'result': {
          const at = waiting.findIndex(({ id, call }) => id === item.id && call.result === undefined)
          const found = waiting[at]
          if (found !== undefined) waiting[at] = { ...found, call: { ...found.call, result: item.result } }
          return said.length > 0 && !waiting.some(isInFlight) ? flush() : []
        }
      }
    },
    end: () => [...flush(), ...[...held.values()].flatMap((item) => add({ ...item, phase: 'refused' })), ...flush(), { kind: 'end', trace }],
  }
}

function isInFlight({ isSent, call }: Waiting): boolean {
  return isSent && call.result === undefined
}
