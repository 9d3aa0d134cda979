import type { PairFault, SchemaJudge, SentArguments } from './judge-pair.ts'
import type { Schema } from './random-schema.ts'

/** A schema and arguments that go wrong, and how. */
export type FailingPair = { readonly schema: Schema; readonly sent: SentArguments; readonly fault: PairFault }

const MOST_TRIES = 3_000
const SHOWN_KIND = 24

/** Takes parts out of a failing pair, one at a time, as long as the same thing goes wrong in the same tier; at most 3,000 tries. */
export function shrinkPair(pair: FailingPair, judges: (schema: Schema & object) => SchemaJudge): FailingPair {
  let smallest = pair
  let tries = 0
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false
    for (const candidate of smallerPairs(smallest)) {
      tries += 1
      if (tries > MOST_TRIES) return smallest
      const fault = faultOf(candidate, judges)
      if (fault === undefined || fault.tier !== pair.fault.tier || kindOf(fault.what) !== kindOf(pair.fault.what)) continue
      smallest = { ...candidate, fault }
      isSmaller = true
      break
    }
  }
  return smallest
}

function faultOf({ schema, sent }: FailingPair, judges: (schema: Schema & object) => SchemaJudge): FailingPair['fault'] | undefined {
  if (typeof schema !== 'object') return undefined
  try {
    const judge = judges(schema)
    const outcome = judge.fault ?? judge.judge(sent)
    return 'what' in outcome ? outcome : undefined
  } catch {
    // What the validator beside us, or the candidate, does not take is no pair.
    return undefined
  }
}

function* smallerPairs(pair: FailingPair): Generator<FailingPair> {
  for (const sent of smallerSent(pair.sent)) yield { ...pair, sent }
  for (const schema of smallerValues(pair.schema)) if (typeof schema === 'object' && schema !== null) yield { ...pair, schema: schema as Schema }
}

function* smallerSent(sent: SentArguments): Generator<SentArguments> {
  if (sent.kind !== 'object') {
    if (sent.kind === 'wire') for (const args of smallerValues(JSON.parse(sent.text))) yield { kind: 'wire', text: JSON.stringify(args) }
    return
  }
  for (const args of smallerValues(sent.args)) if (typeof args === 'object' && args !== null && !Array.isArray(args)) yield { kind: 'object', args: args as { readonly [name: string]: unknown } }
}

/** The value without one of its parts, at every depth; and with one of its parts in its stead. */
function* smallerValues(value: unknown): Generator {
  if (typeof value !== 'object' || value === null) return
  const entries = Object.entries(value)
  const rebuilt = (changed: readonly (readonly [string, unknown])[]): unknown => (Array.isArray(value) ? changed.map(([, child]) => child) : Object.fromEntries(changed))
  for (const [at] of entries.entries()) yield rebuilt(entries.filter((_, other) => other !== at))
  for (const [at, [key, child]] of entries.entries()) {
    for (const smaller of smallerValues(child)) yield rebuilt(entries.map((entry, other) => (other === at ? [key, smaller] : entry)))
    // A union becomes one of its branches.
    if (Array.isArray(child)) for (const branch of child as readonly unknown[]) if (typeof branch === 'object' && branch !== null && !Array.isArray(value)) yield branch
  }
}

function kindOf(what: string): string {
  return what.slice(0, SHOWN_KIND)
}
