import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { JsonValue, Proposal } from '@callgate/core'
import type { SchemaTypistOptions } from './schema-typist-policy.ts'
import { objectSchema, propose } from './typing.fixture.ts'
import { TYPING_TABLE } from './typing-table.fixture.ts'
import type { TypingRow } from './typing-table.fixture.ts'

const PAGE = '../../../docs/policies/schema-typist.md'
const [START, END] = ['<!-- table: npm run tables -->', '<!-- /table -->']

const MODES: readonly (readonly [TypingRow['tier'], SchemaTypistOptions])[] = [
  ['strict', { mode: 'strict' }],
  ['opt-in', { mode: 'strict', lowercaseBooleans: true }],
  ['basic', { mode: 'basic' }],
  ['flexible', { mode: 'flexible' }],
]
const rows = Object.entries(TYPING_TABLE).flatMap(([part, list]) => list.map((row, at) => [part, at + 1, row] as const))

test.each(rows)('%s, row %i: each tier does what the table says, and its repair is accepted', (_part, _at, row) => {
  const schema = objectSchema({ p: row.schema })
  for (const [tier, options] of MODES) {
    const proposal = propose(schema, { p: row.sent }, options)
    expect([tier, outcomeOf(proposal)]).toEqual([tier, wantedOf(row, tier)])
    if (proposal.kind === 'repair') {
      expect(codesOf(proposal)).toContain(row.code)
      expect(propose(schema, proposal.candidate, options)).toEqual({ kind: 'accept' })
    }
    if (row.tier === 'none' && tier === 'flexible') expect(codesOf(proposal)).toEqual([row.code])
  }
})

test('the page has the table as it is tested', async () => {
  const page = readFileSync(new URL(PAGE, import.meta.url), 'utf8')
  const [start, end] = [page.indexOf(START), page.indexOf(END)]
  expect(start).toBeGreaterThan(0)
  expect(end).toBeGreaterThan(start)
  const written = `${page.slice(0, start)}${START}\n\n${tableText()}\n${page.slice(end)}`
  await expect(written).toMatchFileSnapshot(PAGE)
})

/** In the tier, and in those that contain it, the row's outcome; else refused. */
function wantedOf({ tier, outcome }: TypingRow, at: TypingRow['tier']): unknown {
  if (tier === 'valid') return 'accepted'
  const order = MODES.map(([name]) => name)
  if (tier === 'none' || order.indexOf(at) < order.indexOf(tier)) return 'refused'
  return { repaired: outcome === undefined ? {} : { p: outcome } }
}

function outcomeOf(proposal: Proposal): unknown {
  switch (proposal.kind) {
    case 'accept':
      return 'accepted'
    case 'repair':
      return { repaired: proposal.candidate.fields['arguments'] }
    case 'deny':
      return 'refused'
    default:
      return proposal.kind
  }
}

function codesOf(proposal: Proposal): readonly string[] {
  return proposal.kind === 'repair' || proposal.kind === 'deny' ? proposal.reasons.map(({ code }) => code) : []
}

function tableText(): string {
  return Object.entries(TYPING_TABLE).map(([part, list]) => `### ${part}\n\n${partText(list)}`).join('\n')
}

function partText(list: readonly TypingRow[]): string {
  const lines = list.map(({ schema, sent, tier, outcome, code }) => {
    const becomes = tier === 'valid' ? 'as it is' : tier === 'none' ? 'refused' : outcome === undefined ? 'left out' : json(outcome)
    return `| ${json(schema)} | ${json(sent)} | ${tier === 'valid' ? 'all' : tier} | ${becomes} | ${code === undefined ? '' : `\`${code}\``} |`
  })
  return ['| schema | sent | tier | becomes | code |', '| --- | --- | --- | --- | --- |', ...lines, ''].join('\n')
}

function json(value: JsonValue): string {
  return `\`${JSON.stringify(value).replaceAll('|', '\\|')}\``
}
