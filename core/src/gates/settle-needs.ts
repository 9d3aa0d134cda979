import type { Claim, Mark, MarkNeed } from './ledger.ts'

/** The marks that serve a claim's needs, each once however many needs it serves; or the first need that none serves. */
export type SettledNeeds =
  | { readonly kind: 'met'; readonly spent: ReadonlySet<Mark> }
  | { readonly kind: 'short'; readonly index: number }

/** Finds a live mark for each need, with its fact where it has one: the mark of its key, else the one of its gate made first. */
export function settleNeeds(marks: readonly Mark[], { needs, at }: Pick<Claim, 'needs' | 'at'>): SettledNeeds {
  const gates = new Map<string, Map<string | undefined, Mark>>()
  for (const mark of marks) {
    if (isAlive(mark, at)) gates.set(mark.gate, (gates.get(mark.gate) ?? new Map<string | undefined, Mark>()).set(mark.key, mark))
  }
  const spent = new Set<Mark>()
  for (const [index, need] of needs.entries()) {
    const mark = findMark(gates.get(need.gate), need)
    if (mark === undefined) return { kind: 'short', index }
    spent.add(mark)
  }
  return { kind: 'met', spent }
}

function isAlive({ expiresAt, uses }: Mark, at: number): boolean {
  return (expiresAt === undefined || at < expiresAt) && (uses === undefined || uses > 0)
}

function findMark(marks: ReadonlyMap<string | undefined, Mark> | undefined, { key, fact }: MarkNeed): Mark | undefined {
  const serves = (mark: Mark): boolean => fact === undefined || mark.fact === fact
  if (key === undefined) return [...(marks?.values() ?? [])].filter(serves).reduce<Mark | undefined>(firstMade, undefined)
  const mark = marks?.get(key)
  return mark !== undefined && serves(mark) ? mark : undefined
}

/** The one made first; of two made at once the one without a key, then the one whose key comes first by code units. */
function firstMade(first: Mark | undefined, mark: Mark): Mark {
  if (first === undefined || mark.at < first.at) return mark
  return mark.at === first.at && (mark.key ?? '') < (first.key ?? '') ? mark : first
}
