import { CONFIRM_GATE, isPattern } from '@callgate/core'
import type { CompiledGates, GateRule } from '@callgate/core'
import type { KnownTool } from './finding.ts'

/** What keeps a tool from running: a part of the rules that refuses every call of it, or the gates that all its calls need. */
export type ToolObstacles = { readonly refusedBy?: 'deny' | 'allow' | 'default'; readonly needs: readonly string[] }

/**
 * Reads what keeps a tool from running, whatever its calls say: rules with a condition, `when` or `otherwise: hold` leave a way, as
 * do those about annotations of a tool that is not among `tools`. A pattern stands for tools that nobody has named.
 */
export function createObstacleReader(gates: CompiledGates, tools: readonly KnownTool[]): (tool: string) => ToolObstacles {
  const { rules, allow = [], default: otherwise } = gates.source
  const known = new Map(tools.map(({ name, annotations }) => [name, annotations]))
  const hasPatterns = [...allow, ...rules.flatMap((rule) => rule.tools ?? ['*'])].some(isPattern)
  const hasAnnotations = rules.some(({ annotations }) => annotations !== undefined)
  return (tool) => {
    const isKnown = known.has(tool)
    const { standing, rules: about } = gates.termsOf(tool, known.get(tool))
    // What a pattern stands for may be named by another one.
    const isUnsure = isPattern(tool) && hasPatterns
    const isUnnamed = standing === 'unnamed' && otherwise === 'refuse' && !isUnsure && (isKnown || !hasAnnotations)
    const refusedBy = standing === 'denied' ? 'deny' : standing === 'outside' && !isUnsure ? 'allow' : isUnnamed ? 'default' : undefined
    const barriers = about.filter(({ rule }) => isBarrier(rule) && (isKnown || rule.annotations === undefined))
    return { ...(refusedBy !== undefined && { refusedBy }), needs: [...new Set(barriers.map(({ rule }) => rule.gate))] }
  }
}

function isBarrier({ gate, condition, when, otherwise }: GateRule): boolean {
  return gate !== CONFIRM_GATE && condition === undefined && when === undefined && otherwise !== 'hold'
}
