import { expect, test } from 'vitest'
import { compileSchema } from './compile-schema.ts'
import { attemptOf, schemaOf, strict } from '../typing.fixture.ts'
import { createValidationSteps, ValidationTooLong } from './validation-steps.ts'

type Filter = { readonly not?: Filter; readonly is?: unknown }

function nested(depth: number, is: unknown): Filter {
  let filter: Filter = { is }
  for (let level = 0; level < depth; level += 1) filter = { not: filter }
  return filter
}

/** Nothing but the innermost value tells the branches apart, so that each level tries them all. */
function filters(reference: object): object {
  const branch = (type: string): object => ({ properties: { not: reference, is: { type } } })
  return { type: 'object', anyOf: ['integer', 'boolean', 'null'].map(branch) }
}

const TREE = filters({ $ref: '#' })

test.each([
  ['itself', TREE],
  ['a definition', { type: 'object', properties: { not: { $ref: '#/$defs/Filter' } }, $defs: { Filter: filters({ $ref: '#/$defs/Filter' }) } }],
  ['a dynamic anchor', { $dynamicAnchor: 'filter', ...filters({ $dynamicRef: '#filter' }) }],
])('a union that holds itself through a reference to %s is judged in bounded time at any depth, and is never valid by giving up', (_, tree) => {
  const schema = schemaOf(tree)
  const started = performance.now()
  for (const mode of ['strict', 'basic', 'flexible'] as const) {
    const proposal = strict({ mode }).evaluate(attemptOf(schema, nested(30, 'x')))
    expect(proposal).toMatchObject({ kind: 'deny', reasons: [{ code: 'constraint', pointer: '/arguments', message: expect.stringContaining('could not be checked') }] })
  }
  expect(schema.faultOf(nested(30, 'x') as never)).toContain('could not be checked')
  expect(performance.now() - started).toBeLessThan(10_000)
})

test('arguments that are checked within the bound are judged as before, and each validation has all of it', () => {
  const compilation = compileSchema(TREE as never)
  if (compilation.kind === 'failed') throw new Error(compilation.problem)
  const { compiled } = compilation
  expect(compiled.isValid(nested(6, 7))).toBe(true)
  for (let times = 0; times < 3; times += 1) {
    expect(compiled.isValid(nested(6, 'x'))).toBe(false)
    expect(() => compiled.isValid(nested(30, 'x'))).toThrow(ValidationTooLong)
    expect(() => compiled.faults(nested(30, 'x'), true)).toThrow(ValidationTooLong)
    expect(compiled.faults(nested(3, 'x'), true).length).toBeGreaterThan(0)
  }
})

test('a step is a reference followed, a member, an item, or sixteen characters of its value', () => {
  const most = 200_000
  const follow = (times: number, value: unknown): (() => void) => () => {
    const steps = createValidationSteps()
    for (let at = 0; at < times; at += 1) steps.follow(value)
  }
  expect(follow(most, 1)).not.toThrow()
  expect(follow(most + 1, 1)).toThrow(ValidationTooLong)
  for (const value of [{ a: 1, b: 2, c: 3 }, [1, 2, 3], 'x'.repeat(48)]) {
    expect(follow(most / 4, value)).not.toThrow()
    expect(follow(most / 4 + 1, value)).toThrow(ValidationTooLong)
  }
})
