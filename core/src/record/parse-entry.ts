import { Candidate } from '../model/candidate.ts'
import type { Entry } from './entry.ts'

/**
 * Reads the text of an entry exactly: frozen, no number rounded. Throws `inexact_candidate` for what is no JSON object;
 * whether it is an entry that fits its place is for the chain verifier to say.
 */
export function parseEntry(text: string): Entry {
  return Candidate.ofWire(text).fields['arguments'] as unknown as Entry
}
