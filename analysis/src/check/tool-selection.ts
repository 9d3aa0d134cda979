import { compileGates } from '@callgate/core'
import type { GateRule, GateRules } from '@callgate/core'
import type { KnownTool } from './finding.ts'
import { createNameFinder } from './name-finder.ts'

/** Tells whether a rule, by its place in the rules, is about any of some tools. */
export type ToolSelection = (at: number) => boolean

/** Looks at names by an index; only rules about annotations are held against every tool. */
export function createSelection({ rules }: GateRules, tools: readonly KnownTool[]): ToolSelection {
  const matching = createNameFinder(tools.map(({ name }) => name))
  const annotated = rules.flatMap((rule, at) => (rule.annotations === undefined ? [] : [{ rule, at }]))
  const about = annotatedAbout(annotated.map(({ rule }) => rule), tools)
  const places = new Map(annotated.map(({ at }, index) => [at, index]))
  return (at) => {
    const index = places.get(at)
    return index === undefined ? (rules[at]?.tools ?? []).some((name) => matching(name).length > 0) : about.has(index)
  }
}

function annotatedAbout(rules: readonly GateRule[], tools: readonly KnownTool[]): ReadonlySet<number> {
  if (rules.length === 0) return new Set()
  const gates = compileGates({ rules })
  const places = new Map(gates.source.rules.map((rule, at) => [rule, at]))
  const about = new Set<number>()
  for (const { name, annotations } of tools) {
    for (const { rule } of gates.rulesOf(name, annotations)) about.add(places.get(rule) ?? -1)
  }
  return about
}
