import { distance } from 'fastest-levenshtein'

const MAX_NAME = 200
const MAX_COMPARISONS = 200_000

/** Finds the name that was most likely meant; undefined where none is near, or too many have been looked for. */
export type NearestName = (name: string) => string | undefined

/** Makes the search over `names`: letter case is not counted, 200 letters are looked at, 200,000 comparisons are made in all. */
export function createNearestName(names: Iterable<string>): NearestName {
  const candidates = [...names].map((name) => ({ name, bare: bareOf(name) }))
  let left = MAX_COMPARISONS
  return (name) => {
    if (left < candidates.length) return undefined
    left -= candidates.length
    const bare = bareOf(name)
    let best: string | undefined
    let least = Math.max(2, Math.floor(bare.length / 3)) + 1
    for (const candidate of candidates) {
      // A server's name before the tool's own is the most common slip.
      if (isTailOf(candidate.bare, bare)) return candidate.name
      if (Math.abs(candidate.bare.length - bare.length) >= least) continue
      const far = distance(bare, candidate.bare)
      if (far < least) [best, least] = [candidate.name, far]
    }
    return best
  }
}

function bareOf(name: string): string {
  return name.slice(0, MAX_NAME).toLowerCase()
}

/** True where one name is the other after something that ends in a sign. */
function isTailOf(tail: string, whole: string): boolean {
  return tail !== '' && whole.length > tail.length && whole.endsWith(tail) && /[^a-z0-9]$/u.test(whole.slice(0, whole.length - tail.length))
}
