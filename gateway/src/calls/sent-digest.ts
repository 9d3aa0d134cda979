import { Candidate } from '@callgate/core'

/** The digest of what is sent beside the arguments; undefined where nothing is. Throws `inexact_candidate`. */
export type SentDigest = (beside: string) => string | undefined

/** Makes the reader; it remembers the last text, since a client's calls mostly carry the same `_meta`. */
export function createSentDigest(): SentDigest {
  let last: { readonly text: string; readonly digest: string } | undefined
  return (beside) => {
    if (beside === '') return undefined
    if (last?.text !== beside) last = { text: beside, digest: Candidate.ofWire(beside).digest }
    return last.digest
  }
}
