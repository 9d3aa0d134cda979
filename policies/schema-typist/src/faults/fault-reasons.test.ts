import { expect, test } from 'vitest'
import { messages, objectSchema, propose, said, schemaOf } from '../typing.fixture.ts'

const writing = objectSchema(
  {
    path: { type: 'string' }, limit: { type: 'integer', minimum: 0, maximum: 100 }, mode: { enum: ['read', 'write'] }, all: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1 }, size: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
  },
  { required: ['path'], additionalProperties: false },
)

function taught(args: unknown, schema: typeof writing = writing): readonly string[] {
  return messages(propose(schema, args))
}

test.each<readonly [string, unknown, readonly string[]]>([
  ['a text that is no canonical integer', { path: 'x', limit: '1,000' }, [
    '/arguments/limit: "1,000" was sent, with separators between the digits; the schema wants an integer from 0 to 100. For example: 0, without quotes.',
  ]],
  ['a value out of range', { path: 'x', limit: 500 }, ['/arguments/limit: 500 was sent, out of range; the schema wants an integer from 0 to 100. For example: 0.']],
  ['a cast that the schema turns on', { path: 'x', all: 'true' }, [
    '/arguments/all: "true" was sent, which is a text; the schema wants true or false. For example: true, without quotes.',
  ]],
  ['a wrong type', { path: 7 }, ['/arguments/path: 7 was sent; the schema wants a string. For example: "text".']],
  ['a null for an optional', { path: 'x', limit: null }, [
    '/arguments/limit: null was sent; the schema wants an integer from 0 to 100. For example: 0. Or leave "limit" out.',
  ]],
  ['an empty text for an optional', { path: 'x', mode: '' }, [
    '/arguments/mode: "" was sent and must be equal to one of the allowed values; the schema wants one of "read", "write". For example: "read". Or leave "mode" out.',
  ]],
  ['a null for what is required', { path: null }, ['/arguments/path: null was sent; the schema wants a string. For example: "text".']],
  ['a member in the wrong case', { path: 'x', mode: 'Read' }, [
    '/arguments/mode: "Read" was sent and must be equal to one of the allowed values; the schema wants one of "read", "write". Did you mean "read"?',
  ]],
  ['a broken constraint', { path: 'x', tags: [] }, [
    '/arguments/tags: an array was sent and must NOT have fewer than 1 items; the schema wants an array, each item a string. For example: ["text"].',
  ]],
  ['a union of which no branch fits', { path: 'x', size: '5' }, ['/arguments/size: "5" was sent; the schema wants an integer or null. For example: 10, without quotes.']],
  ['a missing property', {}, ['/arguments/path is missing; the schema wants a string. Add "path": "text".']],
  ['a name that is nearly right', { pth: 'x' }, [
    '/arguments/path is missing; the schema wants a string. Add "path": "text". "pth" was sent; did you mean "path"?',
    '/arguments/pth is not known to this tool; did you mean "path"?',
  ]],
  ['a name that is like none', { path: 'x', zzzzzz: 1 }, ['/arguments/zzzzzz is not known to this tool; known here: path, limit, mode, all, tags, size.']],
])('%s is explained', (_, args, wanted) => {
  expect(taught(args)).toEqual(wanted)
})

test('a name that is described, if only by a branch, is never taken for another', () => {
  const schema = objectSchema({ path: { type: 'string' } }, { required: ['path'], oneOf: [{ properties: { pathx: { type: 'integer' } } }] })
  expect(taught({ pathx: 1 }, schema)).toEqual(['/arguments/path is missing; the schema wants a string. Add "path": "text".'])
  const parts = objectSchema({ limit: { type: 'integer' } }, { additionalProperties: false, allOf: [{ properties: { limits: { type: 'integer' } } }] })
  expect(taught({ limits: 1 }, parts)).toEqual(['/arguments/limits is described by one part of the schema and not admitted by another; known here: limit.'])
})

test.each<readonly [string, Readonly<Record<string, unknown>>, unknown, string]>([
  ['none', { additionalProperties: false }, { x: 1 }, 'is not known to this tool; it takes none here.'],
  ['names of a form', { additionalProperties: false, patternProperties: { '^x-': {} } }, { y: 1 }, 'is not known to this tool; known here: names that match /^x-/.'],
  ['names and names of a form', { additionalProperties: false, properties: { name: {} }, patternProperties: { '^x-': {} } }, { y: 1 }, 'is not known to this tool; known here: name; names that match /^x-/.'],
  ['any name of a form', { propertyNames: { maxLength: 3 }, additionalProperties: { type: 'integer' } }, { long: 1 }, 'has a name that is not admitted here: it must NOT have more than 3 characters'],
  ['one of some names', { propertyNames: { enum: ['first', 'last'] } }, { frst: 1 }, 'has a name that is not admitted here: it must be equal to one of the allowed values; did you mean "first"?'],
  ['what its branches describe', { unevaluatedProperties: false, anyOf: [{ properties: { kind: { const: 'a' }, size: {} }, required: ['kind'] }, true] }, { size: 1 }, 'is described by the schema, but what was sent does not fit where it is described.'],
  ['what its branches describe, and no other', { unevaluatedProperties: false, anyOf: [{ properties: { size: {} } }] }, { other: 1 }, 'is not known to this tool; known here: size.'],
])('of a name where an object takes %s, only what is true is said', (_, words, args, wanted) => {
  const [name] = Object.keys(args as object)
  expect(taught(args, schemaOf({ type: 'object', ...words }))).toEqual([expect.stringMatching(new RegExp(`^/arguments/${name} ${wanted.replaceAll(/[/?^.]/g, String.raw`\$&`)}`))])
})

test('a member of an enum is proposed only where it is admitted', () => {
  const schema = objectSchema({ mode: { enum: ['read', 'write'], not: { const: 'read' } } })
  expect(taught({ mode: 'red' }, schema)[0]).toContain('For example: "write".')
  expect(taught({ mode: 'wrte' }, schema)[0]).toContain('Did you mean "write"?')
})

test('words are made for the faults that are told alone', () => {
  const schema = objectSchema({ list: { type: 'array', items: { type: 'integer' } } })
  const asked = (length: number): number => {
    let count = 0
    propose(schema, { list: Array.from({ length }, () => 'x') }, { redact: () => ((count += 1), false) })
    return count
  }
  expect(asked(5)).toBeGreaterThan(0)
  expect(asked(1_500)).toBe(asked(5))
})

test('an item is named by its index', () => {
  expect(said(propose(writing, { path: 'x', tags: ['a', 5] }))).toEqual({ deny: ['type_mismatch /arguments/tags/1'] })
  expect(taught({ path: 'x', tags: ['a', 5] })).toEqual(['/arguments/tags/1: 5 was sent; the schema wants a string. For example: "text".'])
})

test('codes say what kind of fault it is', () => {
  const schema = objectSchema(
    {
      low: { type: 'integer', minimum: 1 }, high: { type: 'number', maximum: 1 }, above: { type: 'integer', exclusiveMinimum: 0 }, below: { type: 'integer', exclusiveMaximum: 0 },
      fixed: { const: 1 }, never: false, text: { type: 'string', maxLength: 1 }, odd: { oneOf: [{ minimum: 1 }, { maximum: 5 }] }, none: { not: {} },
    },
    { dependentRequired: { text: ['fixed'] }, unevaluatedProperties: false, propertyNames: { maxLength: 6 } },
  )
  const code = (args: unknown): unknown => said(propose(schema, args))
  expect(code({ low: 0 })).toEqual({ deny: ['out_of_range /arguments/low'] })
  expect(code({ high: 2 })).toEqual({ deny: ['out_of_range /arguments/high'] })
  expect(code({ above: 0 })).toEqual({ deny: ['out_of_range /arguments/above'] })
  expect(code({ below: 0 })).toEqual({ deny: ['out_of_range /arguments/below'] })
  expect(code({ fixed: 2 })).toEqual({ deny: ['constraint /arguments/fixed'] })
  expect(code({ never: 1 })).toEqual({ deny: ['constraint /arguments/never'] })
  expect(code({ none: 1 })).toEqual({ deny: ['constraint /arguments/none'] })
  expect(code({ odd: 3 })).toEqual({ deny: ['constraint /arguments/odd'] })
  expect(code({ text: 'ab', fixed: 1 })).toEqual({ deny: ['constraint /arguments/text'] })
  expect(code({ text: 'a' })).toEqual({ deny: ['missing_required /arguments/fixed'] })
  expect(code({ other: 1 })).toEqual({ deny: ['unknown_property /arguments/other'] })
  expect(code({ toolong: 1 })).toEqual({ deny: ['unknown_property /arguments/toolong'] })
})

test('a union speaks once, for its branches and for unions within it', () => {
  const schema = objectSchema({ u: { anyOf: [{ type: 'object', properties: { v: { oneOf: [{ type: 'integer' }, { type: 'null' }] } } }, { type: 'array' }] }, w: { type: 'integer' } })
  expect(said(propose(schema, { u: { v: 'x' }, w: 'y' }))).toEqual({ deny: ['type_mismatch /arguments/u', 'not_an_integer /arguments/w'] })
})

test('below a union of the whole arguments, described properties speak for themselves', () => {
  const schema = objectSchema({ w: { type: 'integer' } }, { anyOf: [{ required: ['a'], properties: { x: { type: 'integer' } } }, { required: ['b'], properties: { x: { type: 'null' } } }] })
  expect(said(propose(schema, { w: 'y', x: 'z' }))).toEqual({ deny: ['constraint /arguments', 'not_an_integer /arguments/w'] })
})

test('of if and else, the part that is broken speaks', () => {
  const schema = objectSchema({ a: { type: 'integer' }, b: { type: 'integer' } }, { if: { not: { required: ['a'] } }, else: { required: ['b'] } })
  expect(said(propose(schema, { a: 1 }))).toEqual({ deny: ['missing_required /arguments/b'] })
})

test('an answer names at most five faults, and says how many more there are', () => {
  const schema = objectSchema(Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`p${at}`, { type: 'integer' }])))
  const wrong = (count: number): unknown => Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, 'x']))
  const texts = taught(wrong(8), schema)
  expect(texts).toHaveLength(5)
  expect(texts.at(-1)).toContain('/arguments/p4: "x" was sent')
  expect(texts.at(-1)).toMatch(/ And 3 more\.$/)
  expect(taught(wrong(5), schema).join()).not.toContain('more.')
})

test('of very many values only the first fault is looked for, and it is a refusal all the same', () => {
  const schema = objectSchema({ list: { type: 'array', items: { type: 'integer' } } })
  const list = (length: number): unknown => ({ list: Array.from({ length }, () => 'x') })
  expect(taught(list(1_998), schema)).toHaveLength(5)
  expect(taught(list(1_999), schema)).toHaveLength(1)
})

test('a message is bounded, whatever was sent and whatever the schema says', () => {
  const long = 'x'.repeat(20_000)
  const schema = objectSchema({ [long]: { type: 'integer' }, p: { type: 'string', pattern: `^${long}$` }, e: { enum: [long] } }, { required: ['p', long], additionalProperties: false })
  for (const args of [{}, { [long]: long, p: long, e: long }, { [`${long}y`]: 1, p: 1 }]) {
    for (const message of taught(args, schema)) expect(message.length).toBeLessThan(900)
  }
})

test('a whole answer is bounded, its pointers too, and says so', () => {
  const schema = objectSchema({ n: { type: 'integer' } }, { additionalProperties: false })
  const args = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`${at}${'\u202ex'.repeat(10_000)}`, 1]))
  const proposal = propose(schema, args)
  expect(JSON.stringify(proposal).length).toBeLessThan(10_000)
  expect(messages(proposal)[0]).toContain('Its pointer is shortened.')
  const safe = propose(schemaOf({ type: 'object' }), { ['x'.repeat(10_000)]: 2 ** 60 })
  expect(said(safe)).toEqual({ deny: [`unsafe_integer /arguments/${'x'.repeat(189)}…`] })
  expect(messages(safe)[0]).toContain('Send it as a string')
})

test('nothing hides in what is said of names, values and schemas', () => {
  const hidden = 'a\u202e\u0085\u200b'
  const schema = objectSchema({ [`${hidden}known`]: { type: 'integer' }, e: { enum: [hidden] }, p: { type: 'string', pattern: hidden } }, { additionalProperties: false, required: [`${hidden}known`] })
  const texts = taught({ [`${hidden}knwn`]: 1, [`${hidden}quite other`]: 1, e: hidden.slice(1), p: `x${hidden.slice(2)}` }, schema)
  expect(texts).toHaveLength(5)
  expect(texts.join()).not.toMatch(/[\u202e\u0085\u200b]/)
  expect(texts.join()).toContain(String.raw`did you mean "a\u{202e}\u{85}\u{200b}known"?`)
})

test('a name like one on a prototype is shown as a name', () => {
  const schema = objectSchema({ constructor: { type: 'integer' } }, { required: ['toString'], additionalProperties: false })
  expect(said(propose(schema, { constructor: 'x', hasOwnProperty: 1 }))).toEqual({
    deny: ['missing_required /arguments/toString', 'unknown_property /arguments/hasOwnProperty', 'not_an_integer /arguments/constructor'],
  })
})
