import { expect, test } from 'vitest'
import { settleClaim } from './claim.ts'
import type { Claim, ClaimPlan, LedgerRows, Mark } from './ledger.ts'

const rows = (part: Partial<LedgerRows>): LedgerRows => ({ marks: [], charges: [], ...part })
const claim = (part: Partial<Claim>): Claim => ({ at: 100, needs: [], clears: [], charges: [], ...part })
const nothing = { put: [], remove: [], charge: [], forget: [] }
const settle = (found: Partial<LedgerRows>, asked: Partial<Claim>): ClaimPlan => settleClaim(rows(found), claim(asked))
const short = (of: 'needs' | 'charges' | 'repeat', index = 0): ClaimPlan => ({ kind: 'short', of, index })
const claimed = (writes: object): ClaimPlan => ({ kind: 'claimed', writes: { ...nothing, ...writes } })

test('a claim of nothing writes nothing', () => {
  expect(settle({ marks: [{ gate: 'g', at: 1, uses: 1 }], charges: [{ limit: 'l', at: 1 }], streak: { digest: 'd', count: 3 } }, {})).toEqual(claimed({}))
})

const live: Mark = { gate: 'g', at: 1, key: '"k"', fact: '1' }
test.each<[string, Mark[], Claim['needs'][number], boolean]>([
  ['a mark of the key', [live], { gate: 'g', key: '"k"' }, true],
  ['a mark of another key', [live], { gate: 'g', key: '"j"' }, false],
  ['a mark without a key for a need of one', [{ gate: 'g', at: 1 }], { gate: 'g', key: '"k"' }, false],
  ['a mark of another gate', [{ ...live, gate: 'h' }], { gate: 'g', key: '"k"' }, false],
  ['no mark', [], { gate: 'g' }, false],
  ['any mark for a need without a key', [live], { gate: 'g' }, true],
  ['the fact that was judged', [live], { gate: 'g', key: '"k"', fact: '1' }, true],
  ['another fact', [live], { gate: 'g', key: '"k"', fact: '2' }, false],
  ['no fact any more', [{ gate: 'g', at: 1, key: '"k"' }], { gate: 'g', key: '"k"', fact: '1' }, false],
  ['a fact of any key', [{ ...live, key: '"j"', fact: '2' }, live], { gate: 'g', fact: '1' }, true],
  ['no key with that fact', [live], { gate: 'g', fact: '2' }, false],
  ['a mark a millisecond before its end', [{ ...live, expiresAt: 101 }], { gate: 'g' }, true],
  ['a mark at its end', [{ ...live, expiresAt: 100 }], { gate: 'g' }, false],
  ['an expired mark of the key', [{ ...live, expiresAt: 99 }], { gate: 'g', key: '"k"' }, false],
  ['a mark with no use left', [{ ...live, uses: 0 }], { gate: 'g' }, false],
])('%s meets a need or not', (_what, marks, need, isMet) => {
  expect(settle({ marks }, { needs: [need] })).toEqual(isMet ? claimed({}) : short('needs'))
})

test('a use is spent, and the last one takes the mark away', () => {
  const marks = [{ ...live, uses: 2 }, { gate: 'h', at: 1, uses: 1 }, { gate: 'i', at: 1, uses: 1 }]
  expect(settle({ marks }, { needs: [{ gate: 'g' }, { gate: 'h' }] })).toEqual(claimed({ put: [{ ...live, uses: 1 }], remove: [{ gate: 'h' }] }))
})

test('several needs that one mark serves spend one use of it', () => {
  const needs = [{ gate: 'g', key: '"k"' }, { gate: 'g', key: '"k"', fact: '1' }, { gate: 'g' }]
  expect(settle({ marks: [{ ...live, uses: 1 }] }, { needs })).toEqual(claimed({ remove: [{ gate: 'g', key: '"k"' }] }))
})

test('a need without a key takes the mark that was made first, then the one whose key comes first', () => {
  const at = (key: string | undefined, time: number): Mark => ({ gate: 'g', at: time, uses: 1, ...(key !== undefined && { key }) })
  const spend = (...marks: Mark[]): ClaimPlan => settle({ marks }, { needs: [{ gate: 'g' }] })
  expect(spend(at('"a"', 3), at('"b"', 2), at('"c"', 2))).toEqual(claimed({ remove: [{ gate: 'g', key: '"b"' }] }))
  expect(spend(at('"c"', 2), at('"b"', 2), at('"a"', 3))).toEqual(claimed({ remove: [{ gate: 'g', key: '"b"' }] }))
  expect(spend(at('"a"', 2), at(undefined, 2))).toEqual(claimed({ remove: [{ gate: 'g' }] }))
  expect(spend(at(undefined, 2), at('"a"', 2))).toEqual(claimed({ remove: [{ gate: 'g' }] }))
  expect(spend({ ...at('"a"', 1), expiresAt: 50 }, at('"b"', 2))).toEqual(claimed({ remove: [{ gate: 'g', key: '"b"' }] }))
})

test('the first need that is not met is named, and nothing is written', () => {
  expect(settle({ marks: [live] }, { needs: [{ gate: 'g' }, { gate: 'h' }, { gate: 'i' }], clears: [{ gate: 'g' }] })).toEqual(short('needs', 1))
})

test('what is cleared is gone after it was used: all marks of a gate, or those of the keys', () => {
  const marks = [{ ...live, uses: 3 }, { gate: 'g', at: 1 }, { gate: 'g', at: 1, key: '"j"' }, { gate: 'h', at: 1 }]
  const all = [{ gate: 'g', key: '"k"' }, { gate: 'g' }, { gate: 'g', key: '"j"' }]
  expect(settle({ marks }, { needs: [{ gate: 'g', key: '"k"' }], clears: [{ gate: 'g' }] })).toEqual(claimed({ remove: all }))
  expect(settle({ marks }, { clears: [{ gate: 'g', keys: ['"k"', '"absent"'] }] })).toEqual(claimed({ remove: [{ gate: 'g', key: '"k"' }] }))
  expect(settle({ marks }, { clears: [{ gate: 'g', keys: ['"k"'] }, { gate: 'g', keys: ['"j"'] }] }))
    .toEqual(claimed({ remove: [{ gate: 'g', key: '"k"' }, { gate: 'g', key: '"j"' }] }))
  expect(settle({ marks }, { clears: [{ gate: 'g' }, { gate: 'g', keys: ['"j"'] }] })).toEqual(claimed({ remove: all }))
  expect(settle({ marks }, { clears: [{ gate: 'g', keys: [] }] })).toEqual(claimed({}))
})

test('so many calls run in a window, which begins after its first millisecond', () => {
  const charges = [{ limit: 'l', calls: 2, perMs: 10 }]
  const at = (...times: number[]): { charges: { limit: string; at: number }[] } => ({ charges: times.map((time) => ({ limit: 'l', at: time })) })
  expect(settle({}, { charges })).toEqual(claimed({ charge: [{ limit: 'l', at: 100 }] }))
  expect(settle(at(91), { charges })).toEqual(claimed({ charge: [{ limit: 'l', at: 100 }] }))
  expect(settle(at(91, 100), { charges })).toEqual(short('charges'))
  expect(settle(at(90, 100), { charges })).toEqual(claimed({ charge: [{ limit: 'l', at: 100 }], forget: [{ limit: 'l', until: 90 }] }))
  expect(settle({ charges: [{ limit: 'm', at: 95 }, { limit: 'm', at: 96 }] }, { charges })).toEqual(claimed({ charge: [{ limit: 'l', at: 100 }] }))
})

test('what another process charged a moment after this claim was made counts', () => {
  expect(settle({ charges: [{ limit: 'l', at: 101 }] }, { charges: [{ limit: 'l', calls: 1, perMs: 10 }] })).toEqual(short('charges'))
})

test('a limit over the whole session is kept as one row, its total', () => {
  const charges = [{ limit: 'l', calls: 3 }]
  expect(settle({}, { charges })).toEqual(claimed({ charge: [{ limit: 'l', at: 100, amount: '1' }] }))
  expect(settle({ charges: [{ limit: 'l', at: 1 }, { limit: 'l', at: 120 }] }, { charges }))
    .toEqual(claimed({ charge: [{ limit: 'l', at: 120, amount: '3' }], forget: [{ limit: 'l', until: 120 }] }))
  expect(settle({ charges: [{ limit: 'l', at: 1, amount: '2' }, { limit: 'l', at: 2 }] }, { charges })).toEqual(short('charges'))
})

test('a sum is exact, and its bound may be reached but not passed', () => {
  const sum = (amount: string, max: string): Partial<Claim> => ({ charges: [{ limit: 'l', sum: { amount, max }, perMs: 50 }] })
  const spent = { charges: [{ limit: 'l', at: 60, amount: '0.1' }, { limit: 'l', at: 50, amount: '9' }, { limit: 'l', at: 51, amount: '0.1' }] }
  expect(settle(spent, sum('0.1', '0.3'))).toEqual(claimed({ charge: [{ limit: 'l', at: 100, amount: '0.1' }], forget: [{ limit: 'l', until: 50 }] }))
  expect(settle(spent, sum('0.10000000000000001', '0.3'))).toEqual(short('charges'))
  expect(settle({ charges: [{ limit: 'l', at: 99, amount: '9007199254740993' }] }, sum('1', '9007199254740993'))).toEqual(short('charges'))
  expect(settle({ charges: [{ limit: 'l', at: 99, amount: '1' }] }, { charges: [{ limit: 'l', sum: { amount: '0.5', max: '2' } }] }))
    .toEqual(claimed({ charge: [{ limit: 'l', at: 100, amount: '1.5' }], forget: [{ limit: 'l', until: 100 }] }))
})

test('an amount of nothing leaves no row, and is refused once the bound is passed', () => {
  const charges = [{ limit: 'l', sum: { amount: '0', max: '1' }, perMs: 50 }, { limit: 'm', sum: { amount: '0.0', max: '1' } }]
  expect(settle({}, { charges })).toEqual(claimed({}))
  expect(settle({ charges: [{ limit: 'l', at: 99, amount: '2' }] }, { charges })).toEqual(short('charges'))
})

test.each([
  ['an amount that is no number', [], { amount: 'x', max: '9' }],
  ['a negative amount', [], { amount: '-1', max: '9' }],
  ['a bound that is no number', [], { amount: '1', max: 'NaN' }],
  ['a row that is no number', [{ limit: 'l', at: 99, amount: 'x' }], { amount: '1', max: '9' }],
])('%s does not open a limit', (_what, charges, sum) => {
  expect(settle({ charges }, { charges: [{ limit: 'l', sum }] })).toEqual(short('charges'))
})

test('any number of limits is charged together, and the first that does not hold is named', () => {
  const charges = [{ limit: 'a', calls: 1 }, { limit: 'b', calls: 1 }, { limit: 'c', sum: { amount: '2', max: '1' } }]
  expect(settle({}, { charges: charges.slice(0, 2) })).toEqual(claimed({ charge: [{ limit: 'a', at: 100, amount: '1' }, { limit: 'b', at: 100, amount: '1' }] }))
  expect(settle({}, { charges })).toEqual(short('charges', 2))
  expect(settle({ charges: [{ limit: 'b', at: 1 }] }, { charges })).toEqual(short('charges', 1))
})

test('identical calls in a row are counted, and another call begins a new row', () => {
  const repeat = { digest: 'd', max: 2 }
  expect(settle({}, { repeat })).toEqual(claimed({ streak: { digest: 'd', count: 1 } }))
  expect(settle({ streak: { digest: 'd', count: 1 } }, { repeat })).toEqual(claimed({ streak: { digest: 'd', count: 2 } }))
  expect(settle({ streak: { digest: 'd', count: 2 } }, { repeat })).toEqual(short('repeat'))
  expect(settle({ streak: { digest: 'e', count: 9 } }, { repeat })).toEqual(claimed({ streak: { digest: 'd', count: 1 } }))
})

test('needs are named before limits, and limits before repeats', () => {
  const charges = [{ limit: 'l', calls: 1 }]
  const found = { charges: [{ limit: 'l', at: 1 }], streak: { digest: 'd', count: 1 } }
  expect(settle(found, { needs: [{ gate: 'g' }], charges, repeat: { digest: 'd', max: 1 } })).toEqual(short('needs'))
  expect(settle(found, { charges, repeat: { digest: 'd', max: 1 } })).toEqual(short('charges'))
})

test('names of JavaScript itself are gates, keys and limits like any other', () => {
  const mark = { gate: '__proto__', at: 1, key: '"constructor"', uses: 2 }
  expect(settle({ marks: [mark] }, { needs: [{ gate: '__proto__', key: '"constructor"' }], charges: [{ limit: 'toString', calls: 1, perMs: 1 }] }))
    .toEqual(claimed({ put: [{ ...mark, uses: 1 }], charge: [{ limit: 'toString', at: 100 }] }))
  expect(settle({}, { needs: [{ gate: 'constructor' }] })).toEqual(short('needs'))
})

test('ten thousand needs are met by as many marks at once', () => {
  const marks = Array.from({ length: 10_000 }, (_, at) => ({ gate: 'g', at, key: String(at), uses: 1 }))
  const plan = settle({ marks }, { needs: marks.map(({ gate, key }) => ({ gate, key })) })
  expect(plan.kind === 'claimed' && plan.writes.remove).toHaveLength(10_000)
})
