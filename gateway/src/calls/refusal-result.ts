import type { Held, Reason, Refused } from '@callgate/core'
import type { PlainJson } from '../wire/answers.ts'

/** The key under which a result that the gateway made says how it was decided. */
const DECISION_META_KEY = 'dev.callgate/decision'

/** A refusal or a wait as a tool's result: the model reads `text`. */
export type RefusalText = { readonly text: string; readonly decision: PlainJson }

/** The result for a call that did not run; `resultType` only where the client's protocol has it. */
export function refusalResult({ text, decision }: RefusalText, needsResultType: boolean): PlainJson {
  return {
    content: [{ type: 'text', text }],
    isError: true,
    ...(needsResultType && { resultType: 'complete' }),
    _meta: { [DECISION_META_KEY]: decision },
  }
}

/** What the client is told of an outcome that is no run. */
export function refusalText(outcome: Refused | Held): RefusalText {
  if (outcome.verdict === 'held') {
    const { message, holdId, question, rule } = outcome
    return { text: message, decision: { verdict: 'held', hold: holdId, question, ...(rule !== undefined && { rule }) } }
  }
  const { message, cause, reasons, unmet, rule } = outcome
  const gate = unmet[0]?.gate
  return {
    text: message,
    decision: {
      verdict: 'refused',
      cause,
      ...(gate !== undefined && { gate }),
      ...(rule !== undefined && { rule }),
      reasons: reasons.map(({ policy, ...reason }) => ({ policy, ...plainReason(reason) })),
    },
  }
}

/** What the client is told where the gateway refused by itself. */
export function gatewayRefusalText(cause: string, reason: Reason & { readonly message: string }): RefusalText {
  return {
    text: `${reason.message}\n\nNothing was executed.`,
    decision: { verdict: 'refused', cause, reasons: [{ policy: 'gateway', ...plainReason(reason) }] },
  }
}

function plainReason({ code, message, pointer }: Reason): { readonly [key: string]: PlainJson | undefined } {
  return { code, ...(message !== undefined && { message }), ...(pointer !== undefined && { pointer }) }
}
