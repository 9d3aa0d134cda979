import type { JsonObject } from '@callgate/core'
import { expect, test } from 'vitest'
import { prepareSchema } from './prepare-schema.ts'
import { attemptOf, objectSchema, said, schemaOf, strict } from '../typing.fixture.ts'

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'

const judge = (schema: object, args: unknown): unknown => said(strict({ mode: 'basic' }).evaluate(attemptOf(schemaOf(schema), args)))

test.each<readonly [string, object, object]>([
  ['a reference', { $ref: '#/$defs/Count', nullable: true }, { $ref: '#/$defs/Count' }],
  ['allOf', { allOf: [{ type: 'integer', nullable: true }, { maximum: 5, nullable: true }], nullable: true }, { allOf: [{ type: 'integer', nullable: true }, { maximum: 5 }] }],
  ['an enum', { enum: [1, 2], nullable: true }, { enum: [1, 2] }],
  ['nothing at all', { nullable: false }, {}],
])('nullable without a type, beside %s, says nothing', (_, schema, prepared) => {
  const whole = (x: object): JsonObject => ({ type: 'object', properties: { x }, $defs: { Count: { type: 'integer' } } }) as JsonObject
  expect(prepareSchema(whole(schema), '2020-12')).toEqual(whole(prepared))
  expect(schemaOf(whole(schema)).problem).toBeUndefined()
})

test('null is admitted where nullable stands beside a type, and not by the word alone', () => {
  const schema = objectSchema({ a: { $ref: '#/$defs/Count', nullable: true }, b: { $ref: '#/$defs/Maybe' } }, { $defs: { Count: { type: 'integer' }, Maybe: { type: 'integer', nullable: true } } })
  const basic = (args: unknown): unknown => said(strict({ mode: 'basic' }).evaluate(attemptOf(schema, args)))
  expect(basic({ a: '5', b: '6' })).toMatchObject({ repair: { a: 5, b: 6 } })
  expect(basic({ a: 5, b: null })).toBe('accept')
  expect(basic({ a: null })).toEqual({ deny: ['null /arguments/a'] })
})

test('a property, a definition and a value named nullable are no such word', () => {
  const schema: JsonObject = {
    properties: { nullable: true, o: { const: { nullable: true } }, p: { default: { nullable: true }, enum: [{ nullable: true }] } },
    $defs: { nullable: false }, patternProperties: { nullable: true },
  }
  expect(prepareSchema(schema, '2020-12')).toBe(schema)
})

test('what stands beside a reference does not count in draft-07, and counts in 2020-12', () => {
  const schema = (dialect: object): object => ({ ...dialect, type: 'object', properties: { n: { $ref: '#/definitions/Count', maximum: 3, type: 'string' } }, definitions: { Count: { type: 'integer' } } })
  expect(judge(schema({ $schema: DRAFT_07 }), { n: 5 })).toBe('accept')
  expect(judge(schema({ $schema: DRAFT_07 }), { n: '5' })).toMatchObject({ repair: { n: 5 } })
  expect(judge(schema({}), { n: 5 })).toMatchObject({ deny: [expect.stringContaining('/arguments/n')] })
})

test('a reference of the whole keeps what it leads to; a property named $ref is no reference', () => {
  const whole = { $schema: DRAFT_07, $id: 'https://example.com/tool', $ref: '#/definitions/Tool', required: ['z'], definitions: { Tool: { properties: { n: { type: 'integer' } } } } }
  expect(judge(whole, { n: '5' })).toMatchObject({ repair: { n: 5 } })
  const named: JsonObject = { $schema: DRAFT_07, properties: { $ref: { type: 'integer' }, other: { type: 'integer' } } }
  expect(prepareSchema(named, 'draft-07')).toBe(named)
})

test('what has nothing to leave out is the very schema', () => {
  const schema: JsonObject = { type: 'object', allOf: [{ properties: { a: { type: ['integer', 'null'], nullable: true }, b: { $ref: '#', maximum: 3 } } }] }
  expect(prepareSchema(schema, '2020-12')).toBe(schema)
})
