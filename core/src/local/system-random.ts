import type { Random } from '../ports/random.ts'

/** The system's randomness: version 4 UUIDs, 122 random bits each. */
export function systemRandom(): Random {
  return { id: () => globalThis.crypto.randomUUID() }
}
