import fc from 'fast-check'

const scalars: fc.Arbitrary<unknown> = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
  fc.integer(),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 200n }).chain((value) => fc.constantFrom(value, -value)),
)

const keys = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 6 }), fc.constantFrom('__proto__', 'constructor', 'toJSON', 'a', 'b', '/', '~', '0'))

/** Exact values as a host could hand them in: mutable, plain, keys that look like a prototype's included. */
export const exactValues: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4, withCrossShrink: true }, scalars, tie('list'), tie('record')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  record: fc.array(fc.tuple(keys, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
})).value

/** Exact fields of a candidate. */
export const exactFields: fc.Arbitrary<Record<string, unknown>> = fc
  .array(fc.tuple(keys, exactValues), { maxLength: 4 })
  .map((entries) => Object.fromEntries(entries) as Record<string, unknown>)

/** The same value with the keys of every object in another order. */
export function reversedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversedKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, reversedKeys(member)] as const).reverse())
}

/** Every object and array in a value, itself included. */
export function containersIn(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(containersIn)]
}
