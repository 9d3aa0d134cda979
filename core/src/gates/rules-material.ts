import type { JsonObject, JsonValue } from '../model/json-value.ts'
import type { Expression } from './expression.ts'
import type { GateRules } from './gate-rule.ts'

/**
 * All that the rules say, as exact JSON for their digest: an expression by its source, and no lines, which move when a
 * comment is written.
 */
export function rulesMaterial({ rules, marks = [], limits = [], external = [], ...rest }: GateRules): JsonObject {
  return {
    rules: rules.map(withoutLine),
    marks: marks.map(withoutLine),
    limits: limits.map(withoutLine),
    external,
    ...withoutLine(rest),
  }
}

function withoutLine(item: object): JsonObject {
  const members = Object.entries(item as Readonly<Record<string, JsonValue | Expression>>).filter(([word]) => word !== 'line')
  return Object.fromEntries(members.map(([word, value]) => [word, isExpression(value) ? { expression: value.source } : value]))
}

function isExpression(value: JsonValue | Expression): value is Expression {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Expression>).evaluate === 'function'
}
