import type { Expression, ExpressionInput } from './expression.ts'

/** What came of an expression, or why it threw. */
export type Evaluation = { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'error'; readonly detail: string }

const SHOWN = 200

/** Evaluates an expression; never throws. */
export function evaluate(expression: Expression, input: ExpressionInput): Evaluation {
  try {
    return { kind: 'value', value: expression.evaluate(input) }
  } catch (error) {
    return { kind: 'error', detail: `${expression.source}: ${reasonOf(error)}` }
  }
}

/** The answer to a question, or why there is none. */
export type Answer = { readonly kind: 'yes' | 'no' } | { readonly kind: 'error'; readonly detail: string }

/** Whether a question is true; a member that is not there, and what is neither true nor false, is an error. */
export function ask(expression: Expression, input: ExpressionInput): Answer {
  const found = evaluate(expression, input)
  if (found.kind === 'error') return found
  if (typeof found.value === 'boolean') return { kind: found.value ? 'yes' : 'no' }
  const what = found.value === undefined ? 'it reads a member that is not there' : 'it is neither true nor false'
  return { kind: 'error', detail: `${expression.source}: ${what}` }
}

/** The first 200 characters of what an error says. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : typeof error === 'string' ? error : 'it failed'
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}
