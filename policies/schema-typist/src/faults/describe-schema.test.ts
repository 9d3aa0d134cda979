import type { JsonObject, JsonValue } from '@callgate/core'
import { expect, test } from 'vitest'
import { describeSchema } from './describe-schema.ts'

const root: JsonObject = { $defs: { Limit: { type: 'integer', minimum: 1, maximum: 9 }, Round: { $ref: '#/$defs/Round' } } }
const unknown = 'a value that fits its schema'

test.each<readonly [JsonValue | undefined, string]>([
  [{ type: 'integer' }, 'an integer'],
  [{ type: 'integer', minimum: 0, maximum: 100 }, 'an integer from 0 to 100'],
  [{ type: 'number', minimum: 0.5 }, 'a number of at least 0.5'],
  [{ type: 'integer', maximum: 5 }, 'an integer of at most 5'],
  [{ type: 'integer', maximum: 100 }, 'an integer of at most 100'],
  [{ type: 'integer', exclusiveMinimum: 0 }, 'an integer above 0'],
  [{ type: 'integer', minimum: 3, exclusiveMaximum: 10 }, 'an integer of at least 3 below 10'],
  [{ type: 'boolean' }, 'true or false'],
  [{ type: 'null' }, 'null'],
  [{ type: 'string' }, 'a string'],
  [{ type: 'string', pattern: '^[a-z]+$' }, 'a string that matches /^[a-z]+$/'],
  [{ type: 'object' }, 'an object'],
  [{ type: 'object', required: ['a'] }, 'an object'],
  [{ type: 'array' }, 'an array'],
  [{ type: 'array', items: { type: 'string' } }, 'an array, each item a string'],
  [{ type: 'array', items: { type: 'array', items: { type: 'array', items: {} } } }, 'an array, each item an array, each item an array'],
  [{ type: ['integer', 'null'] }, 'an integer or null'],
  [{ enum: ['read', 'write', 3, null] }, 'one of "read", "write", 3, null'],
  [{ enum: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, 'one of 1, 2, 3, 4, 5, 6, 7, 8, …'],
  [{ const: 'x' }, 'exactly "x"'],
  [{ type: 'string', examples: ['a@b.example'] }, 'a string'],
  [{ type: 'integer', default: 7 }, 'an integer'],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'an integer or null'],
  [{ type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' } }, required: ['a', 'b'] }, 'an object'],
  [{ type: 'object', properties: { a: { type: 'string', pattern: 'x' } }, required: ['a'] }, 'an object'],
  [{ oneOf: [{ anyOf: [{ oneOf: [{ type: 'null' }] }] }] }, unknown],
  [{ $ref: '#/$defs/Limit' }, 'an integer from 1 to 9'],
  [{ $ref: '#/$defs/Limit', maximum: 5 }, 'an integer from 1 to 5'],
  [{ $ref: '#/$defs/Round' }, unknown],
  [{ type: 'alien' }, 'alien'],
  [{}, unknown],
  [true, unknown],
  [undefined, unknown],
])('%o is described as %s', (schema, words) => {
  expect(describeSchema(root, schema)).toBe(words)
})

test('a description is bounded, whatever the schema', () => {
  const long = 'x'.repeat(10_000)
  const schemas: readonly JsonValue[] = [
    { enum: Array.from({ length: 100 }, () => long) }, { type: 'string', pattern: long }, { type: long }, { const: long }, { type: [long, long, long, long, long, long] },
    { anyOf: Array.from({ length: 100 }, () => ({ type: 'string', pattern: long })) },
  ]
  for (const schema of schemas) expect(describeSchema(root, schema).length).toBeLessThan(300)
})
