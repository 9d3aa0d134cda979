import { Candidate, createGatekeeper } from '@callgate/core'
import type { Policy } from '@callgate/core'
import { local } from '@callgate/core/local'
import { expect, test } from 'vitest'

const reader: Policy = {
  id: 'reader',
  version: '1',
  owns: ['/arguments'],
  evaluate: ({ candidate: { fields } }) =>
    fields['arguments'] === '{"n":1}' ? { kind: 'repair', candidate: Candidate.ofWire('{"n":1}'), reasons: [{ code: 'json_text' }] } : { kind: 'abstain' },
}

test.each<readonly [string, Candidate, readonly Policy[], unknown]>([
  ['a text that no policy reads', Candidate.of({ arguments: '{"n":1}' }), [], undefined],
  ['a text that its policy leaves alone', Candidate.of({ arguments: '[]' }), [reader], undefined],
  ['a list', Candidate.of({ arguments: [{ n: 1 }] }), [], undefined],
  ['another field', Candidate.of({ argument: 7 }), [], undefined],
  ['a text that a policy repairs into an object', Candidate.of({ arguments: '{"n":1}' }), [reader], { n: 1 }],
])('only an object ever runs: %s', async (_, args, policies, ran) => {
  const seen: unknown[] = []
  const gatekeeper = createGatekeeper({ gates: [], policies, ...local() })
  const outcome = await gatekeeper.session('s', { principal: 'p' }).call({ tool: 't', args }, (given) => void seen.push(given))
  expect(seen).toEqual(ran === undefined ? [] : [ran])
  if (ran === undefined) expect(outcome).toMatchObject({ verdict: 'refused', cause: 'arguments', reasons: [{ code: 'type_mismatch', pointer: '/arguments' }] })
})
