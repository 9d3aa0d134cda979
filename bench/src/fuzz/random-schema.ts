import type { RandomSource } from './create-random.ts'

/** A JSON Schema, or a part of one. */
export type Schema = { readonly [keyword: string]: unknown } | boolean

// A property described as `__proto__` is not compiled; in arguments it is tried.
const NAMES = ['a', 'b', 'limit', 'Limit', 'x-1', 'toString', 'é'] as const
const DEFS = ['Limit', 'Tree', 'Mode'] as const
const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'
const MOST_LEVELS = 3

/** A random input schema over the subset that tools use: references, unions, tuples, patterns of names, enums, nullable types, conditions. */
export function randomSchema(random: RandomSource): Schema & object {
  const isDraft07 = random.chance(0.2)
  const part = (level: number): Schema => randomPart(random, level, isDraft07)
  return {
    ...(isDraft07 && { $schema: DRAFT_07 }),
    ...objectParts(random, 0, part),
    ...(random.chance(0.15) && conditions(random, part)),
    ...(random.chance(0.15) && { [random.pick(['anyOf', 'allOf', 'oneOf'])]: Array.from({ length: 1 + random.below(2) }, () => objectParts(random, 1, part)) }),
    $defs: {
      Limit: { type: random.pick(['integer', 'number']), minimum: random.below(3), maximum: 50 },
      // A reference to itself stands below a property or an item, where values end.
      Tree: { type: 'object', properties: { value: part(MOST_LEVELS), children: { type: 'array', items: { $ref: '#/$defs/Tree' } } } },
      Mode: { enum: random.pick([['on', 'off'], [1, 2, 3], ['A', 'a', 'b'], [true, 'true'], [null, 1], ['1', '2']]) },
    },
  }
}

function randomPart(random: RandomSource, level: number, isDraft07: boolean): Schema {
  const part = (): Schema => randomPart(random, level + 1, isDraft07)
  const isDeep = level >= MOST_LEVELS
  switch (random.below(isDeep ? 9 : 16)) {
    case 0: case 1: case 2:
      return { type: random.pick(['integer', 'number']), ...bounds(random), ...nullable(random) }
    case 3:
      return { type: 'boolean', ...nullable(random) }
    case 4:
      return { type: 'string', ...textBounds(random), ...nullable(random) }
    case 5:
      return random.pick([{ enum: ['Asc', 'Desc', 'asc'] }, { enum: [1, 2, 10] }, { const: 7 }, { const: 'Only' }, { type: 'string', enum: ['LOW', 'HIGH'] }, { enum: [1, '1'] }, { type: 'integer', enum: [5, 7] }, { const: true }])
    case 6:
      return { type: random.pick([['integer', 'null'], ['number', 'null'], ['string', 'null'], ['integer', 'string'], ['boolean', 'integer'], ['array', 'null'], ['boolean', 'null'], ['object', 'array']]) }
    case 7:
      return { $ref: `#/$defs/${random.pick(DEFS)}` }
    case 8:
      return random.pick<Schema>([true, {}, { type: 'null' }, { minimum: 3 }, { type: 'string', pattern: '^[a-z]+$' }, false])
    case 9: case 10:
      return arrayPart(random, part, isDraft07)
    case 11: case 12:
      return objectParts(random, level + 1, part)
    case 13:
      return { [random.pick(['anyOf', 'oneOf'])]: Array.from({ length: 2 + random.below(2) }, part) }
    case 14:
      return { allOf: [part(), random.pick<Schema>([true, { minimum: 1 }, { maxLength: 4 }, part()])] }
    default:
      return { ...(part() as object), not: random.pick<Schema>([{ const: 3 }, { type: 'string', maxLength: 0 }, { type: 'null' }]) }
  }
}

function objectParts(random: RandomSource, level: number, part: (level: number) => Schema): Schema & object {
  const properties = Object.fromEntries(random.several(level === 0 ? 5 : 3, () => [random.pick(NAMES), part(level + 1)]))
  return {
    type: 'object',
    properties,
    ...(random.chance(0.4) && { required: [...new Set(random.several(2, () => random.pick(NAMES)))].filter((name) => Object.hasOwn(properties, name) || random.chance(0.1)) }),
    ...(random.chance(0.4) && { additionalProperties: random.chance(0.5) ? false : part(level + 1) }),
    ...(random.chance(0.15) && { patternProperties: { [random.pick(['^l', '^x-', 'i'])]: part(level + 1) } }),
    ...(random.chance(0.1) && { [random.pick(['minProperties', 'maxProperties'])]: 1 + random.below(3) }),
    ...(random.chance(0.05) && { propertyNames: { maxLength: 4 } }),
    ...(random.chance(0.05) && { dependentRequired: { a: ['b'] } }),
  }
}

function arrayPart(random: RandomSource, part: () => Schema, isDraft07: boolean): Schema {
  const bounds = { ...(random.chance(0.2) && { minItems: random.below(3) }), ...(random.chance(0.2) && { maxItems: 1 + random.below(3) }), ...(random.chance(0.1) && { uniqueItems: true }) }
  if (random.chance(0.7)) return { type: 'array', items: part(), ...bounds, ...(random.chance(0.05) && { contains: part() }) }
  const tuple = Array.from({ length: 1 + random.below(2) }, part)
  const rest = random.chance(0.5) ? false : part()
  return isDraft07 ? { type: 'array', items: tuple, additionalItems: rest, ...bounds } : { type: 'array', prefixItems: tuple, items: rest, ...bounds }
}

function conditions(random: RandomSource, part: (level: number) => Schema): Schema & object {
  const name = random.pick(NAMES)
  const branch = (): Schema => ({ properties: { [random.pick(NAMES)]: part(2) } })
  const words: readonly (readonly [string, Schema])[] = [['if', { properties: { [name]: part(2) }, required: [name] }], ['then', branch()], ['else', branch()]]
  return Object.fromEntries(random.chance(0.5) ? words : words.slice(0, 2))
}

function bounds(random: RandomSource): object {
  return {
    ...(random.chance(0.3) && { [random.pick(['minimum', 'exclusiveMinimum'])]: random.below(20) - 10 }),
    ...(random.chance(0.3) && { [random.pick(['maximum', 'exclusiveMaximum'])]: random.below(100) }),
    ...(random.chance(0.1) && { multipleOf: random.pick([2, 5, 0.5]) }),
  }
}

function textBounds(random: RandomSource): object {
  return {
    ...(random.chance(0.3) && { [random.pick(['minLength', 'maxLength'])]: random.below(4) }),
    ...(random.chance(0.1) && { pattern: random.pick(['^[a-z]*$', String.raw`^\d+$`, 'x']) }),
    ...(random.chance(0.1) && { format: 'date' }),
  }
}

function nullable(random: RandomSource): object {
  return random.chance(0.1) ? { nullable: true } : {}
}
