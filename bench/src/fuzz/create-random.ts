/** Chances that a seed decides. */
export type RandomSource = {
  /** A whole number from 0 to `most` - 1. */
  below(most: number): number
  chance(share: number): boolean
  pick<T>(from: readonly [T, ...T[]]): T
  /** What the pick says, from 0 to `most` times. */
  several<T>(most: number, make: () => T): T[]
}

/** Makes chances from a seed (Mulberry32): the same seed gives the same run everywhere. */
export function createRandom(seed: number): RandomSource {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number): number => Math.floor(next() * most)
  return {
    below,
    chance: (share) => next() < share,
    pick: (from) => from[below(from.length)] ?? from[0],
    several: (most, make) => Array.from({ length: below(most + 1) }, make),
  }
}
