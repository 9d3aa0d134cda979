import type { RecordedCall, TraceEvent, TraceItem } from './trace.ts'

/** Puts the calls of a turn together with their results, for one trace. */
export type TurnBuilder = {
  /** The events that the item completes. */
  push(item: TraceItem): readonly TraceEvent[]
  /** What is left, and the end. */
  end(): readonly TraceEvent[]
}

type Waiting = { readonly id: string; readonly call: RecordedCall }

/** Makes a builder. A turn is complete when the user speaks, another turn begins, or the trace ends. */
export function createTurnBuilder(trace: string): TurnBuilder {
  let waiting: Waiting[] = []
  let turn: string | undefined

  const flush = (): readonly TraceEvent[] => {
    const calls = waiting.map(({ call }) => call)
    waiting = []
    turn = undefined
    return calls.length === 0 ? [] : [{ kind: 'calls', trace, calls }]
  }
  return {
    push(item) {
      switch (item.kind) {
        case 'user':
          return [...flush(), { kind: 'user', trace, text: item.text }]
        case 'call': {
          const done = item.turn === turn ? [] : flush()
          turn = item.turn
          waiting.push({ id: item.id, call: item.call })
          return done
        }
        case 'result': {
          const at = waiting.findIndex(({ id, call }) => id === item.id && call.result === undefined)
          const found = waiting[at]
          if (found !== undefined) waiting[at] = { id: found.id, call: { ...found.call, result: item.result } }
          return []
        }
      }
    },
    end: () => [...flush(), { kind: 'end', trace }],
  }
}
