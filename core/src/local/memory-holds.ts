import { CallgateError } from '../model/callgate-error.ts'
import type { Hold } from '../holds/hold.ts'
import { openHold } from '../holds/open-hold.ts'
import { isTerminal, transitionHold } from '../holds/transition-hold.ts'
import type { HoldStore } from '../ports/store.ts'
import type { MemoryMarks } from './memory-marks.ts'
import type { MemoryRecord } from './memory-record.ts'

/** What holds share with the rest of their store. */
export type MemoryHoldsPorts = { assertOpen(): void; readonly record: MemoryRecord } & Pick<MemoryMarks, 'prepareClaim'>

/** Holds in memory, in the order in which they were opened; of those that ended, the oldest beyond `maxEnded` are dropped. */
export function createMemoryHolds({ assertOpen, record, prepareClaim }: MemoryHoldsPorts, maxEnded: number): HoldStore {
  const holds = new Map<string, Hold>()
  const latest = new Map<string, string>()
  let ended = 0

  const put = (hold: Hold): void => {
    const before = holds.get(hold.id)
    holds.set(hold.id, hold)
    if (isTerminal(hold.status) && (before === undefined || !isTerminal(before.status))) ended += 1
    if (ended > maxEnded * 1.1) dropEnded()
  }
  const dropEnded = (): void => {
    for (const [id, hold] of holds) {
      if (ended <= maxEnded) return
      if (!isTerminal(hold.status)) continue
      holds.delete(id)
      if (latest.get(hold.binding) === id) latest.delete(hold.binding)
      ended -= 1
    }
  }

  return {
    async open(draft, entries) {
      assertOpen()
      const before = holds.get(latest.get(draft.binding) ?? '')
      const found = openHold(before, draft, draft.id)
      if (found.kind === 'opened' && holds.has(draft.id)) throw reusedId(draft.id)
      const commit = record.prepare(found.hold === before ? [] : entries(found))
      put(found.hold)
      if (found.kind === 'opened') latest.set(draft.binding, draft.id)
      commit()
      return found
    },
    async apply(id, event, entries = [], take) {
      assertOpen()
      const hold = holds.get(id)
      if (hold === undefined) throw unknownHold(id)
      const transition = transitionHold(hold, event)
      if (transition.hold === hold) return transition
      const taken = take === undefined ? undefined : prepareClaim(take)
      if (taken?.kind === 'short') return { kind: 'refused', hold, why: 'what the call needs is not there any more', short: taken }
      const commit = record.prepare(entries)
      taken?.write()
      put(transition.hold)
      commit()
      return transition
    },
    async get(id) {
      assertOpen()
      return holds.get(id)
    },
    async list({ statuses, after, limit }) {
      assertOpen()
      if (after !== undefined && !holds.has(after)) throw unknownHold(after)
      const newestFirst = [...holds.values()].reverse()
      const from = after === undefined ? 0 : newestFirst.findIndex((hold) => hold.id === after) + 1
      const wanted = newestFirst.slice(from).filter((hold) => statuses === undefined || statuses.includes(hold.status))
      return wanted.slice(0, Math.max(0, limit))
    },
  }
}

function unknownHold(id: string): CallgateError {
  return new CallgateError('unknown_hold', `There is no hold ${JSON.stringify(id)}. Look at the list of holds for its id.`)
}

function reusedId(id: string): CallgateError {
  return new CallgateError('store_invalid', `The hold id ${JSON.stringify(id)} was given out before. Ids must be random.`)
}
