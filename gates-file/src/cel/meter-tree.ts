import type { Meter } from './meter.ts'
import { compilePattern } from './patterns.ts'
import type { PatternMethod } from './patterns.ts'
import { workOfCall, workOfMade, workOfOperator } from './work-of.ts'

/** What cannot be compiled, and where. */
export type Wrong = { readonly message: string; readonly offset: number }

/** A node of a checked tree as the evaluator uses it: `handle` takes what the node's arguments came to. */
type Node = {
  readonly op: string
  readonly args: unknown
  readonly range: { readonly start: number }
  readonly meta: { readonly alternate?: Node }
  handle?: (...values: readonly unknown[]) => unknown
}
type Evaluate = { evaluate(evaluator: unknown, node: unknown, context: unknown): unknown }

// What an expression's node costs where it stands in a loop.
const NODE_COST = 8
const OPERATORS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in', '+'])
// They evaluate their arguments themselves, each at most once.
const MACROS: ReadonlySet<string> = new Set(['has', 'or', 'orValue', 'bind'])
const PATTERN_METHODS: ReadonlySet<string> = new Set(['matches', 'findAll'] satisfies readonly PatternMethod[])

/**
 * Has the meter count what a checked expression does: the steps of its loops, what is compared, searched, made and read,
 * and what fails. Its meaning is the same, but that patterns are those of RE2. Returns what is wrong, or undefined.
 */
export function meterTree(tree: unknown, meter: Meter): Wrong | undefined {
  if (Array.isArray(tree)) {
    for (const item of tree) {
      const found = meterTree(item, meter)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (!isNode(tree)) return undefined
  const { alternate } = tree.meta
  const wrong = alternate?.op === 'comprehension' ? meterLoop(tree, alternate, meter) : meterNode(tree, meter)
  return wrong ?? meterTree(tree.args, meter)
}

function meterNode(node: Node, meter: Meter): Wrong | undefined {
  if (OPERATORS.has(node.op)) {
    return meterHandle(node, meter, (handle, values) => {
      const [left, right] = values
      meter.spend(workOfOperator(node.op, left, right, meter))
      return handle(...values)
    })
  }
  if (node.op === 'call' || node.op === 'rcall') return meterCall(node, meter)
  return node.handle === undefined ? undefined : meterHandle(node, meter, (handle, values) => handle(...values))
}

function meterCall(node: Node, meter: Meter): Wrong | undefined {
  const [name, subject, others] = node.args as readonly [string, unknown, readonly unknown[] | undefined]
  if (node.handle === undefined && MACROS.has(name)) return undefined
  let run: ((text: string) => unknown) | undefined
  if (node.op === 'rcall' && PATTERN_METHODS.has(name)) {
    const pattern = others?.[0] ?? subject
    if (!isNode(pattern)) return unbounded(node)
    try {
      run = patternOf(name as PatternMethod, pattern, meter)
    } catch (cause) {
      return { message: cause instanceof Error ? cause.message : String(cause), offset: pattern.range.start }
    }
  }
  return meterHandle(node, meter, (handle, values) => {
    const given = values[0] as readonly unknown[]
    if (run === undefined) meter.spend(workOfCall(name, given))
    const made = run !== undefined && typeof given[0] === 'string' ? run(given[0]) : handle(...values)
    meter.spend(workOfMade(made))
    return made
  })
}

// What a stranger wrote must not be a pattern: it would match what it likes, and to compile it has no bound.
function patternOf(name: PatternMethod, { op, args }: Node, meter: Meter): (text: string) => unknown {
  if (op !== 'value' || typeof args !== 'string') throw new Error(`the pattern of ${name}() must be a text that is written out`)
  return compilePattern(name, args, meter)
}

function meterLoop(node: Node, loop: Node, meter: Meter): Wrong | undefined {
  const comprehension = loop.args as { step: unknown }
  const { step } = comprehension
  if (!isEvaluate(step)) return unbounded(node)
  const [, , args] = node.args as readonly [string, unknown, readonly unknown[]]
  const cost = sizeOf(args) * NODE_COST
  comprehension.step = {
    evaluate(evaluator: unknown, _: unknown, context: unknown): unknown {
      meter.spend(cost)
      try {
        return step.evaluate(evaluator, step, context)
      } catch (cause) {
        throw meter.fail(cause)
      }
    },
  }
  return undefined
}

function meterHandle(
  node: Node, meter: Meter,
  around: (handle: (...values: readonly unknown[]) => unknown, values: readonly unknown[]) => unknown,
): Wrong | undefined {
  const { handle } = node
  if (handle === undefined) return unbounded(node)
  node.handle = (...values) => {
    try {
      return around(handle, values)
    } catch (cause) {
      throw meter.fail(cause)
    }
  }
  return undefined
}

function unbounded(node: Node): Wrong {
  return { message: `the work of ${node.op} cannot be bounded with this version of cel-js`, offset: node.range.start }
}

/** How many nodes there are. */
function sizeOf(tree: unknown): number {
  if (Array.isArray(tree)) return tree.reduce((sum: number, item) => sum + sizeOf(item), 0)
  return isNode(tree) ? 1 + sizeOf(tree.args) : 0
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value
}

function isEvaluate(value: unknown): value is Evaluate {
  return typeof value === 'object' && value !== null && 'evaluate' in value && typeof value.evaluate === 'function'
}
