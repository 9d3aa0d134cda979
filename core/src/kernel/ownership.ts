import { formatPointer, parsePointer } from '../model/pointer.ts'

/** JSON Pointers, in one spelling, of the subtrees that a policy may change. */
export type OwnedPointers = ReadonlySet<string>

/** Two policies, by their place, and a pointer that both own. */
export type OwnershipConflict = { readonly first: number; readonly second: number; readonly pointer: string }

/** The most fields one policy may own. */
export const MOST_OWNED = 10_000

/** Reads a list of field names and JSON Pointers (contract 5.4); undefined for anything else, the empty name included. */
export function parseOwned(entries: unknown): OwnedPointers | undefined {
  if (!Array.isArray(entries)) return undefined
  const { length } = entries
  if (length > MOST_OWNED) return undefined
  const owned = new Set<string>()
  for (let at = 0; at < length; at += 1) {
    const tokens = tokensOf(entries[at])
    if (tokens === undefined) return undefined
    owned.add(formatPointer(tokens))
  }
  return owned
}

/** `parseOwned`, which remembers the last frozen list: what a policy answers again and again is read once. */
export function createOwnedReader(): (entries: unknown) => OwnedPointers | undefined {
  let last: { readonly entries: unknown; readonly owned: OwnedPointers | undefined } | undefined
  return (entries) => {
    if (last !== undefined && last.entries === entries) return last.owned
    const owned = parseOwned(entries)
    if (Object.isFrozen(entries)) last = { entries, owned }
    return owned
  }
}

/** True where the pointer, or a subtree that it lies in, is owned. */
export function isOwned(owned: OwnedPointers, pointer: string): boolean {
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) if (owned.has(pointer.slice(0, end))) return true
  return false
}

/** The first field that two of the owners share, one inside the other included, or undefined. */
export function findConflict(owners: readonly OwnedPointers[]): OwnershipConflict | undefined {
  const ownerOf = new Map<string, number>()
  for (const [owner, owned] of owners.entries()) {
    for (const pointer of owned) {
      const other = ownerOf.get(pointer)
      if (other !== undefined) return { first: other, second: owner, pointer }
      ownerOf.set(pointer, owner)
    }
  }
  for (const [pointer, owner] of ownerOf) {
    for (const prefix of prefixesOf(pointer)) {
      const other = ownerOf.get(prefix) ?? owner
      if (other !== owner) return { first: Math.min(other, owner), second: Math.max(other, owner), pointer }
    }
  }
  return undefined
}

function tokensOf(entry: unknown): readonly string[] | undefined {
  if (typeof entry !== 'string' || entry === '') return undefined
  return entry.startsWith('/') ? parsePointer(entry) : [entry]
}

/** The pointer itself and each that leads to it, but not the empty one. */
function prefixesOf(pointer: string): readonly string[] {
  const prefixes: string[] = []
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) prefixes.push(pointer.slice(0, end))
  return prefixes
}
