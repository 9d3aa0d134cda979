import { createNameMatcher, isPattern } from '@callgate/core'

const MAX_REMEMBERED = 1_000_000

/** Finds those of some names that a name or pattern is about, sorted. */
export type NameFinder = (pattern: string) => readonly string[]

/** Sorts the names once: only those that begin as the pattern does are looked at. What was found is remembered, up to a million names. */
export function createNameFinder(names: Iterable<string>): NameFinder {
  const sorted = [...new Set(names)].sort()
  const known = new Set(sorted)
  const found = new Map<string, readonly string[]>()
  let remembered = 0
  return (pattern) => {
    if (!isPattern(pattern)) return known.has(pattern) ? [pattern] : []
    const before = found.get(pattern)
    if (before !== undefined) return before
    const matches = createNameMatcher(pattern)
    const start = pattern.slice(0, pattern.indexOf('*'))
    const matched: string[] = []
    for (let at = placeOf(start, sorted); sorted[at]?.startsWith(start) === true; at += 1) {
      const name = sorted[at]
      if (name !== undefined && matches(name)) matched.push(name)
    }
    remembered += matched.length + 1
    if (remembered <= MAX_REMEMBERED) found.set(pattern, matched)
    return matched
  }
}

/** Where in the sorted names the first stands that is not before `start`. */
function placeOf(start: string, sorted: readonly string[]): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? '') < start) low = middle + 1
    else high = middle
  }
  return low
}
