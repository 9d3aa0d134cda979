import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCallgateError } from '../model/callgate-error.ts'
import { canonicalJson } from '../model/canonical.ts'
import { exactValues } from '../model/exact-values.fixture.ts'
import type { JsonObject } from '../model/json-value.ts'
import { WireNumber } from '../model/wire-number.ts'
import type { EntryDraft } from './entry.ts'
import { beginPrinting, everydayText } from './everyday-text.ts'
import type { Printing } from './everyday-text.ts'
import { parseEntry } from './parse-entry.ts'
import { GENESIS, prepareEntry } from './seal-entry.ts'

const draft: EntryDraft = { kind: 'decision', at: 7, principal: 'ada', session: 's', call: 'c', data: {} }
const draftOf = (data: unknown): EntryDraft => ({ ...draft, data: data as JsonObject })

/** The long way: print, read, print again, with nothing of the short one. */
function longWay(given: EntryDraft): string {
  const exact = parseEntry(canonicalJson(given))
  const open = { ...exact, seq: 1, prev: GENESIS.hash }
  const hash = createHash('sha256').update(canonicalJson(open)).digest('hex')
  return canonicalJson({ ...open, hash })
}

function outcomeOf(body: () => string): string {
  try {
    return body()
  } catch (error) {
    const cause = isCallgateError(error) && error.code === 'store_invalid' ? error.cause : error
    return `threw ${cause instanceof Error ? `${cause.name} ${cause.message}` : String(cause)}`
  }
}

function faultOf(value: unknown): Printing['fault'] {
  const printing = beginPrinting()
  everydayText(value, printing)
  return printing.fault
}

const nested = (levels: number, inner: unknown): unknown => {
  let value = inner
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { value }
  return value
}

class Money {
  readonly amount: number = 7
}

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    undefined, Number.NaN, Infinity, -0, 1e21, -1e300, 5e-324, 5n, -(2n ** 90n), Symbol('s'), () => 1,
    '\ud800', 'a\udc00b', '"\\\n\u2028\u007f', '🚪', new Date(0), new Map([[1, 2]]), new Money(), Object(7), Object('x'), /x/,
    new Uint8Array(2), new WireNumber('1.00000000000000000000001', 1),
  ),
  exactValues.map((value) => Object.create(null, { value: { value, enumerable: true } }) as unknown),
  exactValues.map((value) => Object.create({ inherited: 1 }, { value: { value, enumerable: true } }) as unknown),
  exactValues.map((value) => ({ get value() { return value } })),
  exactValues.map((value) => Object.defineProperty({ a: 1 }, 'hidden', { value })),
  exactValues.map((value) => ({ [Symbol('s')]: value, toJSON: null })),
  exactValues.map((value) => Object.assign([value], { extra: value })),
  exactValues.map((value) => new Proxy([value], {})),
  exactValues.map((value) => new Proxy({ value }, {})),
  exactValues.map((value) => ({ '\ud800': value })),
  fc.constant({ get value(): never { throw new TypeError('planted') } }),
  fc.constantFrom<unknown>(Object.assign(new Array(2), { 1: 1 }), new Array(3), class extends Array {}.from([1])),
)

const planted: fc.Arbitrary<unknown> = fc
  .tuple(exactValues, hostile, exactValues, fc.nat(3))
  .map(([before, value, after, levels]) => ({ before, m: nested(levels, [before, value, after]), z: after }))

test('whatever the data, an entry is the text that printing, reading and printing again makes of it, or the same error', () => {
  fc.assert(
    fc.property(fc.oneof(exactValues, planted), (data) => {
      const given = draftOf(data)
      expect(outcomeOf(() => prepareEntry(given)(GENESIS).text)).toBe(outcomeOf(() => longWay(given)))
    }),
    { numRuns: 2_000 },
  )
})

test('whatever stands in a member of the draft, it is printed or refused as by the long way', () => {
  const members = fc.constantFrom('kind', 'at', 'principal', 'session', 'call')
  fc.assert(
    fc.property(members, fc.oneof(exactValues, hostile), (member, value) => {
      const given = { ...draft, [member]: value } as EntryDraft
      expect(outcomeOf(() => prepareEntry(given)(GENESIS).text)).toBe(outcomeOf(() => longWay(given)))
    }),
    { numRuns: 1_000 },
  )
})

test('everyday data takes the short way, and is what canonical JSON prints', () => {
  const data = { b: [1, 'x'], a: { __proto__: null, '': [null] } }
  for (const value of ['a "é" 🚪\n', 0, -7, 0.1, 1e-7, 2 ** 53 - 1, true, null, [], {}, data, nested(100, 'deep')]) {
    const printing = beginPrinting()
    expect(everydayText(value, printing)).toBe(canonicalJson(value as JsonObject))
    expect(printing.fault).toBeUndefined()
  }
})

const unusual: readonly unknown[] = [
  undefined, 2 ** 53, 1e21, Infinity, 2n ** 60n, '\udc00', { '\ud800': 1 }, [undefined], { a: Symbol('s') }, new Date(0), new Money(),
]

test('what is no everyday data is found to be unusual', () => {
  for (const value of unusual) expect(faultOf(value), String(value)).toBe('unusual')
})

test('what is deeper than 100 levels or longer than 2^20 characters is vast, also behind what is unusual', () => {
  const cycle: unknown[] = []
  cycle.push(cycle)
  const shared = Array.from({ length: 90 }).reduce<unknown>((value) => [value, value], 2n ** 60n)
  const many = Array.from({ length: 2 ** 20 + 1 }, () => 1)
  const long = ['x'.repeat(2 ** 20), []]
  for (const value of [nested(101, 1), cycle, [1n, cycle], shared, many, long, new Array(2 ** 32 - 1)]) expect(faultOf(value)).toBe('vast')
})

test('what was found to be vast stays so, whatever unusual follows', () => {
  const printing = beginPrinting()
  for (const value of [nested(101, 1), undefined]) everydayText(value, printing)
  expect(printing.fault).toBe('vast')
})

test('vast data is recorded where it is exact, and refused where it has no end', () => {
  const deep = draftOf(nested(300, { big: 2n ** 70n, n: 1e21, text: 'x'.repeat(2 ** 20) }))
  expect(prepareEntry(deep)(GENESIS).text).toBe(longWay(deep))
  const cycle: Record<string, unknown> = { n: 2n ** 60n }
  cycle['self'] = new Proxy(cycle, {})
  cycle['again'] = cycle
  expect(() => prepareEntry(draftOf(cycle))).toThrow(/cannot be recorded.*cycle/)
})
