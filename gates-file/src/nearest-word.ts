import { distance } from 'fastest-levenshtein'

// Longer words are no typing errors of any word of the format, and the distance costs the product of the lengths.
const LONGEST = 64

/** The one of `words` that `word` was probably meant to be, or undefined; a third of its letters may differ, and the case. */
export function nearestWord(word: string, words: Iterable<string>): string | undefined {
  if (word.length > LONGEST) return undefined
  let nearest: string | undefined
  let least = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of words) {
    if (Math.abs(word.length - candidate.length) >= least) continue
    const far = farApart(word.toLowerCase(), candidate.toLowerCase())
    if (far < least) [nearest, least] = [candidate, far]
  }
  return nearest
}

// The same letters in another order are one slip, however many letters it moved.
function farApart(word: string, candidate: string): number {
  const far = distance(word, candidate)
  return far > 1 && word.length === candidate.length && lettersOf(word) === lettersOf(candidate) ? 1 : far
}

function lettersOf(word: string): string {
  return word.split('').toSorted().join('')
}
