import { Engine } from 'json-rules-engine'
import type { Contestant, World } from './world.ts'

/** json-rules-engine: a rule a rule, which fires for its tool while its gate is not marked. */
export function jsonRules({ rules, gates, marked }: World): Contestant {
  const conditions = rules.map(({ tool, gate }) => ({
    conditions: { all: [{ fact: 'tool', operator: 'equal', value: tool }, { fact: gate, operator: 'equal', value: false }] },
    event: { type: 'deny' },
  }))
  const engine = new Engine(conditions)
  const state = Object.fromEntries(gates.map((gate) => [gate, marked.has(gate)]))
  return {
    name: 'json-rules-engine',
    async decide(tool) {
      const { events } = await engine.run({ tool, ...state })
      return events.length === 0
    },
  }
}
