import { isScalar } from 'yaml'
import type { Node } from 'yaml'
import type { Expression } from '@callgate/core'
import type { Root } from './cel/expression-compiler.ts'
import { offsetOf, refine, reportType } from './reader.ts'
import type { Reader } from './reader.ts'
import { quoteText, showText } from './show-text.ts'

/** A compiled expression, and where an offset into its source stands in the file. */
export type PlacedExpression = { readonly expression: Expression; placeOf(offset: number): number }

/** An expression in CEL over some roots, compiled; a problem in it is told where it stands within the text. */
export function expression(...roots: readonly Root[]): Reader<Expression> {
  return refine(placedExpression(...roots), (placed) => placed.expression)
}

/** The same, for a place that looks at it once more. */
export function placedExpression(...roots: readonly Root[]): Reader<PlacedExpression> {
  return {
    schema: { type: 'string', pattern: '\\S' },
    read(slot, reading) {
      const node = reading.nodeOf(slot)
      if (!isScalar(node) || typeof node.value !== 'string' || node.value.trim() === '') {
        const isPlain = isScalar(node) && (node.source ?? '') !== ''
        const hint = isPlain ? `put it in quotes: ${quoteText(`"${node.source}"`)}` : `put it in quotes: it is CEL over ${roots.join(' and ')}`
        return reportType(slot, node, 'an expression', reading, hint)
      }
      const placeOf = (offset: number): number => offsetOf(slot) + shiftOf(node, offset)
      const compiled = reading.compile(node.value, roots)
      if (compiled.kind === 'compiled') return { expression: compiled.expression, placeOf }
      const message = `the expression of ${slot.label} is wrong: ${showText(compiled.message, 300)}`
      reading.report(placeOf(compiled.offset), 'wrong_expression', message, `it is CEL over ${roots.join(' and ')}`)
      return undefined
    },
  }
}

/** How far into its text in the file an expression is wrong; 0 where its spelling there is not its own. */
function shiftOf(node: Node, offset: number): number {
  if (!isScalar(node)) return 0
  if (node.type === 'PLAIN' && node.source === node.value) return offset
  const isQuoted = node.type === 'QUOTE_SINGLE' || node.type === 'QUOTE_DOUBLE'
  const isLiteral = isQuoted && (node.range?.[1] ?? 0) - (node.range?.[0] ?? 0) === String(node.value).length + 2
  return isLiteral ? offset + 1 : 0
}
