import { AbilityBuilder, createMongoAbility, subject } from '@casl/ability'
import type { Contestant, World } from './world.ts'

/** CASL: everything may be called, but for each rule's tool while its gate is not marked. */
export function casl({ rules, gates, marked }: World): Contestant {
  const { can, cannot, build } = new AbilityBuilder(createMongoAbility)
  can('call', 'all')
  for (const { tool, gate } of rules) cannot('call', tool, { [gate]: { $ne: true } })
  const ability = build()
  const state = Object.fromEntries(gates.map((gate) => [gate, marked.has(gate)]))
  return { name: 'CASL', decide: (tool) => ability.can('call', subject(tool, { ...state })) }
}
