const MAX_LENGTH = 128
const MAX_NAMES = 3

/** The listed names nearest to `name`, nearest first, at most three; names further away than half their length are left out. */
export function nearestNames(name: string, listed: Iterable<string>): readonly string[] {
  if (name.length > MAX_LENGTH) return []
  const near: { readonly name: string; readonly distance: number }[] = []
  for (const other of listed) {
    if (other.length > MAX_LENGTH) continue
    const distance = editDistance(name.toLowerCase(), other.toLowerCase())
    if (distance * 2 <= Math.max(name.length, other.length)) near.push({ name: other, distance })
  }
  return near
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MAX_NAMES)
    .map((one) => one.name)
}

/** Levenshtein's distance in UTF-16 code units. */
function editDistance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const change = (above[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1)
      line.push(Math.min(change, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1))
    }
    above = line
  }
  return above[to.length] ?? 0
}
