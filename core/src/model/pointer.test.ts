import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyChanges } from './apply-changes.ts'
import { canonicalJson } from './canonical.ts'
import { diffValues } from './diff-values.ts'
import { exactCopy } from './exact-copy.ts'
import { containersIn, exactFields } from './exact-values.fixture.ts'
import type { JsonObject } from './json-value.ts'
import { parseWire } from './parse-wire.ts'
import { formatPointer, parsePointer, valueAt } from './pointer.ts'

function exact(fields: unknown): JsonObject {
  return exactCopy(fields) as JsonObject
}

test('the pointers of RFC 6901 lead where it says', () => {
  const document = exact({ foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'c%d': 2, 'e^f': 3, 'g|h': 4, 'i\\j': 5, 'k"l': 6, ' ': 7, 'm~n': 8 })
  const values = ['', '/foo', '/foo/0', '/', '/a~1b', '/c%d', '/e^f', '/g|h', '/i\\j', '/k"l', '/ ', '/m~0n'].map((pointer) =>
    valueAt(document, parsePointer(pointer) ?? ['no pointer']))
  expect(values).toEqual([document, ['bar', 'baz'], 'bar', 0, 1, 2, 3, 4, 5, 6, 7, 8])
})

test('~01 is ~1, not a slash', () => {
  expect(parsePointer('/~01')).toEqual(['~1'])
})

test.each(['a', 'a/b', '#/a', '/~', '/~2', '/a~', ' /a'])('%j is no pointer', (pointer) => {
  expect(parsePointer(pointer)).toBeUndefined()
})

test('tokens survive formatting and parsing', () => {
  fc.assert(fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('', '/', '~', '~1', '~01'))), (tokens) => {
    expect(parsePointer(formatPointer(tokens))).toEqual(tokens)
  }))
})

test.each(['/list/2', '/list/-', '/list/01', '/list/length', '/list/0/0', '/toString', '/__proto__', '/missing/deep', '/text/0', '/text/length'])(
  'nothing stands at %s',
  (pointer) => {
    expect(valueAt(exact({ list: ['a', 'b'], text: 'abc' }), parsePointer(pointer) ?? [])).toBeUndefined()
  },
)

test('differences are the smallest subtrees, in document order', () => {
  const before = exact({ same: [1], a: { x: 1, y: [1, 2], z: 'gone' }, list: [1], kind: {} })
  const after = exact({ same: [1], a: { x: 2, y: [1, 3] }, list: [1, 2], kind: [], 'new/key': null })
  expect(diffValues(before, after)).toEqual([
    { pointer: '/a/x', before: 1, after: 2 },
    { pointer: '/a/y/1', before: 2, after: 3 },
    { pointer: '/a/z', before: 'gone' },
    { pointer: '/list', before: [1], after: [1, 2] },
    { pointer: '/kind', before: {}, after: [] },
    { pointer: '/new~1key', after: null },
  ])
})

test('numbers differ by their canonical text', () => {
  const numbers = parseWire('[1, 1.0, 1.00000000000000000001, 9007199254740992, "1", -0, 0]', '') as readonly never[]
  const changed = (one: number, other: number): boolean => diffValues(numbers[one] as never, numbers[other] as never).length > 0
  expect([changed(0, 1), changed(0, 2), changed(0, 4), changed(5, 6)]).toEqual([false, true, true, true])
  expect(diffValues(2 ** 53, 2n ** 53n)).toEqual([])
  expect(diffValues(null, false)).toEqual([{ pointer: '', before: null, after: false }])
})

test('no difference is found exactly where the canonical texts are equal', () => {
  fc.assert(fc.property(exactFields, exactFields, (one, other) => {
    const [before, after] = [exact(one), exact(other)]
    expect(diffValues(before, after).length === 0).toBe(canonicalJson(before) === canonicalJson(after))
    expect(diffValues(before, exact(one))).toEqual([])
  }))
})

test('the changes from one value to another, applied to the one, make the other', () => {
  fc.assert(fc.property(exactFields, exactFields, (one, other) => {
    const [before, after] = [exact(one), exact(other)]
    const text = canonicalJson(before)
    const made = applyChanges(before, diffValues(before, after))
    expect(canonicalJson(made)).toBe(canonicalJson(after))
    expect(canonicalJson(before)).toBe(text)
    for (const container of containersIn(made)) expect(Object.isFrozen(container)).toBe(true)
  }))
})

test('changes of several owners are merged, and what none touches is shared', () => {
  const before = exact({ args: { a: 1, list: [1, 2], rest: { deep: [1] } } })
  const made = applyChanges(before, [{ pointer: '/args/a', after: 2 }, { pointer: '/args/list/1', after: 3 }, { pointer: '/args/list/0', after: 0 }])
  expect(made).toEqual({ args: { a: 2, list: [0, 3], rest: { deep: [1] } } })
  expect(valueAt(made, ['args', 'rest'])).toBe(valueAt(before, ['args', 'rest']))
})

test('a change at __proto__ is data', () => {
  const made = applyChanges(exact({ a: {} }), [{ pointer: '/a/__proto__', after: exact({ polluted: true }) }])
  const inner = made['a'] as JsonObject
  expect(Object.hasOwn(inner, '__proto__')).toBe(true)
  expect(inner['polluted']).toBeUndefined()
  expect(applyChanges(made, [{ pointer: '/a/__proto__' }])).toEqual({ a: {} })
})

test.each([
  { pointer: '', after: 1 }, { pointer: 'a', after: 1 }, { pointer: '/x/y', after: 1 }, { pointer: '/text/0', after: 1 },
  { pointer: '/list/2', after: 1 }, { pointer: '/list/-', after: 1 }, { pointer: '/list/length', after: 9 }, { pointer: '/list/0' },
])('a change that leads nowhere is refused: %j', (change) => {
  expect(() => applyChanges(exact({ list: [1, 2], text: 'abc' }), [change])).toThrow(expect.objectContaining({ code: 'invalid_option' }))
})

test('nesting costs no stack', () => {
  const nested = (inner: string): JsonObject => parseWire(`{"a":${'['.repeat(50_000)}${inner}${']'.repeat(50_000)}}`, '') as JsonObject
  const [change, ...more] = diffValues(nested('1'), nested('2'))
  expect([change?.pointer.length, change?.before, change?.after, more]).toEqual([100_002, 1, 2, []])
})
