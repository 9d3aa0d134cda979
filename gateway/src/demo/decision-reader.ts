import { setTimeout } from 'node:timers/promises'
import type { Entry, JsonValue, Store } from '@callgate/core'

const POLL_MS = 25
const WAIT_MS = 5_000
const PAGE = 1_000

/** What the record says of one call; `repaired` ran with repaired arguments. */
export type DemoCall = {
  readonly tool: string
  readonly verdict: 'ran' | 'refused' | 'held' | 'repaired'
  readonly rule?: string
  readonly args: JsonValue
  readonly hold?: string
}

/** Reads the decisions of a record as they are written. */
export type DecisionReader = {
  /** The decisions since the last time; waits for at least one, at most 5 s, and then yields none. */
  next(): Promise<readonly DemoCall[]>
}

/** Makes a reader that begins at the record's first entry. */
export function createDecisionReader(record: Pick<Store['record'], 'read'>): DecisionReader {
  let after = 0
  return {
    async next() {
      for (let waited = 0; waited <= WAIT_MS; waited += POLL_MS) {
        const entries = await record.read(after, PAGE)
        after = entries.at(-1)?.seq ?? after
        const calls = entries.filter(({ kind }) => kind === 'decision').map(callOf)
        if (calls.length > 0) return calls
        await setTimeout(POLL_MS)
      }
      return []
    },
  }
}

function callOf({ data }: Entry): DemoCall {
  const { tool, rule, hold, args } = data
  return {
    tool: typeof tool === 'string' ? tool : '',
    verdict: verdictOf(data),
    ...(typeof rule === 'string' && { rule }),
    args: args ?? null,
    ...(typeof hold === 'string' && { hold }),
  }
}

function verdictOf({ verdict, repaired }: Entry['data']): DemoCall['verdict'] {
  if (verdict === 'run') return repaired === true ? 'repaired' : 'ran'
  return verdict === 'hold' ? 'held' : 'refused'
}
