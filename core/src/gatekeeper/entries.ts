import { Candidate } from '../model/candidate.ts'
import type { AttemptSchema } from '../model/attempt.ts'
import { canonicalJson } from '../model/canonical.ts'
import { sha256Hex } from '../model/digest.ts'
import type { JsonObject, JsonValue } from '../model/json-value.ts'
import type { DecisionReason } from '../model/reason.ts'
import type { Mark } from '../gates/ledger.ts'
import type { EntryDraft, EntryKind } from '../record/entry.ts'
import type { SessionScope } from '../ports/store.ts'
import type { Ticket } from './call-journal.ts'
import type { Environment } from './environment.ts'
import type { Judgement } from './judgement.ts'
import { NO_REDACTION } from '../record/redactor.ts'
import type { Redaction } from '../record/redactor.ts'
import { redactEntry, redactionOf } from './redact-call.ts'

/** How a call ended, as its outcome's entry says. */
export type RecordedOutcome = 'ran' | 'failed' | 'incomplete' | 'unknown' | 'not_run'

/** Writes the entries of the record for the calls of one session (contract 11). */
export type EntryWriter = {
  decision(ticket: Ticket, verdict: 'run' | 'refuse' | 'hold', judged: Judgement, detail?: DecisionDetail): EntryDraft
  outcome(ticket: Ticket, outcome: RecordedOutcome, detail?: { hold?: string | undefined; observations?: readonly DecisionReason[] }): EntryDraft
  /** One entry a gate, with at most 20 of its keys and how many there are; and one that says what could not be marked. */
  marks(from: MarkSource, marks: readonly Mark[], problems: readonly string[]): readonly EntryDraft[]
  hold(callId: string, hold: string, event: string, tool: string): EntryDraft
}

/** Whose marks they are: of a call of a tool, and what of it is hidden, or of the host (no tool, no call). */
export type MarkSource = { readonly callId: string; readonly tool?: string | undefined; readonly redaction?: Redaction }

/** What a decision's entry says beside the judgement: the hold, why a hold ended without a run, what the model reads. */
export type DecisionDetail = {
  readonly hold?: string | undefined
  readonly cause?: string
  readonly message?: string
  /** The line of the limit that is reached; null where it has none. */
  readonly limit?: number | null
}

/** Makes the writer of one session's entries; times come from the environment's clock. */
export function createEntryWriter(env: Environment, scope: SessionScope): EntryWriter {
  const entry = (kind: EntryKind, call: string, data: JsonObject): EntryDraft => ({ kind, at: env.clock.now(), ...scope, call, data })
  return {
    decision(ticket, verdict, judged, detail = {}) {
      const { decision, unmet, holds, confirms, blocked } = judged
      const server = ticket.call.server ?? env.server
      const rule = unmet[0]?.rule ?? holds[0]?.rule ?? confirms[0]
      const clears = judged.kind === 'admitted' && verdict === 'run' ? judged.charge.clears.map(({ gate }) => gate) : []
      return entry('decision', ticket.callId, redactEntry(redactionOf(env, ticket, decision), {
        verdict,
        tool: ticket.call.tool,
        ...(server !== undefined && { server }),
        ...argumentsOf(ticket, judged),
        ...(verdict === 'hold' && decision !== undefined && { digest: decision.digestAfter }),
        repaired: verdict !== 'refuse' && (decision?.changes.length ?? 0) > 0,
        reasons: judged.reasons.map(reasonData),
        unmet: unmet.map((one) => one.rule.gate),
        ...(holds.length > 0 && { holds: holds.map((one) => one.rule.gate) }),
        ...(blocked !== undefined && { blocked: blocked.kind }),
        ...(clears.length > 0 && { clears }),
        ...(rule !== undefined && { rule: rule.gate }),
        ...(rule?.line !== undefined && { line: rule.line }),
        rules: env.rulesVersion,
        ...present(detail),
      }))
    },
    outcome(ticket, outcome, detail = {}) {
      const { hold, observations = [] } = detail
      return entry('outcome', ticket.callId, redactEntry(redactionOf(env, ticket), {
        outcome,
        tool: ticket.call.tool,
        ...present({ hold }),
        ...(observations.length > 0 && { observations: observations.map(reasonData), retry: 'never' }),
      }))
    },
    marks: ({ callId, tool, redaction = NO_REDACTION }, marks, problems) => [
      ...[...byGate(marks)].map(([gate, keys]) => entry('mark', callId, redactEntry(redaction, { gate, ...present({ tool }), ...keysData(keys) }))),
      ...(problems.length === 0 ? [] : [entry('mark', callId, redactEntry(redaction, { ...present({ tool }), problems: problems.map((one) => one.toWellFormed()) }))]),
    ],
    hold: (callId, hold, event, tool) => entry('hold', callId, { hold, event, tool }),
  }
}

const MAX_KEYS = 20

function byGate(marks: readonly Mark[]): ReadonlyMap<string, readonly string[]> {
  const gates = new Map<string, string[]>()
  for (const { gate, key } of marks) {
    const keys = gates.get(gate) ?? []
    if (key !== undefined) keys.push(key)
    gates.set(gate, keys)
  }
  return gates
}

function keysData(keys: readonly string[]): JsonObject {
  if (keys.length === 0) return {}
  return { keys: keys.slice(0, MAX_KEYS), ...(keys.length > MAX_KEYS && { keyCount: keys.length }) }
}

/** What would run, or where it was refused what was sent; arguments over the kernel's budget are left out and said to be. */
function argumentsOf(ticket: Ticket, { decision }: Judgement): JsonObject {
  if (decision === undefined || !Candidate.isCandidate(ticket.candidate)) return {}
  if (decision.reasons.some(({ code, policy }) => policy === 'kernel' && code === 'over_budget')) return { args: null, omitted: 'over_budget' }
  return { args: decision.candidate.fields['arguments'] ?? {} }
}

/** Policies of the host's own may say anything; the record holds well-formed text only. */
function reasonData({ policy, code, message, pointer }: DecisionReason): JsonObject {
  return { policy, code: code.toWellFormed(), ...present({ message: message?.toWellFormed(), pointer: pointer?.toWellFormed() }) }
}

function present(values: { readonly [key: string]: JsonValue | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(values).filter((pair): pair is [string, JsonValue] => pair[1] !== undefined))
}

/** Names a schema for a yes; of one that knows its own digest, that counts too. */
export function schemaKeyOf(schema: AttemptSchema | undefined): string | undefined {
  if (schema === undefined) return undefined
  const { schemaId, version, digest } = schema as AttemptSchema & { readonly digest?: unknown }
  return sha256Hex(JSON.stringify([schemaId, version, typeof digest === 'string' ? digest : null]))
}

/** Digest material of a yes (contract 10), as canonical JSON. */
export function bindingText(env: Environment, scope: SessionScope, ticket: Ticket, argsDigest: string): string {
  const { schemaKey, call: { tool, sent, definition } } = ticket
  const server = ticket.call.server ?? env.server
  return canonicalJson({ principal: scope.principal, tool, args: argsDigest, rules: env.rulesVersion, ...present({ server, sent, definition, schema: schemaKey }) })
}
