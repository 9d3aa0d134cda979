import { Candidate } from '../model/candidate.ts'
import type { AttemptSchema } from '../model/attempt.ts'
import { canonicalJson } from '../model/canonical.ts'
import { sha256Hex } from '../model/digest.ts'
import type { JsonObject, JsonValue } from '../model/json-value.ts'
import type { DecisionReason } from '../model/reason.ts'
import type { EntryDraft, EntryKind } from '../record/entry.ts'
import type { SessionScope } from '../ports/store.ts'
import type { Ticket } from './call-journal.ts'
import type { Environment } from './environment.ts'
import type { Judgement } from './judgement.ts'

/** How a call ended, as its outcome's entry says. */
export type RecordedOutcome = 'ran' | 'failed' | 'incomplete' | 'unknown' | 'not_run'

/** Writes the entries of the record for the calls of one session (contract 11). */
export type EntryWriter = {
  decision(ticket: Ticket, verdict: 'run' | 'refuse' | 'hold', judged: Judgement, detail?: DecisionDetail): EntryDraft
  outcome(ticket: Ticket, outcome: RecordedOutcome, detail?: { hold?: string | undefined; observations?: readonly DecisionReason[] }): EntryDraft
  mark(callId: string, gate: string, tool?: string): EntryDraft
  hold(callId: string, hold: string, event: string, tool: string): EntryDraft
}

/** What a decision's entry says beside the judgement: the hold, why a hold ended without a run, what the model reads. */
export type DecisionDetail = { readonly hold?: string | undefined; readonly cause?: string; readonly message?: string }

/** Makes the writer of one session's entries; times come from the environment's clock. */
export function createEntryWriter(env: Environment, scope: SessionScope): EntryWriter {
  const entry = (kind: EntryKind, call: string, data: JsonObject): EntryDraft => ({ kind, at: env.clock.now(), ...scope, call, data })
  return {
    decision(ticket, verdict, judged, detail = {}) {
      const { decision, unmet, confirms } = judged
      const server = ticket.call.server ?? env.server
      const rule = unmet[0] ?? confirms[0]
      return entry('decision', ticket.callId, {
        verdict,
        tool: ticket.call.tool,
        ...(server !== undefined && { server }),
        ...argumentsOf(ticket, judged),
        ...(verdict === 'hold' && decision !== undefined && { digest: decision.digestAfter }),
        repaired: verdict !== 'refuse' && (decision?.changes.length ?? 0) > 0,
        reasons: judged.reasons.map(reasonData),
        unmet: unmet.map((one) => one.gate),
        ...(rule !== undefined && { rule: rule.gate }),
        ...(rule?.line !== undefined && { line: rule.line }),
        rules: env.rulesVersion,
        ...present(detail),
      })
    },
    outcome(ticket, outcome, detail = {}) {
      const { hold, observations = [] } = detail
      return entry('outcome', ticket.callId, {
        outcome,
        tool: ticket.call.tool,
        ...present({ hold }),
        ...(observations.length > 0 && { observations: observations.map(reasonData) }),
      })
    },
    mark: (callId, gate, tool) => entry('mark', callId, { gate, ...present({ tool }) }),
    hold: (callId, hold, event, tool) => entry('hold', callId, { hold, event, tool }),
  }
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
