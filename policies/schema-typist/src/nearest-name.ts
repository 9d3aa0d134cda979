import { distance } from 'fastest-levenshtein'

const MOST_NAMES = 500
const LONGEST_NAME = 64

/** The known name that a wrong one most likely means: the same but for case and `_-`, or few letters off; else undefined. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST_NAME) return undefined
  const plain = plainName(name)
  let best: { readonly name: string; readonly far: number } | undefined
  for (const candidate of known.slice(0, MOST_NAMES)) {
    if (candidate === name || candidate.length > LONGEST_NAME) continue
    const far = distance(plain, plainName(candidate))
    if (best === undefined || far < best.far) best = { name: candidate, far }
  }
  return best !== undefined && best.far <= Math.floor(Math.max(plain.length, 3) / 3) ? best.name : undefined
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}
