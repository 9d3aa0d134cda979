import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCallgateError } from './callgate-error.ts'
import { decodeString, duplicateKey, memberOf, scanJson } from './json-text.ts'
import type { JsonNode } from './json-text.ts'

/** The value that nodes spell, by another way than the scanner's: scalars by JSON.parse of their own slice. */
function valueOf(text: string, node: JsonNode): unknown {
  if (node.items !== undefined) return node.items.map((item) => valueOf(text, item))
  if (node.members !== undefined) return Object.fromEntries(node.members.map(({ key, value }) => [key, valueOf(text, value)]))
  return JSON.parse(text.slice(node.start, node.end))
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

function scanned(text: string, depth: number): JsonNode | undefined {
  try {
    return scanJson(text, depth)
  } catch (error) {
    if (isCallgateError(error) && error.code === 'invalid_json') return undefined
    throw error
  }
}

const spaces = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 2 })
const jsonTexts = fc
  .tuple(fc.jsonValue(), fc.constantFrom(undefined, 0, 1, 3, '\t'), spaces, spaces)
  .map(([value, indent, before, after]) => `${before}${JSON.stringify(value, null, indent)}${after}`)

const fragments = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '\\u12', '\\ud800', '0', '01', '-', '.', 'e', '1e5', 'tru', 'null', '\u0000', '\ufeff', ' ')
const mutated = fc
  .tuple(jsonTexts, fc.nat(), fc.nat(3), fragments)
  .map(([text, at, cut, fragment]) => `${text.slice(0, at % (text.length + 1))}${fragment}${text.slice((at % (text.length + 1)) + cut)}`)
const soup = fc.array(fragments, { maxLength: 12 }).map((parts) => parts.join(''))

test('every JSON text is read, and spells the value that JSON.parse reads, down to every depth', () => {
  fc.assert(fc.property(jsonTexts, fc.nat(6), (text, depth) => {
    const root = scanJson(text, depth)
    expect(valueOf(text, root)).toEqual(JSON.parse(text))
    expect(text.slice(root.start, root.end)).toBe(text.trim())
  }), { numRuns: 500 })
})

test('exactly what JSON.parse reads is read, whatever the depth', () => {
  fc.assert(fc.property(fc.oneof(mutated, soup), fc.nat(6), (text, depth) => {
    const node = scanned(text, depth)
    const value = parsed(text)
    expect(node === undefined).toBe(value === undefined)
    if (node !== undefined) expect(valueOf(text, node)).toEqual(value?.value)
  }), { numRuns: 3000 })
})

const INVALID: readonly (readonly [text: string, offset: number])[] = [
  ['', 0], [' ', 1], ['\ufeff1', 0], ['1 2', 2], ['nul', 0], ['nope', 0], ['True', 0], ['+1', 0], ['-', 0], ['.5', 0],
  ['01', 1], ['1.', 1], ['1e', 1], ['[1,]', 3], ['[1 2]', 3], ['[', 1], ['[1', 2], ['{', 1], ['{a:1}', 1], ['{"a"}', 4],
  ['{"a":}', 5], ['{"a":1,}', 7], ['{"a":1 "b":2}', 7], ['{"a":1', 6], ['{1:1}', 1], ['"a', 2], ['"\n"', 1], ['"\\x"', 1],
  ['"\\u12g4"', 1], ["'a'", 0], ['[1}', 2], ['{"a":1]', 6], ['[[1}]', 3], ['{"a":{"b":1]}', 11], ['NaN', 0], ['\u00a01', 0], ['/**/1', 0],
]

test.each(INVALID)('%j is refused at offset %i, with nodes and without', (text, offset) => {
  const problem = expect.objectContaining({ code: 'invalid_json', message: expect.stringContaining(`at offset ${offset}.`) as unknown })
  expect(() => scanJson(text, 9)).toThrow(problem)
  expect(() => scanJson(text, 0)).toThrow(problem)
})

test('positions are those of the values, quotes and brackets included', () => {
  const text = ' {"a" : [1, "b\\n", {}], "\\u0061": null }'
  const root = scanJson(text, 2)
  const slices = root.members?.map(({ keyStart, value }) => [text[keyStart], text.slice(value.start, value.end)])
  expect(slices).toEqual([['"', '[1, "b\\n", {}]'], ['"', 'null']])
  const items = root.members?.[0]?.value.items ?? []
  expect(items.map((item) => [item.kind, text.slice(item.start, item.end)])).toEqual([['number', '1'], ['string', '"b\\n"'], ['object', '{}']])
  expect(decodeString(text, items[1] as JsonNode)).toBe('b\n')
})

test('kinds are told apart', () => {
  const kinds = ['{}', '[]', '""', '-1.5e+3', 'true', 'false', 'null'].map((text) => scanJson(text, 1).kind)
  expect(kinds).toEqual(['object', 'array', 'string', 'number', 'boolean', 'boolean', 'null'])
})

test('below the depth that was asked for there are no nodes', () => {
  const root = scanJson('{"a":{"b":[1]},"c":[[]]}', 1)
  expect(root.members?.map(({ value }) => [value.kind, value.members, value.items])).toEqual([
    ['object', undefined, undefined],
    ['array', undefined, undefined],
  ])
})

test('keys are compared decoded, duplicates are kept and found', () => {
  const node = scanJson('{"a":1,"b":2,"\\u0062":3,"a":4}', 1)
  expect(node.members?.map(({ key }) => key)).toEqual(['a', 'b', 'b', 'a'])
  expect(duplicateKey(node)).toBe('b')
  expect(duplicateKey(scanJson('{"a":1,"A":2}', 1))).toBeUndefined()
  expect(duplicateKey(scanJson('[1]', 1))).toBeUndefined()
})

test('a member is found by its decoded key only', () => {
  const node = scanJson('{"\\u0061":1,"__proto__":2}', 1)
  expect(memberOf(node, 'a')?.kind).toBe('number')
  expect(memberOf(node, '__proto__')?.kind).toBe('number')
  expect(memberOf(node, 'toString')).toBeUndefined()
  expect(memberOf(undefined, 'a')).toBeUndefined()
})

test('lone surrogates are kept as they were escaped', () => {
  const text = '"\\ud800x"'
  expect(decodeString(text, scanJson(text, 0))).toBe('\ud800x')
})

test('a million levels cost no stack where no nodes are asked for', () => {
  const levels = 1_000_000
  for (const text of [`${'['.repeat(levels)}${']'.repeat(levels)}`, `${'{"a":['.repeat(levels)}1${']}'.repeat(levels)}`]) {
    expect(scanJson(text, 3).end).toBe(text.length)
    expect(scanned(text.slice(0, -1), 3)).toBeUndefined()
  }
  expect(scanned('['.repeat(levels), 0)).toBeUndefined()
})
