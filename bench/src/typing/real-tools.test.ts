import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { AdmissionKernel, Attempt, Candidate } from '@callgate/core'
import type { AdapterDeclaration } from '@callgate/core'
import { ArgumentsSchema, SchemaTypistPolicy } from '@callgate/schema-typist'
import { Ajv } from 'ajv'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { argumentsWith, parametersOf, readRealTools } from './real-tools.fixture.ts'
import type { Parameter, RealTool } from './real-tools.fixture.ts'
import { TIERS } from './tiers.ts'
import type { Tier } from './tiers.ts'
import { contains, oracleReading } from './typing-oracle.fixture.ts'

const FOLDER = new URL('../../../../shared/data/mcp-tools/', import.meta.url)
const isHere = existsSync(FOLDER)
const tools = (isHere ? readRealTools(FOLDER) : []).map((tool) => ({ ...tool, schema: ArgumentsSchema.create({ schemaId: 'tool', version: '1', inputSchema: tool.inputSchema }) }))

const ADAPTER: AdapterDeclaration = {
  id: 'test', version: '1', lifecycle: ['pre:tool.call'], identity: true, completeCandidate: true,
  effects: { deny: true, replace: true, hold: false, observe: true },
}

test.skipIf(!isHere)('every tool of the real servers has a schema that compiles', () => {
  expect(tools.length).toBeGreaterThanOrEqual(470)
  expect(tools.filter(({ schema }) => !schema.compiles).map(({ name }) => name)).toEqual([])
})

const FIXED: readonly unknown[] = [
  true, false, null, 0, 1, 7, 1.5, -3, 2 ** 53, -(2 ** 60), 1e300, [], [1], {}, '', ' ', 'true', 'false', 'True', 'FALSE', 'tRuE', ' true', 'yes', 'on', 'null', 'Null', 'undefined',
  '0', '-0', '+0', '0.0', '-0.0', '00', '007', '7', '-7', '+7', ' 7', '7\n', '\u00a07', '7.0', '7.00', '7.', '.5', '0.5', '0.50', '-0.25', '2.50', '1e2', '1.5e1', '15e-1', '1e400', '1e21', '0x10', '1,000', '1_000', '12px', 'NaN', 'Infinity',
  '٣', '9007199254740991', '9007199254740992', '-9007199254740992', '9007199254740993.0', '0.1000000000000000055', '0.30000000000000004', '[7]', '{"a":7}', '"7"', ' +7.0 ', '1 2', '--1',
]

const numerals = fc.record({
  digits: fc.bigInt({ min: -(10n ** 5n), max: 10n ** 5n }),
  fraction: fc.constantFrom('', '', '', '.0', '.5', '.25', '.10', '.75000'),
  exponent: fc.constantFrom('', '', '', '', 'e0', 'e1', 'e-1', 'e3'),
  before: fc.constantFrom('', '', '', '', ' ', '+', ' +', '0', '\t'),
  after: fc.constantFrom('', '', '', '', ' ', 'px', '%', '\n'),
}).map(({ digits, fraction, exponent, before, after }) => `${before}${digits}${fraction}${exponent}${after}`)

/** Right, repairable and wrong values for a parameter: every eighth of the list, what stands in its own schema, and generated ones. */
function valuesFor({ schema }: Parameter, seed: number): readonly unknown[] {
  const own = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'default'].map((word) => schema[word]).filter((value) => value !== undefined && typeof value !== 'object')
  const near = own.flatMap((value) => (typeof value === 'number' ? [value - 1, value, value + 1] : [value]))
  return [...FIXED.filter((_, at) => at % 8 === seed % 8), true, 1, '1', 'true', null, ...near, ...near.map(String), ...fc.sample(fc.integer({ min: -1_000, max: 100_000 }), { seed, numRuns: 2 }), ...fc.sample(numerals, { seed, numRuns: 5 })]
}

type Expected = { readonly verdict: 'unchanged' | 'refused' } | { readonly verdict: 'repaired'; readonly args: unknown }

/** What the contract's table says. Undefined where a union stands on the way and another branch may decide. */
function expectedOf(parameter: Parameter, value: unknown, tier: Tier, optsIn: boolean, { withValue, isValid }: Place): Expected {
  // An integer beyond 2^53-1 that was handed in as a number is not known, whatever its schema says.
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return { verdict: 'refused' }
  if (isValid(withValue(value))) return { verdict: 'unchanged' }
  const repaired = (next: unknown): Expected => (isValid(next) ? { verdict: 'repaired', args: next } : { verdict: 'refused' })
  if (value === '' || value === null) return tier === 'flexible' && parameter.isOptional ? repaired(withValue(undefined)) : { verdict: 'refused' }
  if (typeof value !== 'string') return { verdict: 'refused' }
  const reading = oracleReading(value, parameter.kind, parameter.isNullable, optsIn)
  const isStrictPlace = parameter.isTop && !parameter.isNullable
  if (reading === undefined || !contains(tier, reading.tier) || (tier === 'strict' && !isStrictPlace)) return { verdict: 'refused' }
  return repaired(withValue(reading.value))
}

type Place = { withValue(value: unknown): unknown; isValid(args: unknown): boolean }

test.skipIf(!isHere)('every integer, number and boolean parameter of real tools behaves by the table of contract 8, in each tier', () => {
  const kernels = new Map([true, false].flatMap((optsIn) => TIERS.map((mode) =>
    [`${mode}${optsIn}`, new AdmissionKernel([new SchemaTypistPolicy({ mode, lowercaseBooleans: optsIn })])] as const)))
  const wrong: string[] = []
  const unreached: string[] = []
  const counts = { integer: 0, number: 0, boolean: 0, unchanged: 0, repaired: 0, refused: 0 }
  for (const [at, tool] of tools.entries()) {
    const { schema } = tool
    const validate = validatorOf(tool)
    const isValid = (args: unknown): boolean => validate(args)
    for (const parameter of parametersOf(tool)) {
      const known = new Map<unknown, unknown>()
      const place: Place = {
        withValue(value) {
          if (!known.has(value)) known.set(value, argumentsWith(tool.inputSchema, parameter.steps, value))
          return known.get(value)
        },
        isValid,
      }
      const where = `${tool.name} ${parameter.pointer}`
      counts[parameter.kind] += 1
      const values = valuesFor(parameter, at + counts.integer + counts.number + counts.boolean)
      if (!values.some((value) => isValid(place.withValue(value)))) unreached.push(where)
      for (const tier of TIERS) {
        for (const optsIn of parameter.kind === 'boolean' && tier === 'strict' ? [true, false] : [false]) {
          for (const value of values) {
            const expected = expectedOf(parameter, value, tier, optsIn, place)
            const args = place.withValue(value)
            const decision = kernels.get(`${tier}${optsIn}`)!.admit(attemptOf(schema, args), ADAPTER)
            const got = decision.verdict !== 'run' ? 'refused' : decision.changes.length === 0 ? 'unchanged' : 'repaired'
            counts[got] += 1
            const result = JSON.parse(JSON.stringify(decision.candidate.fields['arguments'])) as unknown
            const isRight = got === expected.verdict && isDeepStrictEqual(result, JSON.parse(JSON.stringify(expected.verdict === 'repaired' ? expected.args : args)))
            // Another branch of a union may read the text otherwise, and then it is refused.
            if (!isRight && !(parameter.isInUnion && got === 'refused' && expected.verdict === 'repaired')) {
              wrong.push(`${where} ${tier}${optsIn ? ' with booleans' : ''}: ${JSON.stringify(value)} should be ${JSON.stringify(expected)}, was ${got} ${JSON.stringify(result)}`)
            }
          }
        }
      }
    }
  }
  expect(wrong.slice(0, 20)).toEqual([])
  expect(unreached).toEqual([])
  expect(counts.integer).toBeGreaterThan(50)
  expect(Math.min(counts.number, counts.boolean)).toBeGreaterThan(290)
  expect(Math.min(counts.unchanged, counts.repaired, counts.refused)).toBeGreaterThan(1_500)
}, 120_000)

function attemptOf(schema: ArgumentsSchema, args: unknown): Attempt {
  return Attempt.create({ phase: 'pre', event: 'tool.call', target: { adapter: 'test', tool: 'tool' }, candidate: Candidate.ofArguments(args), schema })
}

function validatorOf({ inputSchema }: RealTool, more: { readonly allErrors?: boolean } = {}): ValidateFunction {
  const options = { strict: false, ownProperties: true, validateFormats: false, meta: false, validateSchema: false, ...more } as const
  return (String(inputSchema['$schema']).includes('draft-07') ? new Ajv(options) : new Ajv2020(options)).compile(inputSchema)
}

test.skipIf(!isHere)('whatever example a refusal gives for a property of a real tool is valid there', () => {
  const policy = new SchemaTypistPolicy({ mode: 'flexible' })
  const wrong: string[] = []
  let given = 0
  for (const { name, inputSchema, schema } of tools) {
    const validate = validatorOf({ name, inputSchema }, { allErrors: true })
    for (const property of Object.keys((inputSchema['properties'] ?? {}) as object)) {
      const proposal = policy.evaluate(attemptOf(schema, { [property]: { 'no such member': [false] } }))
      const message = proposal.kind === 'deny' ? proposal.reasons.find(({ pointer }) => pointer === `/arguments/${property}`)?.message : undefined
      const example = /For example: (.*)\.$/.exec(message ?? '')?.[1]
      if (example === undefined) continue
      given += 1
      validate({ [property]: JSON.parse(example) as unknown })
      if (validate.errors?.some(({ instancePath }) => `${instancePath}/`.startsWith(`/${property}/`)) === true) wrong.push(`${name} ${property}: ${example}`)
    }
  }
  expect(wrong).toEqual([])
  expect(given).toBeGreaterThan(1_000)
}, 60_000)
