import type { GateRule } from '../gates/gate-rule.ts'
import type { Hold, HoldAsk } from '../holds/hold.ts'
import { canonicalJson } from '../model/canonical.ts'
import type { JsonObject } from '../model/json-value.ts'
import { reveal } from '../model/reveal.ts'
import type { Ticket } from './call-journal.ts'
import type { Admitted } from './judgement.ts'
import { redactionOf } from './redact-call.ts'
import type { SessionState } from './session-state.ts'

/** One question that a call raises, and how long it may stand, in milliseconds. */
export type RaisedAsk = { readonly ask: HoldAsk; readonly expiresMs: number }

/** All that a person is asked before the call may run (contract 10): the unmet rules that hold, the confirms, the policies. */
export function asksOf({ env }: SessionState, ticket: Ticket, { holds, confirms, decision }: Admitted): readonly RaisedAsk[] {
  const { tool } = ticket.call
  const redaction = redactionOf(env, ticket, decision)
  const rules = [...holds.map(({ rule }) => rule), ...confirms].map((rule) => askOf(rule, tool, env.holdExpiresMs))
  const questions = decision.questions.map(({ question }): RaisedAsk => ({ ask: { question: redaction.text(question.toWellFormed()), quorum: 1 }, expiresMs: env.holdExpiresMs }))
  return [...rules, ...questions]
}

/** True where a hold asks all of this: a yes to less than what is to be asked now is no yes (contract 10). */
export function coversAsks({ asks = [] }: Hold, raised: readonly RaisedAsk[]): boolean {
  const known = new Set(asks.map(textOf))
  return raised.every(({ ask }) => known.has(textOf(ask)))
}

function askOf({ message, approvers, quorum = 1, notBy, channel, showTo, expiresMs }: GateRule, tool: string, defaultMs: number): RaisedAsk {
  const ask = {
    question: message.replaceAll('{tool}', () => reveal(tool)).toWellFormed(),
    quorum,
    ...(approvers !== undefined && { approvers }),
    ...(notBy !== undefined && { notBy }),
    ...(channel !== undefined && { channel }),
    ...(showTo !== undefined && { showTo }),
  }
  return { ask, expiresMs: expiresMs ?? defaultMs }
}

function textOf(ask: HoldAsk): string {
  return canonicalJson(ask as unknown as JsonObject)
}
