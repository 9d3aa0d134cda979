import type { ToolReading } from '../gates/read-marks.ts'
import { Candidate } from '../model/candidate.ts'
import { canonicalJson } from '../model/canonical.ts'
import { isCallgateError } from '../model/callgate-error.ts'

/** What rules may read of a host's own result: text as text, other plain JSON as structured content; nothing of what is neither. */
export function readPlain(result: unknown): ToolReading {
  if (typeof result === 'string') return { text: result }
  if (result === undefined || result === null) return {}
  try {
    const { result: structured } = Candidate.of({ result }).fields
    return structured === undefined ? {} : { structured, text: canonicalJson(structured) }
  } catch (error) {
    if (isCallgateError(error)) return {}
    throw error
  }
}
