import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from './canonical.ts'
import { exactCopy } from './exact-copy.ts'
import { exactValues, reversedKeys } from './exact-values.fixture.ts'
import { exceededBound } from './budget.ts'
import type { JsonValue } from './json-value.ts'
import { parseWire } from './parse-wire.ts'

function exact(value: unknown): JsonValue {
  return exactCopy(value)
}

const RFC_8785: readonly (readonly [value: unknown, text: string])[] = [
  [[Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001], '[333333333.3333333,1e+30,4.5,0.002,1e-27]'],
  ['\u20ac$\u000f\nA\'B"\\\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
  [[null, true, false], '[null,true,false]'],
  [5e-324, '5e-324'], [1.7976931348623157e308, '1.7976931348623157e+308'], [9007199254740992, '9007199254740992'],
  [295147905179352830000, '295147905179352830000'], [1e21, '1e+21'], [1e23, '1e+23'], [0.000001, '0.000001'], [1e-7, '1e-7'],
  [{ '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 }, '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"\ud83d\ude00":5,"\ufb33":3}'],
  ['\u0000\u0008\u0009\u000a\u000b\u000c\u000d\u001f\u007f\u2028', '"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\u007f\u2028"'],
  [{ b: [], a: {}, aa: [[], {}] }, '{"a":{},"aa":[[],{}],"b":[]}'],
  [2n ** 64n, '18446744073709551616'], [-(2n ** 64n), '-18446744073709551616'],
]

test.each(RFC_8785)('%s is written as RFC 8785 says', (value, text) => {
  expect(canonicalJson(exact(value))).toBe(text)
})

test('a WireNumber is written as its text', () => {
  expect(canonicalJson(parseWire('{"b": 1.00000000000000000001, "a": -0.0}', ''))).toBe('{"a":-0.0,"b":1.00000000000000000001}')
})

test('canonical JSON spells the value, and is its own canonical form', () => {
  fc.assert(fc.property(exactValues, (value) => {
    const text = canonicalJson(exact(value))
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? Number(member) : member))))
    expect(canonicalJson(exact(reversedKeys(value)))).toBe(text)
  }))
})

test('nesting costs no stack', () => {
  const text = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  expect(canonicalJson(parseWire(text, ''))).toBe(text)
})

test('the bytes of a budget are those of the canonical text, to the byte', () => {
  fc.assert(fc.property(exactValues, (raw) => {
    const value = exact(raw)
    const bytes = new TextEncoder().encode(canonicalJson(value)).length
    expect(exceededBound([value], { bytes, depth: 64 })).toBeUndefined()
    expect(exceededBound([value], { bytes: bytes - 1, depth: 64 })).toBe('bytes')
  }), { numRuns: 500 })
})

test('every character counts as the bytes that it takes', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => {
    const bytes = new TextEncoder().encode(JSON.stringify(text)).length
    expect(exceededBound([text], { bytes, depth: 1 })).toBeUndefined()
    expect(exceededBound([text], { bytes: bytes - 1, depth: 1 })).toBe('bytes')
  }))
  for (let unit = 0; unit < 0x900; unit += 1) {
    const text = String.fromCharCode(unit)
    const bytes = new TextEncoder().encode(JSON.stringify(text)).length
    expect([exceededBound([text], { bytes, depth: 1 }), exceededBound([text], { bytes: bytes - 1, depth: 1 })]).toEqual([undefined, 'bytes'])
  }
})

test('a flat object is measured to the byte, however long its numbers are, and each unit of its texts', () => {
  const longest = -0.0000012345678901234567
  expect(String(longest)).toHaveLength(25)
  for (const flat of [{ a: longest }, { a: longest, '\u0000': '\u0000', b: false, c: null }, { a: 'x', b: longest }, {}]) {
    const bytes = canonicalJson(exact(flat)).length
    expect([exceededBound([exact(flat)], { bytes, depth: 1 }), exceededBound([exact(flat)], { bytes: bytes - 1, depth: 1 })]).toEqual([undefined, 'bytes'])
  }
})

test('the bytes of several values add up, their depth does not', () => {
  expect(exceededBound(['ab', 'cd'], { bytes: 8, depth: 1 })).toBeUndefined()
  expect(exceededBound(['ab', 'cd'], { bytes: 7, depth: 1 })).toBe('bytes')
  expect(exceededBound([[1], [2]], { bytes: 99, depth: 1 })).toBeUndefined()
})

test('the outermost container is depth 1, and scalars have none', () => {
  expect(exceededBound([1, 'a', null], { bytes: 99, depth: 0 })).toBeUndefined()
  expect(exceededBound([{}], { bytes: 99, depth: 0 })).toBe('depth')
  expect(exceededBound([{ a: [1] }], { bytes: 99, depth: 2 })).toBeUndefined()
  expect(exceededBound([{ a: [{}] }], { bytes: 99, depth: 2 })).toBe('depth')
})

test('an integer of any length is measured', () => {
  const long = 10n ** 1000n
  expect(exceededBound([long], { bytes: 1001, depth: 1 })).toBeUndefined()
  expect(exceededBound([-long], { bytes: 1001, depth: 1 })).toBe('bytes')
  expect(exceededBound([-(2n ** 20_000_000n)], { bytes: 65_536, depth: 1 })).toBe('bytes')
})
