import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Attempt, Candidate } from '@callgate/core'
import type { JsonObject } from '@callgate/core'
import { ArgumentsSchema } from './arguments-schema.ts'
import { SchemaTypistPolicy } from './schema-typist-policy.ts'
import type { SchemaTypistOptions } from './schema-typist-policy.ts'

type Expected = 'unchanged_valid' | 'unchanged_invalid' | 'forward_exact_or_refuse' | { readonly repair: JsonObject }
type Case = {
  readonly id: string
  readonly kind: string
  readonly input: { readonly inputSchema: unknown; readonly calls?: readonly unknown[]; readonly raw_arguments?: readonly string[] }
  readonly expected: { readonly [mode: string]: readonly Expected[] | string }
}

const CASES = new URL('../../../../shared/cases/cases.jsonl', import.meta.url)
const isHere = existsSync(CASES)
const all = isHere ? readFileSync(CASES, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Case) : []
const cases = all.filter(({ kind }) => kind === 'A')
const modes: readonly (readonly [string, SchemaTypistOptions])[] = [
  ['strict', { mode: 'strict' }],
  ['strict_with_boolean_opt_in', { mode: 'strict', lowercaseBooleans: true }],
  ['basic', { mode: 'basic' }],
  ['flexible', { mode: 'flexible' }],
]
const words = ['reason', 'design_choice', 'must_not']

test.skipIf(!isHere).each(modes)('public bug reports on argument typing come out as decided, in the mode %s', (mode, options) => {
  let judged = 0
  for (const { id, input, expected } of cases) {
    const verdicts = expected[mode]
    if (verdicts === undefined || typeof verdicts === 'string') continue
    const schema = ArgumentsSchema.create({ schemaId: id, version: '1', inputSchema: input.inputSchema })
    candidatesOf(input).forEach((candidate, at) => {
      const verdict = verdicts[at] as Expected
      expect([id, at, outcomeOf(schema, candidate, options, verdict)]).toEqual([id, at, verdict])
      judged += 1
    })
  }
  const wanted = cases.map(({ expected }) => expected[mode]).filter(Array.isArray).flat().length
  expect(judged).toBe(wanted)
})

test.skipIf(!isHere)('every mode that the reports name is judged', () => {
  const named = new Set(cases.flatMap(({ expected }) => Object.keys(expected)).filter((word) => !words.includes(word)))
  expect([...named].filter((mode) => !modes.some(([known]) => known === mode))).toEqual([])
  expect(cases.length).toBeGreaterThan(20)
})

function candidatesOf({ calls = [], raw_arguments: texts = [] }: Case['input']): readonly Candidate[] {
  return [...calls.map((args) => Candidate.ofArguments(args)), ...texts.map(candidateOf)]
}

/** Raw arguments that are no object are one text: they can only be a candidate's field as they are. */
function candidateOf(text: string): Candidate {
  return text.startsWith('{') ? Candidate.ofWire(text) : Candidate.of({ arguments: JSON.parse(text) as unknown })
}

function outcomeOf(schema: ArgumentsSchema, candidate: Candidate, options: SchemaTypistOptions, wanted: Expected): unknown {
  const policy = new SchemaTypistPolicy(options)
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
