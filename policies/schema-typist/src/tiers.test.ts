import { Candidate } from '@callgate/core'
import { expect, test } from 'vitest'
import type { SchemaTypistOptions } from './schema-typist-policy.ts'
import { attemptOf, messages, objectSchema, propose, said, schemaOf, strict } from './typing.fixture.ts'

const basic: Partial<SchemaTypistOptions> = { mode: 'basic' }
const flexible: Partial<SchemaTypistOptions> = { mode: 'flexible' }
const integer = { type: 'integer' }
const text = { type: 'string' }

test('several places are repaired at once, each named, down to what a text spells', () => {
  const schema = objectSchema({ ids: { type: 'array', items: integer }, o: { type: 'object', properties: { at: { type: 'array', items: { type: 'object', properties: { n: { type: 'number' } } } } } }, name: text })
  expect(said(propose(schema, { ids: '["1", 2]', o: { at: [{ n: '2.50' }, { n: 1 }] }, name: '7' }, basic))).toEqual({
    repair: { ids: [1, 2], o: { at: [{ n: 2.5 }, { n: 1 }] }, name: '7' },
    reasons: ['json_text /arguments/ids', 'canonical_integer /arguments/ids/0', 'canonical_number /arguments/o/at/0/n'],
  })
})

test('where one place cannot be repaired nothing is enacted, and only what stays wrong is named', () => {
  const schema = objectSchema({ ids: { type: 'array', items: integer }, all: { type: 'boolean' } })
  expect(said(propose(schema, { ids: ['1', 'x', '3'], all: 'true' }, basic))).toEqual({ deny: ['not_an_integer /arguments/ids/1'] })
  expect(said(propose(schema, { ids: '["1","x"]' }, basic))).toEqual({ deny: ['not_an_integer /arguments/ids/1'] })
})

test('references, recursion and conjunctions are read through', () => {
  const $defs = { Tree: { type: 'object', properties: { size: integer, below: { type: 'array', items: { $ref: '#/$defs/Tree' } } } } }
  const schema = objectSchema({ tree: { $ref: '#/$defs/Tree' }, both: { allOf: [{ type: ['integer', 'string'] }, { type: ['integer', 'null'] }] } }, { $defs })
  expect(said(propose(schema, { tree: { below: [{ below: [{ size: '3' }] }] }, both: '5' }, basic))).toEqual({
    repair: { tree: { below: [{ below: [{ size: 3 }] }] }, both: 5 },
    reasons: ['canonical_integer /arguments/tree/below/0/below/0/size', 'canonical_integer /arguments/both'],
  })
})

test('tuples are read in both dialects, each by its own words', () => {
  const old = { $schema: 'http://json-schema.org/draft-07/schema#', properties: { t: { type: 'array', items: [integer, text], additionalItems: { type: 'boolean' } } } }
  expect(said(propose(schemaOf(old), { t: ['1', '2', 'true', 'false'] }, basic))).toMatchObject({ repair: { t: [1, '2', true, false] } })
  const young = { properties: { t: { type: 'array', prefixItems: [integer, text], items: { type: 'boolean' } } } }
  expect(said(propose(schemaOf(young), { t: ['1', '2', 'true', 'false'] }, basic))).toMatchObject({ repair: { t: [1, '2', true, false] } })
  const ignored = { ...old, properties: { t: { type: 'array', prefixItems: [integer] }, n: integer } }
  expect(said(propose(schemaOf(ignored), { t: ['1'], n: '7.0' }, basic))).toMatchObject({ repair: { t: ['1'], n: 7 } })
})

test('names described by a pattern or as all others are read, others are not touched', () => {
  const schema = schemaOf({ patternProperties: { '^n_': integer }, additionalProperties: { type: 'boolean' } })
  const proposal = propose(schema, { n_a: '1', other: 'true' }, basic)
  expect(said(proposal)).toMatchObject({ repair: { n_a: 1, other: true } })
  expect(strict(basic).owns(attemptOf(schema, { n_a: '1', other: 'true' }))).toEqual(['/arguments/n_a', '/arguments/other'])
  expect(said(propose(objectSchema({ n: integer }), { n: '7.0', stray: '8.0' }, flexible))).toMatchObject({ repair: { n: 7, stray: '8.0' } })
})

test('what a tier owns covers what it may change: described properties, branches too; all of the arguments in flexible', () => {
  const schema = objectSchema({ a: integer }, { anyOf: [{ properties: { b: integer } }, { properties: { c: integer } }] })
  const attempt = attemptOf(schema, {})
  expect(strict().owns(attempt)).toEqual(['/arguments/a'])
  expect(strict(basic).owns(attempt)).toEqual(['/arguments/a', '/arguments/b', '/arguments/c'])
  expect(strict(flexible).owns(attempt)).toEqual(['/arguments'])
  for (const options of [{}, basic, flexible]) {
    const policy = strict(options)
    expect(policy.owns(attempt)).toBe(policy.owns(attempt))
    expect(Object.isFrozen(policy.owns(attempt))).toBe(true)
  }
})

test('conditions and negations are no wish for a type: they speak when the whole is validated', () => {
  const conditional = objectSchema({ kind: text, n: {} }, { if: { properties: { kind: { not: { const: 'count' } } } }, else: { properties: { n: integer } } })
  expect(said(propose(conditional, { kind: 'count', n: '5' }, flexible))).toEqual({ deny: ['type_mismatch /arguments/n'] })
  const crossed = objectSchema({ n: integer, why: text }, { if: { properties: { n: { exclusiveMaximum: 10 } } }, else: { required: ['why'] } })
  expect(said(propose(crossed, { n: '7.0' }, basic))).toMatchObject({ repair: { n: 7 } })
  expect(said(propose(crossed, { n: '70.0' }, basic))).toEqual({ deny: ['missing_required /arguments/why'] })
})

test('a union of objects is read by the branch that what was sent leaves, and by none where two are left', () => {
  const tagged = objectSchema({ of: { anyOf: [{ type: 'object', properties: { kind: { const: 'count' }, value: integer } }, { type: 'object', properties: { kind: { const: 'name' }, value: text } }] } })
  expect(said(propose(tagged, { of: { kind: 'count', value: '5' } }, basic))).toMatchObject({ repair: { of: { kind: 'count', value: 5 } } })
  const required = objectSchema({ of: { anyOf: [{ type: 'object', properties: { a: integer }, required: ['a'] }, { type: 'object', properties: { b: text }, required: ['b'] }] } })
  expect(said(propose(required, { of: { a: '5' } }, basic))).toMatchObject({ repair: { of: { a: 5 } } })
  const two = objectSchema({ of: { anyOf: [{ type: 'object', properties: { a: integer, b: text } }, { type: 'object', properties: { a: text, b: integer } }] } })
  expect(said(propose(two, { of: { a: '1', b: '2' } }, flexible))).toEqual({ deny: ['constraint /arguments/of'] })
  const open = objectSchema({ of: { anyOf: [{ type: 'object', properties: { a: integer, b: integer } }, { type: 'object', properties: { a: text, b: text } }] } })
  expect(said(propose(open, { of: { a: '1', b: 2 } }, flexible))).toEqual({ deny: ['constraint /arguments/of'] })
})

test('an empty value is left out only where it is named, optional and not admitted', () => {
  const schema = objectSchema({ a: integer, b: { type: ['integer', 'null'] }, c: text, must: integer }, { required: ['must'], additionalProperties: integer })
  expect(said(propose(schema, { must: 1, a: '', b: null, c: '' }, flexible))).toEqual({ repair: { must: 1, b: null, c: '' }, reasons: ['dropped_empty /arguments/a'] })
  expect(said(propose(schema, { must: '' }, flexible))).toEqual({ deny: ['empty /arguments/must'] })
  expect(said(propose(schema, { must: 1, other: '' }, flexible))).toEqual({ deny: ['empty /arguments/other'] })
  expect(said(propose(objectSchema({ list: { type: 'array', items: integer } }), { list: [1, ''] }, flexible))).toEqual({ deny: ['empty /arguments/list/1'] })
  const dependent = objectSchema({ a: integer, b: text }, { dependentRequired: { b: ['a'] } })
  expect(said(propose(dependent, { a: '', b: 'x' }, flexible))).toEqual({ deny: ['missing_required /arguments/a'] })
})

test('whole arguments as one JSON text are read in flexible alone, exactly, and inside them all else holds', () => {
  const schema = objectSchema({ id: integer, name: text })
  const sent = (args: string): Candidate => Candidate.of({ arguments: args })
  expect(said(propose(schema, sent('{"id":"5"}'), flexible))).toEqual({ repair: { id: 5 }, reasons: ['json_text /arguments', 'canonical_integer /arguments/id'] })
  expect(said(propose(schema, sent('{"id":2512292042121000001}'), flexible))).toMatchObject({ repair: { id: 2512292042121000001n } })
  expect(said(propose(schema, sent('{"id":"x"}'), flexible))).toEqual({ deny: ['not_an_integer /arguments/id'] })
  for (const args of ['[]', '{"id":1,"id":2}', '{"name":"\\ud800"}', '{} {}', '{not json', `{"name":${'['.repeat(65)}${']'.repeat(65)}}`]) {
    expect(said(propose(schema, sent(args), flexible))).toEqual({ deny: ['type_mismatch /arguments'] })
  }
  expect(said(propose(schema, sent('{"id":5}'), basic))).toEqual({ deny: ['type_mismatch /arguments'] })
  const proto = propose(schema, sent('{"__proto__":{"id":"7"},"id":5}'), flexible)
  expect(proto.kind === 'repair' ? Object.entries(proto.candidate.fields['arguments'] as object) : []).toEqual([['__proto__', { id: '7' }], ['id', 5]])
  const tools = { tool: { id: { maximum: 9 } } }
  expect(said(propose(schema, sent('{"id":10}'), { ...flexible, tools }))).toEqual({ deny: ['out_of_range /arguments/id'] })
  expect(said(propose(schema, sent('{"id":10,"name":7}'), { ...flexible, tools, invalid: 'forward' }))).toMatchObject({ deny: expect.any(Array) as unknown })
  expect(said(propose(schema, sent('{"name":7}'), { ...flexible, invalid: 'forward' }))).toBe('abstain')
})

test('names that mean something in a pointer or a URI are found again', () => {
  for (const name of ['a/b', 'a~1b', '50%', 'a%2Fb', 'a#b', 'a b', 'é', '$ref', 'toString', '"', '?q']) {
    const schema = objectSchema({ [name]: { anyOf: [{ type: 'object', properties: { n: integer }, required: ['n'] }, { type: 'object', required: ['m'] }] } }, { $id: 'https://example.com/tool.json' })
    expect(said(propose(schema, { [name]: { n: '5' } }, basic))).toMatchObject({ repair: { [name]: { n: 5 } } })
  }
})

test('what is not known is not read: references that lead away or round, dynamic ones, too many choices', () => {
  const many = { anyOf: Array.from({ length: 65 }, (_, at) => ({ type: 'integer', minimum: at })) }
  const few = { anyOf: Array.from({ length: 64 }, (_, at) => ({ type: 'integer', minimum: at })) }
  const $defs = { Far: { $id: 'https://example.com/far', type: 'integer' } }
  const schema = objectSchema({ many, few, far: { $ref: '#/$defs/Far' } }, { $defs })
  expect(said(propose(schema, { few: '5' }, basic))).toMatchObject({ repair: { few: 5 } })
  expect(propose(schema, { many: '5' }, basic).kind).toBe('deny')
  expect(propose(schema, { far: '5' }, basic).kind).toBe('deny')
})

test('a repair that takes too long is none, and is given up soon', () => {
  const nest = (depth: number): unknown => (depth === 0 ? integer : { anyOf: [{ type: 'object', properties: { a: nest(depth - 1) } }, { type: 'object', properties: { a: nest(depth - 1), b: text } }] })
  let sent: unknown = 'x'
  for (let depth = 0; depth < 12; depth += 1) sent = { a: sent, b: 'y' }
  const start = performance.now()
  expect(propose(objectSchema({ a: nest(5), n: integer }), { a: sent, n: '1' }, flexible).kind).toBe('deny')
  const wide = objectSchema({ o: { anyOf: Array.from({ length: 64 }, () => ({ type: 'object', additionalProperties: integer })) } })
  expect(propose(wide, { o: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`n${at}`, '1'])) }, flexible).kind).toBe('deny')
  const long = objectSchema({ list: { type: 'array', items: integer }, n: integer })
  expect(propose(long, { list: Array.from({ length: 200_000 }, () => '1') }, basic).kind).toBe('deny')
  expect(performance.now() - start).toBeLessThan(8_000)
})

test('a text with two readings is refused as such, and the model reads what to do', () => {
  const proposal = propose(objectSchema({ v: { anyOf: [integer, { type: 'array', items: text }] } }), { v: '+5' }, flexible)
  expect(said(proposal)).toEqual({ deny: ['ambiguous /arguments/v'] })
  expect(messages(proposal)).toEqual(['/arguments/v: "+5" was sent, which can be read in more than one way; send it in the type that is meant, not as text.'])
})
