import type { Decision } from '../model/decision.ts'
import { isObject } from '../model/json-shape.ts'
import type { JsonObject } from '../model/json-value.ts'
import type { DecisionReason } from '../model/reason.ts'

/** The arguments that a decision lets run; undefined where they are no object, whatever the policies say: nothing else may run. */
export function wholeArguments({ candidate }: Decision): JsonObject | undefined {
  const args = candidate.fields['arguments']
  return isObject(args) ? args : undefined
}

/** Why arguments that are no object are refused. */
export const NO_OBJECT: DecisionReason = Object.freeze({
  policy: 'kernel',
  code: 'type_mismatch',
  pointer: '/arguments',
  message: '/arguments is no object; the arguments of a call are one. Send an object, {} where the tool takes nothing.',
})
