import { CallgateError } from '../model/callgate-error.ts'
import { CONFIRM_GATE } from './gate-rule.ts'
import type { GateRule, ToolAnnotations, ToolSelector } from './gate-rule.ts'
import { countOf, expressionOf, forbid, invalid, optional, readItem, textOf, textsOf, wordOf } from './read-item.ts'
import type { Item } from './read-item.ts'

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const
const ASKED = ['approvers', 'quorum', 'notBy', 'expiresMs', 'channel', 'showTo'] as const
const RULE_WORDS = [
  'gate', 'tools', 'annotations', 'unannotated', 'message', 'condition', 'key', 'require', 'when', 'otherwise', ...ASKED, 'line',
]

/** One rule, each word checked, frozen; `where` names it. Throws `invalid_rules` or `reserved_gate`. */
export function readRule(rule: unknown, where: string): GateRule {
  const item = readItem(rule ?? {}, where, RULE_WORDS)
  const read: GateRule = {
    gate: textOf(item.source['gate'], `${where}: gate`),
    ...readSelector(item),
    message: textOf(item.source['message'], `${where}: message`),
    ...optional(item, 'condition', textOf),
    ...optional(item, 'key', expressionOf),
    ...optional(item, 'require', expressionOf),
    ...optional(item, 'when', expressionOf),
    ...optional(item, 'otherwise', (value, at) => wordOf(value, at, ['refuse', 'hold'])),
    ...optional(item, 'approvers', textsOf),
    ...optional(item, 'quorum', countOf),
    ...optional(item, 'notBy', (value, at) => wordOf(value, at, ['requester'])),
    ...optional(item, 'expiresMs', countOf),
    ...optional(item, 'channel', (value, at) => wordOf(value, at, ['console', 'elicitation'])),
    ...optional(item, 'showTo', textsOf),
    ...optional(item, 'line', countOf),
  }
  if (read.gate === CONFIRM_GATE) {
    forbid(item, ['key', 'require', 'otherwise'], 'is about marks, and a rule of the gate "confirm" asks a person; use when')
  } else if (read.otherwise !== 'hold') forbid(item, ASKED, 'is about a question, and this rule asks none; add otherwise: hold, or remove it')
  if (read.condition === CONFIRM_GATE) {
    throw new CallgateError('reserved_gate', `${where}: the gate "confirm" is never marked, so it cannot be a condition. Name another gate.`)
  }
  return Object.freeze(read)
}

function readSelector(item: Item): ToolSelector {
  const { source, where } = item
  if (source['annotations'] === undefined) {
    forbid(item, ['unannotated'], 'is about annotations, and there are none')
    return { tools: textsOf(source['tools'], `${where}: tools`) }
  }
  if (typeof source['unannotated'] !== 'boolean') {
    throw invalid(`${where}: unannotated must be true or false: whether the rule is about a tool without these annotations.`)
  }
  const { source: hints } = readItem(source['annotations'], `${where}: annotations`, HINTS)
  if (Object.keys(hints).length === 0) throw invalid(`${where}: annotations is empty; name at least one, or remove it.`)
  const wrong = Object.keys(hints).find((hint) => typeof hints[hint] !== 'boolean')
  if (wrong !== undefined) throw invalid(`${where}: annotations: ${wrong} must be true or false.`)
  return { ...optional(item, 'tools', textsOf), annotations: Object.freeze(hints) as ToolAnnotations, unannotated: source['unannotated'] }
}
