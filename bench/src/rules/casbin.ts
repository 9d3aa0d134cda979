import { newEnforcer, newModelFromString } from 'casbin'
import type { Contestant, World } from './world.ts'

const MODEL = `
[request_definition]
r = tool
[policy_definition]
p = tool, gate, eft
[policy_effect]
e = !some(where (p.eft == deny))
[matchers]
m = r.tool == p.tool && isOpen(p.gate)
`

/** casbin: a policy line a rule, which denies its tool while its gate is not marked; the synchronous enforcer. */
export async function casbin({ rules, marked }: World): Promise<Contestant> {
  const enforcer = await newEnforcer(newModelFromString(MODEL))
  const lines = new Map(rules.map(({ tool, gate }) => [`${tool} ${gate}`, [tool, gate, 'deny']]))
  await enforcer.addPolicies([...lines.values()])
  await enforcer.addFunction('isOpen', (gate: string) => !marked.has(gate))
  return { name: 'casbin', decide: (tool) => enforcer.enforceSync(tool) }
}
