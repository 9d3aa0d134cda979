import type { Mark, MarkClear } from '../gates/ledger.ts'

/** Which marks of the store count for a call that came in at some tick (contract 9: turns, calls in flight). */
export type MarkHistory = {
  /** Marks about to be written count for nobody; `deliver` takes what they replaced, and from then on they count for later calls. */
  marking(marks: readonly Mark[]): { deliver(replaced: readonly Mark[], tick: number): void }
  /** The mark as a call with this horizon sees it: itself, the one that stood before it, or none. */
  seen(mark: Mark, horizon: number): Mark | undefined
  /** A call has cleared marks: what is marked anew is not what stood before. */
  clear(clears: readonly MarkClear[], tick: number): void
  /** Forgets what no call from `horizon` on can tell from marks that always stood. */
  prune(horizon: number): void
}

/** A mark that another replaced: it stood for calls whose horizon lies after `from` and not after `until`. */
type Version = { readonly mark: Mark; readonly from: number; readonly until: number }

/** By a mark's id: since when it counts, what it replaced, and whether it was cleared and not marked since. */
type Past = { readonly ticks: Map<string, number>; readonly versions: Map<string, readonly Version[]>; readonly cleared: Set<string> }

const MANY = 20_000

/** Makes an empty history. */
export function createMarkHistory(): MarkHistory {
  const past: Past = { ticks: new Map(), versions: new Map(), cleared: new Set() }
  return {
    marking: (marks) => announce(past, new Map(marks.map((mark) => [idOf(mark), mark]))),
    seen(mark, horizon) {
      const id = idOf(mark)
      if ((past.ticks.get(id) ?? 0) < horizon) return mark
      return past.versions.get(id)?.find(({ from, until }) => from < horizon && horizon <= until)?.mark
    },
    clear(clears, tick) {
      for (const one of clears) forget(past, one, tick)
    },
    prune: (horizon) => prune(past, horizon),
  }
}

function announce(past: Past, made: ReadonlyMap<string, Mark>): ReturnType<MarkHistory['marking']> {
  const { ticks, versions, cleared } = past
  const before = new Map([...made.keys()].map((id) => [id, ticks.get(id)]))
  for (const [id, mark] of made) {
    if (!isPlain(mark) || !ticks.has(id) || cleared.has(id)) ticks.set(id, Infinity)
    cleared.delete(id)
  }
  return {
    deliver(replaced, tick) {
      const stood = new Map(replaced.map((mark) => [idOf(mark), mark]))
      for (const [id, mark] of made) {
        const old = stood.get(id)
        const isNew = old === undefined || !isAlive(old, mark.at) || cleared.has(id)
        if (isNew || ticks.get(id) === Infinity) ticks.set(id, tick)
        if (isNew) continue
        const from = before.get(id) ?? 0
        // A mark that says nothing but that it is there is the one that stood before.
        if (isPlain(old) && isPlain(mark)) ticks.set(id, from === Infinity ? tick : from)
        // Nobody counts any more how many calls a replaced mark would still serve, so it serves none.
        else if (old.uses === undefined) versions.set(id, [...(versions.get(id) ?? []), { mark: old, from, until: tick }])
      }
    },
  }
}

function forget({ ticks, versions, cleared }: Past, { gate, keys }: MarkClear, tick: number): void {
  const ids = keys?.map((key) => idOf({ gate, key })) ?? [...ticks.keys()].filter((id) => id.startsWith(prefixOf(gate)))
  for (const id of ids) {
    versions.delete(id)
    const known = ticks.get(id)
    if (known === undefined) continue
    cleared.add(id)
    // One that is being written keeps waiting for its delivery.
    if (known !== Infinity) ticks.set(id, tick)
  }
}

function prune({ ticks, versions, cleared }: Past, horizon: number): void {
  if (ticks.size + versions.size < MANY) return
  for (const [id, tick] of ticks) if (tick < horizon) ticks.delete(id)
  for (const id of cleared) if (!ticks.has(id)) cleared.delete(id)
  for (const [id, known] of versions) {
    const left = known.filter(({ until }) => until >= horizon)
    if (left.length === 0) versions.delete(id)
    else versions.set(id, left)
  }
}

/** True where a mark still counts at a time: neither expired nor used up. */
export function isAlive({ expiresAt, uses }: Mark, at: number): boolean {
  return (expiresAt === undefined || at < expiresAt) && (uses === undefined || uses > 0)
}

function isPlain({ fact, expiresAt, uses }: Mark): boolean {
  return fact === undefined && expiresAt === undefined && uses === undefined
}

function idOf({ gate, key }: Pick<Mark, 'gate' | 'key'>): string {
  return JSON.stringify([gate, key])
}

/** What the ids of all marks of a gate begin with. */
function prefixOf(gate: string): string {
  return `[${JSON.stringify(gate)},`
}
