import type { ASTNode } from '@marcbachmann/cel-js'
import { LOOPS, REPLACED, STEP } from './bounded-source.ts'

/**
 * True where a bounded expression is the one that was written with each step of each loop counted: that the text was
 * rewritten rightly is not believed but read back.
 */
export function isSameTree(written: unknown, bounded: unknown): boolean {
  if (Array.isArray(written)) {
    return Array.isArray(bounded) && written.length === bounded.length && written.every((item, at) => isSameTree(item, bounded[at]))
  }
  if (!isNode(written) || !isNode(bounded)) return !isNode(written) && !isNode(bounded) && String(written) === String(bounded)
  if (written.op !== bounded.op) return false
  if (written.op !== 'rcall' || bounded.op !== 'rcall') return isSameTree(written.args, bounded.args)
  const [name, receiver, args] = written.args
  const [boundedName, boundedReceiver, boundedArgs] = bounded.args
  const isLoop = LOOPS.has(name) && args.length > 1
  return boundedName === (REPLACED.get(name) ?? name)
    && isSameTree(receiver, boundedReceiver)
    && args.length === boundedArgs.length
    && args.every((arg, at) => isSameTree(arg, isLoop && at > 0 ? stepped(boundedArgs[at]) : boundedArgs[at]))
}

/** What a counted step evaluates; undefined for one that is not counted. */
function stepped(node: ASTNode | undefined): ASTNode | undefined {
  if (node?.op !== 'call') return undefined
  const [name, args] = node.args
  return name === STEP ? args[0] : undefined
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value
}
