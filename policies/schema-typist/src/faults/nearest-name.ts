import { distance } from 'fastest-levenshtein'

const MOST_NAMES = 500
const LONGEST_NAME = 64
// So short a name is near to nearly everything.
const SHORTEST_NEAR = 3

/**
 * The known name that a wrong one most likely means: the same but for case and `_-`, or few letters off; else undefined. A name
 * of one or two letters means another only where nothing but case and `_-` differs.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST_NAME) return undefined
  const plain = plainName(name)
  if (plain === '') return undefined
  let best: { readonly name: string; readonly far: number } | undefined
  for (const candidate of known.slice(0, MOST_NAMES)) {
    if (candidate === name || candidate.length > LONGEST_NAME) continue
    const other = plainName(candidate)
    const far = distance(plain, other)
    if (far > 0 && Math.min(plain.length, other.length) < SHORTEST_NEAR) continue
    if (best === undefined || far < best.far) best = { name: candidate, far }
  }
  return best !== undefined && best.far <= Math.floor(plain.length / 3) ? best.name : undefined
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}
