import type { DecisionReason } from '../model/reason.ts'

/** What the model reads of a refusal: the reasons' messages in their order, one a line; a reason without one by its code. */
export function refusalMessage(reasons: readonly DecisionReason[]): string {
  return reasons.map(lineOf).join('\n')
}

function lineOf({ policy, code, message = '', pointer }: DecisionReason): string {
  if (message.trim() !== '') return message
  return `Refused by ${policy}: ${code}${pointer === undefined ? '' : ` at ${pointer}`}.`
}
