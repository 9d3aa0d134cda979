import { createNameMatcher, isPattern } from '@callgate/core'

const MAX_LOOSE = 1_000

/** Names and patterns added so far, and which of them was the first to be about a name, or about all that a pattern is about. */
export type NameCover = {
  add(name: string, at: number): void
  /** The least `at` of those that cover the name; undefined where none does. */
  firstOf(name: string): number | undefined
}

type Pattern = { readonly at: number; matches(name: string): boolean }

/**
 * Makes an empty cover. Patterns are found by how they begin, or else end; of those that do neither the first 1,000 count. A
 * pattern covers another where it matches its text: the other's `*` can only stand where it has one itself.
 */
export function createNameCover(): NameCover {
  const exact = new Map<string, number>()
  const byStart = createBuckets()
  const byEnd = createBuckets()
  const loose: Pattern[] = []
  return {
    add(name, at) {
      if (!exact.has(name)) exact.set(name, at)
      if (!isPattern(name)) return
      const pattern = { at, matches: createNameMatcher(name) }
      const start = name.slice(0, name.indexOf('*'))
      const end = name.slice(name.lastIndexOf('*') + 1)
      if (start !== '') byStart.add(start, pattern)
      else if (end !== '') byEnd.add(end, pattern)
      else if (loose.length < MAX_LOOSE) loose.push(pattern)
    },
    firstOf(name) {
      let first = exact.get(name)
      const visit = ({ at, matches }: Pattern): void => {
        if ((first === undefined || at < first) && matches(name)) first = at
      }
      byStart.visit((length) => name.slice(0, length), name.length, visit)
      byEnd.visit((length) => name.slice(-length), name.length, visit)
      for (const pattern of loose) visit(pattern)
      return first
    },
  }
}

type Buckets = {
  add(key: string, pattern: Pattern): void
  visit(keyOf: (length: number) => string, most: number, visit: (pattern: Pattern) => void): void
}

function createBuckets(): Buckets {
  const buckets = new Map<string, Pattern[]>()
  const lengths = new Set<number>()
  return {
    add(key, pattern) {
      lengths.add(key.length)
      const bucket = buckets.get(key)
      if (bucket === undefined) buckets.set(key, [pattern])
      else bucket.push(pattern)
    },
    visit(keyOf, most, visit) {
      for (const length of lengths) if (length <= most) for (const pattern of buckets.get(keyOf(length)) ?? []) visit(pattern)
    },
  }
}
