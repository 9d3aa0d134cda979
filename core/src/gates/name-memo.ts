/** How many names that the rules do not spell out are remembered; the oldest is forgotten first. */
export const MOST_STRANGERS = 10_000

/** What `build` made of each name, built once: for ever where `isKnown`, else while the name is one of the last 10,000 new ones. */
export type NameMemo<Value> = { get(name: string): Value | undefined; set(name: string, value: Value): Value }

/** An empty memo; a model that makes up names must neither fill the memory nor push out the names of the rules. */
export function createNameMemo<Value>(isKnown: (name: string) => boolean, mostStrangers: number = MOST_STRANGERS): NameMemo<Value> {
  const known = new Map<string, Value>()
  const strangers = new Map<string, Value>()
  return {
    get: (name) => known.get(name) ?? strangers.get(name),
    set(name, value) {
      if (isKnown(name)) known.set(name, value)
      else {
        if (strangers.size >= mostStrangers && !strangers.has(name)) strangers.delete(strangers.keys().next().value as string)
        strangers.set(name, value)
      }
      return value
    },
  }
}
