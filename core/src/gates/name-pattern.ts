/** True for a name in which `*` stands for any text. */
export function isPattern(name: string): boolean {
  return name.includes('*')
}

/**
 * Tells whether a tool's name is the one that `pattern` names (gates-file): `*` is any text, also none, everything else itself;
 * the whole name counts, and its case. The work is bounded by the two lengths multiplied.
 */
export function createNameMatcher(pattern: string): (name: string) => boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return (name) => name === pattern
  return (name) => {
    if (!name.startsWith(first)) return false
    let at = first.length
    for (const part of rest) {
      const found = name.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return name.length - last.length >= at && name.endsWith(last)
  }
}
