import { compileGates, createGateBits } from '@callgate/core'
import type { Contestant, World } from './world.ts'

/** callgate's compiled look-up: no expression, no store. */
export function ours({ rules, marked }: World): Contestant {
  const bits = createGateBits(compileGates({ rules: rules.map(({ tool, gate }) => ({ gate, tools: [tool], message: 'Do it first.' })) }))
  const session = bits.createMarked()
  for (const gate of marked) bits.mark(session, gate)
  return { name: 'callgate', decide: (tool) => bits.isClear(tool, session) }
}
