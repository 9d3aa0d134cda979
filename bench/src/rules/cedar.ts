import { preparsePolicySet, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs'
import type { Contestant, World } from './world.ts'

const PRINCIPAL = { type: 'Agent', id: 'a' }
const ACTION = { type: 'Action', id: 'call' }

/** Cedar in WebAssembly: a `forbid` a rule, parsed once; the marked gates travel in the context of each question. */
export function cedar({ rules, gates, marked }: World): Contestant {
  const forbids = rules.map(({ tool, gate }) => `forbid(principal, action, resource == Tool::"${tool}") unless { context.${gate} };`)
  const staticPolicies = ['permit(principal, action, resource);', ...forbids].join('\n')
  const preparsedPolicySetId = `bench-${rules.length}`
  const parsed = preparsePolicySet(preparsedPolicySetId, { staticPolicies })
  if (parsed.type !== 'success') throw new Error(`cedar refused the policies: ${JSON.stringify(parsed)}`)
  const context = Object.fromEntries(gates.map((gate) => [gate, marked.has(gate)]))
  return {
    name: 'cedar-wasm',
    decide(tool) {
      const resource = { type: 'Tool', id: tool }
      const answer = statefulIsAuthorized({ principal: PRINCIPAL, action: ACTION, resource, context, preparsedPolicySetId, entities: [] })
      if (answer.type !== 'success') throw new Error(`cedar could not answer: ${JSON.stringify(answer)}`)
      return answer.response.decision === 'allow'
    },
  }
}
