import { expect, test } from 'vitest'
import type { JsonObject } from '@callgate/core'
import { attemptOf, objectSchema, said, schemaOf, strict } from '../typing.fixture.ts'
import type { ArgumentsSchema } from '../arguments-schema.ts'
import type { TypingTier } from './typing-tier.ts'

const listing = objectSchema(
  { limit: { type: 'integer', maximum: 100 }, ratio: { type: 'number' }, name: { type: 'string' }, ids: { type: 'array', items: { type: 'integer' } }, at: { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'integer' } } } },
  { required: ['name'], additionalProperties: false },
)

function after(schema: ArgumentsSchema, mode: TypingTier, args: JsonObject): unknown {
  return said(strict({ mode, invalid: 'forward' }).evaluate(attemptOf(schema, args, { phase: 'post', event: 'tool.failure' })))
}

test.each<readonly [string, TypingTier, JsonObject, readonly string[]]>([
  ['beside a value that cannot be cast', 'strict', { name: 'a', limit: '5', ratio: 'x' }, ['/limit']],
  ['beside a missing property', 'strict', { limit: '5' }, ['/limit']],
  ['beside an unknown property', 'strict', { name: 'a', limit: '5', more: 1 }, ['/limit']],
  ['but not one that the schema does not admit', 'strict', { name: 7, limit: '500', ratio: '0.5' }, ['/ratio']],
  ['but not half a list', 'basic', { name: 'a', ids: ['1', 'x'], limit: '5' }, ['/limit']],
  ['nor half an object', 'basic', { name: 'a', at: { x: '1', y: 'x' }, limit: '5' }, ['/limit']],
  ['a whole list', 'basic', { name: 7, ids: ['1', '2'] }, ['/ids/0', '/ids/1']],
])('after a failure a safe cast is named although the whole stays invalid: %s', (_, mode, args, pointers) => {
  expect(after(listing, mode, args)).toEqual({ observe: pointers.map((pointer) => `safe_cast_available /arguments${pointer}`) })
})

test('where the whole is at fault, nobody can tell what is safe', () => {
  const either = schemaOf({ type: 'object', properties: { limit: { type: 'integer' } }, oneOf: [{ required: ['a'] }, { required: ['b'] }] })
  expect(after(either, 'strict', { limit: '5' })).toBe('abstain')
})
