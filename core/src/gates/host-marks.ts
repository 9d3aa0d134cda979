import { CallgateError } from '../model/callgate-error.ts'
import type { Mark } from './ledger.ts'
import { makeMarks } from './make-marks.ts'
import { markable } from './read-item.ts'

/** What the host's own code marks with: keys, and one fact a key; without keys one fact alone. */
export type MarkDetail = { readonly keys?: readonly unknown[] | undefined; readonly facts?: readonly unknown[] | undefined }

/**
 * The marks that the host makes by hand (contract 9); no keys in `keys` is no mark. Throws `reserved_gate` for `confirm`,
 * `invalid_rules` for what is no gate's name, `invalid_call` for keys and facts that are no exact JSON, too many, too large or
 * not as many.
 */
export function hostMarks(gate: string, { keys, facts }: MarkDetail, at: number): readonly Mark[] {
  const name = markable(gate, 'mark')
  for (const list of [keys, facts]) if (list !== undefined && !Array.isArray(list)) throw invalid(name, 'keys and facts are lists')
  if (keys?.some((key) => key === null || key === undefined)) throw invalid(name, 'a key is missing: null and undefined are no keys')
  if (keys === undefined && facts !== undefined && facts.length !== 1) throw invalid(name, 'without keys there is exactly one fact')
  const keep = facts === undefined ? undefined : keys === undefined ? { value: facts[0], isOne: true } : { value: facts }
  const made = makeMarks({ gate: name, at, ...(keys !== undefined && { keys: { value: keys } }), ...(keep !== undefined && { keep }) })
  if (made.kind === 'problem') throw invalid(name, made.why)
  return made.marks
}

function invalid(gate: string, why: string): CallgateError {
  const way = 'Pass { keys: [...], facts: [...] }, as many facts as keys.'
  return new CallgateError('invalid_call', `The gate "${gate}" cannot be marked so: ${why}. ${way}`)
}
