import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Attempt } from '../../model/attempt.ts'
import { Candidate } from '../../model/candidate.ts'
import type { Proposal } from '../../model/policy.ts'
import { PrimitiveSchema } from './primitive-schema.ts'
import { PRIMITIVE_TABLE } from './primitive-table.fixture.ts'
import type { PrimitiveRow } from './primitive-table.fixture.ts'
import { PrimitiveTypistPolicy } from './primitive-typist-policy.ts'

const PAGE = '../../../../docs/policies/primitive-typist.md'
const [START, END] = ['<!-- table: npm run tables -->', '<!-- /table -->']
const LONGEST = 40
const policy = new PrimitiveTypistPolicy()

test.each(PRIMITIVE_TABLE.map((row, at) => [at + 1, row] as const))('row %i: the policy does what the table says, and accepts its repair', (_at, row) => {
  const proposal = proposalFor(row, row.sent)
  const { kind } = proposal
  expect(kind).toBe(row.becomes !== undefined ? 'repair' : row.code === undefined ? 'accept' : 'deny')
  if (proposal.kind === 'repair' || proposal.kind === 'deny') expect(proposal.reasons.map(({ code }) => code)).toEqual([row.code])
  if (proposal.kind !== 'repair') return
  expect(proposal.candidate.fields).toEqual({ argument: row.becomes })
  expect(proposalFor(row, row.becomes)).toEqual({ kind: 'accept' })
})

test('the page has the table as it is tested', async () => {
  const page = readFileSync(new URL(PAGE, import.meta.url), 'utf8')
  const [start, end] = [page.indexOf(START), page.indexOf(END)]
  expect(start).toBeGreaterThan(0)
  expect(end).toBeGreaterThan(start)
  const written = `${page.slice(0, start)}${START}\n\n${tableText()}\n${page.slice(end)}`
  await expect(written).toMatchFileSnapshot(PAGE)
})

function proposalFor({ wanted, bounds = [0, 100] }: PrimitiveRow, argument: unknown): Proposal {
  const named = { schemaId: 'tool.argument', version: '1' }
  const [minimum, maximum] = bounds
  const schema = wanted === 'integer'
    ? PrimitiveSchema.create({ ...named, expected: 'integer', minimum, maximum })
    : PrimitiveSchema.create({ ...named, expected: 'boolean', allowLowercaseBoolean: wanted !== 'boolean' })
  const candidate = Candidate.of({ argument })
  return policy.evaluate(Attempt.create({ phase: 'pre', event: 'tool.call', target: { adapter: 'test', tool: 'tool' }, candidate, schema }))
}

function tableText(): string {
  const lines = PRIMITIVE_TABLE.map(({ wanted, bounds, sent, becomes, code }) => {
    const what = wanted === 'integer' ? `integer from ${bounds?.[0] ?? 0} to ${bounds?.[1] ?? 100}` : wanted
    const outcome = becomes !== undefined ? `\`${becomes}\`` : code === undefined ? 'as it is' : 'refused'
    return `| ${what} | ${shown(sent)} | ${outcome} | ${code === undefined ? '' : `\`${code}\``} |`
  })
  return ['| wanted | sent | becomes | code |', '| --- | --- | --- | --- |', ...lines, ''].join('\n')
}

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > LONGEST ? `${text.length - 2} characters` : `\`${text}\``
}
