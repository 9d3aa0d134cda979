import { isPattern } from '@callgate/core'
import type { GateRules } from '@callgate/core'
import type { NameFinder } from './name-finder.ts'

/**
 * By gate, the tools that mark it, for gates that rules need or ask about and that nothing but tools marks. A pattern stands for
 * the names that it is about, and where `isOpen` also for itself: for tools that nobody has named.
 */
export function gateMarkers({ rules, marks = [], external = [] }: GateRules, matching: NameFinder, isOpen: boolean): ReadonlyMap<string, readonly string[]> {
  const asked = new Set(rules.flatMap(({ gate, condition }) => [gate, condition]))
  const elsewhere = new Set([...external, ...marks.filter(({ from }) => from === 'user').map(({ gate }) => gate)])
  const markers = new Map<string, Set<string>>()
  for (const { gate, tools = [], clear } of marks) {
    if (clear === true || !asked.has(gate) || elsewhere.has(gate)) continue
    const known = markers.get(gate) ?? new Set()
    markers.set(gate, known)
    for (const name of tools) {
      const matched = isPattern(name) ? matching(name) : [name]
      // A pattern about nothing is another finding.
      if (isPattern(name) && (isOpen || matched.length === 0)) known.add(name)
      for (const tool of matched) known.add(tool)
    }
  }
  return new Map([...markers].map(([gate, tools]) => [gate, [...tools]]))
}
