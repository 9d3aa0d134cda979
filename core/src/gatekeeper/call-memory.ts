import type { Outcome } from './call.ts'

const MAX_REMEMBERED = 256

/** The outcomes of calls that carry an id, so that re-entry is harmless: at most 256, the oldest forgotten first. */
export type CallMemory = {
  /** Settles a call once a key; a held one is settled anew, since a person may have answered by now. */
  once<T>(key: string | undefined, settle: () => Promise<Outcome<T>>): Promise<Outcome<T>>
}

/** Makes an empty memory. */
export function createCallMemory(): CallMemory {
  const outcomes = new Map<string, Promise<Outcome<unknown>>>()
  return {
    once<T>(key: string | undefined, settle: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
      if (key === undefined) return settle()
      const known = outcomes.get(key) as Promise<Outcome<T>> | undefined
      if (known !== undefined) return known
      const settled = settle()
      outcomes.set(key, settled)
      const [oldest] = outcomes.keys()
      if (outcomes.size > MAX_REMEMBERED && oldest !== undefined) outcomes.delete(oldest)
      const forget = (): void => {
        if (outcomes.get(key) === settled) outcomes.delete(key)
      }
      settled.then((outcome) => (outcome.verdict === 'held' ? forget() : undefined), () => undefined)
      return settled
    },
  }
}
