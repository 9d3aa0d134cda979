import type { Mark } from '../gates/ledger.ts'

/** Which marks of the store count for a call that came in at some tick (contract 9: turns, calls in flight). */
export type MarkHistory = {
  /** Marks about to be written count for nobody; `deliver` takes what they replaced, and from then on they count for later calls. */
  marking(marks: readonly Mark[]): { deliver(replaced: readonly Mark[], tick: number): void }
  /** The mark as a call with this horizon sees it: itself, the one that stood before it, or none. */
  seen(mark: Mark, horizon: number): Mark | undefined
  /** Forgets what no call from `horizon` on can tell from marks that always stood. */
  prune(horizon: number): void
}

/** A mark that another replaced: it stood for calls whose horizon lies after `from` and not after `until`. */
type Version = { readonly mark: Mark; readonly from: number; readonly until: number }

const MANY = 20_000

/** Makes an empty history. */
export function createMarkHistory(): MarkHistory {
  const ticks = new Map<string, number>()
  const versions = new Map<string, readonly Version[]>()

  return {
    marking(marks) {
      const before = new Map(marks.map((mark) => [idOf(mark), ticks.get(idOf(mark))]))
      for (const mark of marks) if (!isPlain(mark) || !ticks.has(idOf(mark))) ticks.set(idOf(mark), Infinity)
      return {
        deliver(replaced, tick) {
          for (const mark of marks) if (ticks.get(idOf(mark)) === Infinity) ticks.set(idOf(mark), tick)
          const made = new Map(marks.map((mark) => [idOf(mark), mark]))
          for (const old of replaced) {
            const id = idOf(old)
            const mark = made.get(id)
            if (mark === undefined || !isAlive(old, mark.at)) continue
            const from = before.get(id) ?? 0
            // A mark that says nothing but that it is there is the one that stood before.
            if (isPlain(old) && isPlain(mark)) ticks.set(id, from === Infinity ? tick : from)
            else versions.set(id, [...(versions.get(id) ?? []), { mark: old, from, until: tick }])
          }
        },
      }
    },
    seen(mark, horizon) {
      const id = idOf(mark)
      if ((ticks.get(id) ?? 0) < horizon) return mark
      return versions.get(id)?.find(({ from, until }) => from < horizon && horizon <= until)?.mark
    },
    prune(horizon) {
      if (ticks.size + versions.size < MANY) return
      for (const [id, tick] of ticks) if (tick < horizon) ticks.delete(id)
      for (const [id, known] of versions) {
        const left = known.filter(({ until }) => until >= horizon)
        if (left.length === 0) versions.delete(id)
        else versions.set(id, left)
      }
    },
  }
}

/** True where a mark still counts at a time: neither expired nor used up. */
export function isAlive({ expiresAt, uses }: Mark, at: number): boolean {
  return (expiresAt === undefined || at < expiresAt) && (uses === undefined || uses > 0)
}

function isPlain({ fact, expiresAt, uses }: Mark): boolean {
  return fact === undefined && expiresAt === undefined && uses === undefined
}

function idOf({ gate, key }: Mark): string {
  return JSON.stringify([gate, key])
}
