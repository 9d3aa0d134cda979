/** What the kernel believes of an adapter's declaration for one phase and event; only an exact `true` is a yes. */
export type AdapterReading = {
  /** What the declaration lacks for the attempt to be admitted at all (contract 5.6), in words. */
  readonly lacks: readonly string[]
  readonly canReplace: boolean
  readonly canHold: boolean
}

const MOST_EVENTS = 100

/** Reads a declaration, each property once; one that cannot be read lacks everything. Never throws. */
export function readAdapter(value: unknown, lifecycleEvent: string): AdapterReading {
  try {
    return read(value, lifecycleEvent)
  } catch {
    return UNREADABLE
  }
}

const UNREADABLE: AdapterReading = Object.freeze({ lacks: Object.freeze(['a declaration']), canReplace: false, canHold: false })

function read(value: unknown, lifecycleEvent: string): AdapterReading {
  if (typeof value !== 'object' || value === null) return UNREADABLE
  const { id, version, lifecycle, effects, identity, completeCandidate } = value as Record<string, unknown>
  if (typeof id !== 'string' || typeof version !== 'string') return UNREADABLE
  const { deny, replace, hold } = (typeof effects === 'object' && effects !== null ? effects : {}) as Record<string, unknown>
  const lacks: string[] = []
  if (!hasEvent(lifecycle, lifecycleEvent)) lacks.push(lifecycleEvent)
  if (identity !== true) lacks.push('identity')
  if (completeCandidate !== true) lacks.push('a complete candidate')
  if (deny !== true) lacks.push('denial')
  return { lacks, canReplace: replace === true, canHold: hold === true }
}

function hasEvent(lifecycle: unknown, wanted: string): boolean {
  if (!Array.isArray(lifecycle)) return false
  const length = Math.min(lifecycle.length, MOST_EVENTS)
  for (let at = 0; at < length; at += 1) if (lifecycle[at] === wanted) return true
  return false
}
