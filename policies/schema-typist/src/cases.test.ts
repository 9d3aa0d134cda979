import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Attempt, Candidate } from '@callgate/core'
import type { JsonObject } from '@callgate/core'
import { ArgumentsSchema } from './arguments-schema.ts'
import { SchemaTypistPolicy } from './schema-typist-policy.ts'

type Expected = 'unchanged_valid' | 'unchanged_invalid' | 'forward_exact_or_refuse' | { readonly repair: JsonObject }
type Case = {
  readonly id: string
  readonly kind: string
  readonly input: { readonly inputSchema: unknown; readonly calls?: readonly unknown[]; readonly raw_arguments?: readonly string[] }
  readonly expected: { readonly strict?: readonly Expected[]; readonly strict_with_boolean_opt_in?: readonly Expected[] }
}

const CASES = new URL('../../../../shared/cases/cases.jsonl', import.meta.url)
const isHere = existsSync(CASES)
const cases = isHere ? readFileSync(CASES, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Case) : []

test.skipIf(!isHere)('public bug reports on argument typing come out as decided, in the tier strict', () => {
  const typing = cases.filter(({ kind, expected }) => kind === 'A' && expected.strict !== undefined)
  expect(typing.length).toBeGreaterThan(20)
  for (const { id, input, expected } of typing) {
    const schema = ArgumentsSchema.create({ schemaId: id, version: '1', inputSchema: input.inputSchema })
    for (const [lowercaseBooleans, verdicts] of [[false, expected.strict], [true, expected.strict_with_boolean_opt_in]] as const) {
      candidatesOf(input).forEach((candidate, at) => {
        const verdict = verdicts?.[at]
        if (verdict !== undefined) expect([id, at, outcomeOf(schema, candidate, lowercaseBooleans, verdict)]).toEqual([id, at, verdict])
      })
    }
  }
})

function candidatesOf({ calls = [], raw_arguments: texts = [] }: Case['input']): readonly Candidate[] {
  return [...calls.map((args) => Candidate.ofArguments(args)), ...texts.map(candidateOf)]
}

/** Raw arguments that are no object are one text: they can only be a candidate's field as they are. */
function candidateOf(text: string): Candidate {
  return text.startsWith('{') ? Candidate.ofWire(text) : Candidate.of({ arguments: JSON.parse(text) as unknown })
}

function outcomeOf(schema: ArgumentsSchema, candidate: Candidate, lowercaseBooleans: boolean, wanted: Expected): unknown {
  const policy = new SchemaTypistPolicy({ mode: 'strict', lowercaseBooleans, invalid: 'refuse' })
  const attempt = Attempt.create({ phase: 'pre', event: 'tool.call', target: { adapter: 'test', tool: 'tool' }, candidate, schema })
  const proposal = policy.evaluate(attempt)
  switch (proposal.kind) {
    case 'accept':
      return wanted === 'forward_exact_or_refuse' ? wanted : 'unchanged_valid'
    case 'deny':
      return wanted === 'forward_exact_or_refuse' ? wanted : 'unchanged_invalid'
    case 'repair':
      return { repair: proposal.candidate.fields['arguments'] as JsonObject }
    default:
      return proposal.kind
  }
}
