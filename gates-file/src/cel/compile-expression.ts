import { EvaluationError, ParseError, TypeError as CelTypeError } from '@marcbachmann/cel-js'
import type { Environment, ParseResult } from '@marcbachmann/cel-js'
import type { ExpressionInput, JsonValue } from '@callgate/core'
import { fromCel, toCel } from './cel-value.ts'
import type { Weight } from './cel-value.ts'
import { createEnvironment } from './environment.ts'
import type { Compiled, Root } from './expression-compiler.ts'
import { meterTree } from './meter-tree.ts'
import { createMeter } from './meter.ts'
import type { Meter } from './meter.ts'

/** The members that are not there: the one error that the contract tells from the others (contract 9). */
const ABSENT: ReadonlySet<string> = new Set(['no_such_key', 'index_out_of_bounds'])
const MAX_SOURCE = 4_096
const MAX_MESSAGE = 500

/** Compiles CEL once; an expression's work is bounded, and its errors say what was wrong without the source. Never throws. */
export function compileExpression(source: string, roots: readonly Root[]): Compiled {
  if (source.length > MAX_SOURCE) return { kind: 'wrong', message: `it is longer than ${MAX_SOURCE} characters`, offset: 0 }
  const { env, meter } = bench(roots)
  try {
    const run = env.parse(source)
    const { valid, error } = run.check()
    if (!valid) return wrong(error)
    const unmetered = meterTree(run.ast, meter)
    if (unmetered !== undefined) return { kind: 'wrong', ...unmetered }
    const expression = { source, evaluate: (input: ExpressionInput): unknown => evaluate(run, roots, input, meter) }
    return { kind: 'compiled', expression: Object.freeze(expression) }
  } catch (cause) {
    return wrong(cause)
  }
}

type Bench = { readonly env: Environment; readonly meter: Meter }

// An environment costs more than an expression; there are few sets of roots. One evaluation ends before the next begins.
const benches = new Map<string, Bench>()

function bench(roots: readonly Root[]): Bench {
  const name = roots.join()
  const known = benches.get(name)
  if (known !== undefined) return known
  const meter = createMeter()
  const made = { env: createEnvironment(roots, meter), meter }
  benches.set(name, made)
  return made
}

function evaluate(run: ParseResult, roots: readonly Root[], input: ExpressionInput, meter: Meter): unknown {
  const weight: Weight = { values: 0, characters: 0 }
  // A root that is not there reads as one without members, so that what it lacks is absent and not unknown.
  const context = Object.fromEntries(roots.map((root) => [root, toCel((input[root] as JsonValue | undefined) ?? (root === 'text' ? '' : {}), weight)]))
  meter.begin()
  try {
    const value: unknown = run(context)
    meter.end()
    return fromCel(value, meter)
  } catch (cause) {
    meter.end()
    if (!(cause instanceof EvaluationError)) throw cause
    if (ABSENT.has(cause.code)) return undefined
    throw new Error(cause.summary.slice(0, MAX_MESSAGE), { cause })
  }
}

function wrong(cause: unknown): Compiled {
  const isOurs = cause instanceof ParseError || cause instanceof CelTypeError || cause instanceof EvaluationError
  if (!isOurs) return { kind: 'wrong', message: cause instanceof Error ? cause.message : String(cause), offset: 0 }
  return { kind: 'wrong', message: cause.summary, offset: cause.range?.start ?? 0 }
}
