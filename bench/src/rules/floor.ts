import type { Contestant, World } from './world.ts'

/** The floor: a plain Map look-up with a bit test. Nothing that decides by tool name can do less. */
export function floor({ rules, gates, marked }: World): Contestant {
  const bits = new Map(gates.map((gate, at) => [gate, 1 << at]))
  const bitsOf = (names: Iterable<string>): number => [...names].reduce((sum, gate) => sum | (bits.get(gate) ?? 0), 0)
  const needs = new Map<string, number>()
  for (const { tool, gate } of rules) needs.set(tool, (needs.get(tool) ?? 0) | bitsOf([gate]))
  const is = bitsOf(marked)
  return {
    name: 'floor: Map and a bit test',
    decide(tool) {
      const need = needs.get(tool) ?? 0
      return (need & is) === need
    },
  }
}
