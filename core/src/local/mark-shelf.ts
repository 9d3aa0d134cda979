import type { Mark, MarkQuery } from '../gates/ledger.ts'

type Name = Pick<Mark, 'gate' | 'key'>

/** The marks of one session in memory, one a gate and key. */
export type MarkShelf = {
  readonly size: number
  find(name: Name): Mark | undefined
  list(queries?: readonly MarkQuery[]): readonly Mark[]
  put(mark: Mark): void
  remove(name: Name): void
}

/** An empty shelf; it keeps copies, so that a mark in two lists is the same object. */
export function createMarkShelf(): MarkShelf {
  const gates = new Map<string, Map<string | undefined, Mark>>()
  let size = 0

  return {
    get size() {
      return size
    },
    find: ({ gate, key }) => gates.get(gate)?.get(key),
    list(queries) {
      if (queries === undefined) return [...gates.values()].flatMap((known) => [...known.values()])
      const found = new Set<Mark>()
      for (const { gate, keys } of queries) {
        const known = gates.get(gate)
        for (const mark of keys?.map((key) => known?.get(key)) ?? known?.values() ?? []) if (mark !== undefined) found.add(mark)
      }
      return [...found]
    },
    put(mark) {
      const known = gates.get(mark.gate) ?? new Map<string | undefined, Mark>()
      if (!known.has(mark.key)) size += 1
      gates.set(mark.gate, known.set(mark.key, { ...mark }))
    },
    remove({ gate, key }) {
      const known = gates.get(gate)
      if (known?.delete(key) !== true) return
      size -= 1
      if (known.size === 0) gates.delete(gate)
    },
  }
}
