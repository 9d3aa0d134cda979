import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createRowJudge } from './judge-row.ts'
import { measureTypingData, sum, typingDataTargets } from './measure-typing-data.ts'
import type { TypingMeasurement } from './measure-typing-data.ts'
import { readTypingData } from './read-typing-data.ts'
import { formatTypingData } from './typing-data-report.ts'
import { readTypingRows } from './typing-row.ts'
import type { TypingRow } from './typing-row.ts'

const DATA = new URL('../../../../../shared/data/', import.meta.url)
const isHere = existsSync(DATA)

function row(more: Readonly<Record<string, unknown>>, isRequired?: boolean): TypingRow {
  const [read] = readTypingRows('file.jsonl', JSON.stringify({ tool: 'tool', param: 'limit', class: 'string_for_integer', schema: { type: 'integer' }, ...more }), () => isRequired)
  if (read === undefined) throw new Error('no row')
  return read
}

const judge = createRowJudge()

test.each<readonly [string, TypingRow, unknown]>([
  ['equal to a published value', row({ sent: '7', expected_any_of: [6, 7] }), { kind: 'repaired', codes: ['canonical_integer'], published: 'equal', later: 'none' }],
  ['different from it', row({ sent: '7', expected_any_of: [6] }), { kind: 'repaired', published: 'different' }],
  ['beside a value that breaks the schema itself', row({ sent: '7', expected_any_of: ['seven'] }), { kind: 'repaired', published: 'unfit' }],
  ['of an answer key that publishes what it sends', row({ sent: '7', origin: 'published answer key / annotation vs declared schema' }), { kind: 'repaired', published: 'unfit' }],
  ['without a published value', row({ sent: '7', later_accepted_by_same_model: 8 }), { kind: 'repaired', published: 'none', later: 'different' }],
  ['down a path', row({ param: 'files/0/line', sent: '7', expected_any_of: [7] }), { kind: 'refused' }],
])('a repair %s is told', (_, given, wanted) => {
  expect(judge.sent(given, 'strict')).toMatchObject(wanted as object)
})

test('a value down a path is wrapped along it, and found again', () => {
  expect(judge.sent(row({ param: 'files/0/line', sent: '7', expected_any_of: [7] }), 'basic')).toMatchObject({ kind: 'repaired', published: 'equal' })
})

test('an empty text among the published values says that the parameter may be left out', () => {
  expect(judge.sent(row({ sent: null, expected_any_of: [''] }), 'flexible')).toMatchObject({ kind: 'repaired', published: 'equal' })
  expect(judge.sent(row({ sent: null, expected_any_of: [5], optional: true }), 'flexible')).toMatchObject({ kind: 'repaired', published: 'different' })
  expect(judge.sent(row({ sent: null, expected_any_of: [5] }), 'flexible')).toEqual({ kind: 'refused' })
  expect(judge.sent(row({ sent: null }, false), 'flexible')).toMatchObject({ kind: 'repaired', published: 'none' })
})

test('what has no schema, or one that does not compile, is not judged', () => {
  expect(judge.sent(row({ sent: '7', schema: null }), 'strict')).toEqual({ kind: 'unjudged' })
  expect(judge.sent(row({ sent: '7', schema: { type: 'String' } }), 'strict')).toEqual({ kind: 'unjudged' })
})

test('a missing argument is sent as missing, not as null', () => {
  expect(judge.sent(row({ sent: null, class: 'missing_required', schema: { type: 'null' } }), 'strict')).toEqual({ kind: 'refused' })
})

test('published values are judged each by itself, those that break the schema apart', () => {
  const key = row({ class: 'string_year', schema: { type: 'string' }, expected_any_of: ['2022', 2022, ''] })
  expect(judge.key(key, 'flexible')).toEqual({ admitted: 1, changed: 0, repaired: 0, refused: 1 })
})

test('a target is missed by one changed value, by one repair against a key, and below nine in ten', () => {
  const rows = (different: number, equal: number): readonly TypingRow[] =>
    [...Array.from({ length: different }, () => row({ sent: '7', expected_any_of: [6] })), ...Array.from({ length: equal }, () => row({ sent: '7', expected_any_of: [7] }))]
  const reached = (measurement: TypingMeasurement): readonly unknown[] => typingDataTargets(measurement).map(({ isReached }) => isReached)
  expect(reached(measureTypingData(rows(1, 9)))).toEqual([undefined, undefined, undefined, false, false, true])
  expect(reached(measureTypingData(rows(1, 8)))).toEqual([undefined, undefined, undefined, false, false, false])
  const changed = measureTypingData([row({ class: 'key', expected_any_of: [7] })])
  const counts = changed.key.get('basic')?.get('key')
  const spoilt = { ...changed, key: new Map([...changed.key, ['basic' as const, new Map([['key', { ...counts!, changedRows: 1 }]])]]) }
  expect(reached(changed).slice(0, 3)).toEqual([true, true, true])
  expect(reached(spoilt).slice(0, 3)).toEqual([true, false, true])
})

test('a repair that disagrees is listed by the id of its row, never by its value', () => {
  const text = formatTypingData(measureTypingData([row({ sent: '4711', expected_any_of: [6] })]))
  expect(text).toContain('- `file.jsonl:1`, string_for_integer: canonical_integer (strict, basic, flexible)')
  expect(text).not.toContain('4711')
})

test.skipIf(!isHere)('no target is missed on the recorded arguments, and no published right value is touched', () => {
  const measurement = measureTypingData(readTypingData(fileURLToPath(new URL('typing/', DATA)), fileURLToPath(new URL('schemas/', DATA))))
  expect(typingDataTargets(measurement).filter(({ isReached }) => isReached === false)).toEqual([])
  expect(measurement.changed).toEqual([])
  expect(sum(measurement.key.get('flexible'), ({ rows }) => rows)).toBe(596)
  expect(sum(measurement.key.get('flexible'), ({ admittedRows }) => admittedRows)).toBeGreaterThan(500)
  expect(sum(measurement.sent.get('strict'), ({ repaired }) => repaired)).toBeGreaterThan(5)
})
