import type { JsonObject, JsonValue } from '../model/json-value.ts'
import type { Expression, ExpressionInput } from './expression.ts'
import type { Mark } from './ledger.ts'
import type { MarkView } from './judge-gates.ts'

type Root = 'args' | 'result' | 'fact'

/** Reads one member, as `args.id`; undefined where it is not there. */
export function member(root: Root, name: string): Expression {
  return { source: `${root}.${name}`, evaluate: (input) => memberOf(input, root, name) }
}

/** Compares one member, as `fact.s == "open"`; undefined where it is not there. */
export function equals(root: Root, name: string, value: JsonValue): Expression {
  return {
    source: `${root}.${name} == ${JSON.stringify(value)}`,
    evaluate(input) {
      const found = memberOf(input, root, name)
      return found === undefined ? undefined : found === value
    },
  }
}

/** An expression of which only the value matters. */
export function constant(value: unknown): Expression {
  return { source: `constant ${typeof value}`, evaluate: () => value }
}

/** An expression that fails. */
export function throwing(error: unknown = new Error('no such overload')): Expression {
  return {
    source: 'broken()',
    evaluate() {
      throw error
    },
  }
}

/** The words of the user's text, as keys. */
export const words: Expression = { source: 'text.words()', evaluate: ({ text = '' }) => text.split(' ').filter((word) => word !== '') }

/** What is marked, from marks alone: those dead at `at` do not count, and a condition is live when any mark of it is. */
export function viewOf(marks: readonly Mark[], at = 0): MarkView {
  const alive = marks
    .filter(({ expiresAt, uses }) => (expiresAt === undefined || at < expiresAt) && uses !== 0)
    .sort((a, b) => a.at - b.at || ((a.key ?? '') < (b.key ?? '') ? -1 : 1))
  const marksOf: MarkView['marksOf'] = (gate, key) => alive.filter((mark) => mark.gate === gate && (key === undefined || mark.key === key))
  return { marksOf, isConditionLive: (gate) => marksOf(gate).length > 0 }
}

function memberOf(input: ExpressionInput, root: Root, name: string): JsonValue | undefined {
  const value = input[root]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`no such overload: ${root}.${name}`)
  return Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined
}
