import { Candidate } from '../model/candidate.ts'
import type { Decision } from '../model/decision.ts'
import type { JsonObject, JsonValue } from '../model/json-value.ts'
import type { DecisionReason } from '../model/reason.ts'
import type { Redaction, Redactor } from '../record/redactor.ts'
import { NO_REDACTION } from '../record/redactor.ts'
import type { Refused } from './call.ts'
import type { Ticket } from './call-journal.ts'
import type { Environment } from './environment.ts'

/** What is hidden of a call: what stands at the redacted paths as it was sent, and as it was repaired. */
export function redactionOf({ redactor }: Environment, { candidate }: Ticket, decision?: Decision): Redaction {
  if (redactor === undefined) return NO_REDACTION
  if (!Candidate.isCandidate(candidate)) return { ...NO_REDACTION, text: (text) => withoutInexact(text, redactor) }
  const repaired = decision === undefined || decision.candidate === candidate ? [] : [decision.candidate]
  return redactor.of([candidate, ...repaired].map(({ fields }) => fields['arguments'] ?? {}))
}

/** An entry's data without redacted values (contract 11). */
export function redactEntry(redaction: Redaction, data: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, redactPart(redaction, key, value)]))
}

/** What a host and a model are told of a refusal, without redacted values. */
export function redactRefused(redaction: Redaction, refused: Refused): Refused {
  return {
    ...refused,
    message: redaction.text(refused.message),
    reasons: refused.reasons.map((reason) => redactReason(redaction, reason)),
    unmet: refused.unmet.map((unmet) => ({ ...unmet, ...(unmet.key !== undefined && { key: redaction.text(unmet.key) }) })),
  }
}

function redactReason(redaction: Redaction, { message, pointer, ...reason }: DecisionReason): DecisionReason {
  return {
    ...reason,
    ...(message !== undefined && { message: redaction.text(message) }),
    ...(pointer !== undefined && { pointer: redaction.pointer(pointer) }),
  }
}

/** What failed while a call was settled, without redacted values; where these cannot be told apart, only that something failed. */
export function redactError(env: Environment, ticket: Ticket, error: unknown, decision?: Decision): string {
  if (env.redactor === undefined) return String(error)
  try {
    if (Candidate.isCandidate(ticket.candidate)) return redactionOf(env, ticket, decision).text(String(error))
  } catch {
    // What failed may be the redaction itself.
  }
  return 'something that is not told, since it may show a redacted value'
}

function redactPart(redaction: Redaction, key: string, value: JsonValue): JsonValue {
  switch (key) {
    case 'args':
      return redaction.value(value)
    case 'digest':
      return redaction.digest(value as string)
    case 'message':
      return redaction.text(value as string)
    case 'pointer':
      return redaction.pointer(value as string)
    case 'keys':
    case 'problems':
      return (value as readonly string[]).map((text) => redaction.text(text))
    case 'reasons':
    case 'observations':
      return (value as readonly JsonObject[]).map((reason) => redactEntry(redaction, reason))
    default:
      return value
  }
}

/** What is said of arguments that are not exact may show the one value that is at fault, and the names on the way to it. */
function withoutInexact(text: string, { covers, leadsTo }: Redactor): string {
  for (const [pointer] of text.matchAll(/\/arguments[^\s:]*/gu)) {
    const shown = covers(pointer) ? coveringOf(pointer, covers) : leadsTo(pointer) ? pointer : undefined
    if (shown !== undefined) return `${shown} is not exact; what stands there is not shown.`
  }
  return text
}

/** The shortest beginning of a pointer that is covered: the names below it belong to the redacted value. */
function coveringOf(pointer: string, covers: (pointer: string) => boolean): string {
  const tokens = pointer.split('/')
  const length = tokens.findIndex((_, at) => covers(tokens.slice(0, at + 1).join('/')))
  return tokens.slice(0, length + 1).join('/')
}
