import { expect, test } from 'vitest'
import { isCallgateError } from '../../model/callgate-error.ts'
import { PrimitiveSchema } from './primitive-schema.ts'
import type { PrimitiveSchemaOptions } from './primitive-schema.ts'

const named = { schemaId: 'tool.count', version: '1.0.0' }
const integer = { ...named, expected: 'integer', minimum: 0, maximum: 100 } as const
const boolean = { ...named, expected: 'boolean' } as const

function refusal(options: unknown): string {
  try {
    PrimitiveSchema.create(options as PrimitiveSchemaOptions)
  } catch (error) {
    if (isCallgateError(error)) return `${error.code}: ${error.message}`
  }
  return 'none'
}

test('an integer schema keeps its names, its bounds and nothing else', () => {
  expect({ ...PrimitiveSchema.create(integer) }).toEqual({ ...integer, allowLowercaseBoolean: false })
})

test('a boolean schema has no bounds, and reads texts only where it opts in', () => {
  expect(PrimitiveSchema.create(boolean)).toMatchObject({ ...boolean, allowLowercaseBoolean: false })
  expect(PrimitiveSchema.create(boolean).minimum).toBeUndefined()
  expect(PrimitiveSchema.create(boolean).maximum).toBeUndefined()
  expect(PrimitiveSchema.create({ ...boolean, allowLowercaseBoolean: true }).allowLowercaseBoolean).toBe(true)
})

test('a schema is immutable, and a change of its options afterwards changes nothing', () => {
  const options = { ...integer, minimum: 0 as number }
  const schema = PrimitiveSchema.create(options)
  options.minimum = -5
  expect(schema.minimum).toBe(0)
  expect(Object.isFrozen(schema)).toBe(true)
  expect(() => Object.assign(schema, { maximum: 1 })).toThrow(TypeError)
})

test.each([
  ['the edges of the safe range', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ['a single value', 7, 7],
  ['bigint beyond the safe range', -(2n ** 64n), 2n ** 64n],
  ['a number and a bigint', 0, 2n ** 53n],
])('bounds may be %s', (_, minimum, maximum) => {
  expect(PrimitiveSchema.create({ ...integer, minimum, maximum })).toMatchObject({ minimum, maximum })
})

test('a bigint bound inside the safe range becomes its number, edges included', () => {
  const inside = PrimitiveSchema.create({ ...integer, minimum: -(2n ** 53n) + 1n, maximum: 2n ** 53n - 1n })
  expect([inside.minimum, inside.maximum]).toEqual([Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])
  const outside = PrimitiveSchema.create({ ...integer, minimum: -(2n ** 53n), maximum: 2n ** 53n })
  expect([outside.minimum, outside.maximum]).toEqual([-(2n ** 53n), 2n ** 53n])
})

test.each<readonly [string, unknown, string]>([
  ['no minimum', { ...integer, minimum: undefined }, 'minimum must be an exact integer'],
  ['no maximum', { ...integer, maximum: undefined }, 'maximum must be an exact integer'],
  ['null as a bound', { ...integer, minimum: null }, 'minimum must be an exact integer'],
  ['a text as a bound', { ...integer, maximum: '100' }, 'maximum must be an exact integer'],
  ['a boolean as a bound', { ...integer, maximum: true }, 'maximum must be an exact integer'],
  ['a boxed number as a bound', { ...integer, maximum: new Number(3) }, 'maximum must be an exact integer'],
  ['a fraction as a bound', { ...integer, maximum: 1.5 }, 'maximum must be an exact integer'],
  ['NaN as a bound', { ...integer, minimum: Number.NaN }, 'minimum must be an exact integer'],
  ['an endless bound', { ...integer, maximum: Number.POSITIVE_INFINITY }, 'maximum must be an exact integer'],
  ['a number beyond the safe range as a bound', { ...integer, maximum: 2 ** 53 }, 'maximum must be an exact integer (a bigint beyond 2^53-1)'],
  ['negative zero as a bound', { ...integer, minimum: -0 }, 'minimum must be an exact integer'],
  ['bounds out of order', { ...integer, minimum: 1, maximum: 0 }, 'minimum 1 is above maximum 0'],
  ['mixed bounds out of order', { ...integer, minimum: 2n ** 64n, maximum: 0 }, 'minimum 18446744073709551616 is above maximum 0'],
  ['the boolean opt-in on an integer', { ...integer, allowLowercaseBoolean: true }, 'allowLowercaseBoolean belongs to a boolean'],
  ['a minimum on a boolean', { ...boolean, minimum: 0 }, 'a boolean takes no bounds'],
  ['a maximum on a boolean', { ...boolean, maximum: 1 }, 'a boolean takes no bounds'],
  ['an opt-in that is no boolean', { ...boolean, allowLowercaseBoolean: 'yes' }, 'allowLowercaseBoolean must be true or false'],
  ['another type', { ...integer, expected: 'number' }, "expected must be 'integer' or 'boolean'"],
  ['no type', { ...named, minimum: 0, maximum: 1 }, "expected must be 'integer' or 'boolean'"],
  ['no schemaId', { ...integer, schemaId: undefined }, 'PrimitiveSchema: schemaId must be a text'],
  ['an empty schemaId', { ...integer, schemaId: '' }, 'PrimitiveSchema: schemaId must be a text that is not empty'],
  ['no version', { ...integer, version: 1 }, 'PrimitiveSchema: version must be a text'],
])('%s is refused as invalid_schema', (_, options, message) => {
  expect(refusal(options)).toContain('invalid_schema: PrimitiveSchema')
  expect(refusal(options)).toContain(message)
})

test('a refusal names the schema', () => {
  expect(refusal({ ...integer, minimum: 1, maximum: 0 })).toBe('invalid_schema: PrimitiveSchema "tool.count": minimum 1 is above maximum 0.')
})

test('only what create made is a schema', () => {
  const schema = PrimitiveSchema.create(integer)
  const forged = Object.setPrototypeOf({ ...schema }, PrimitiveSchema.prototype) as object
  const values = [schema, { ...schema }, forged, new Proxy(schema, {}), Object.create(schema), null, undefined, 'schema', () => schema]
  expect(values.map((value) => PrimitiveSchema.isGenuine(value))).toEqual([true, ...values.slice(1).map(() => false)])
})
