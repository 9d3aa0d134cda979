import { isCallgateError, WireNumber } from '@callgate/core'
import { expect, test } from 'vitest'
import { showValue } from './show-value.ts'
import { boundFaults, copyBounds, rangeText } from './property-bounds.ts'
import type { ToolBounds } from './property-bounds.ts'

const limit = { limit: { minimum: 0, maximum: 100 } }

function codes(args: Parameters<typeof boundFaults>[0], bounds: Parameters<typeof boundFaults>[1] = limit): readonly string[] {
  return boundFaults(args, bounds, (_, value) => showValue(value)).map(({ code, pointer }) => `${code} ${pointer}`)
}

test.each<readonly [Parameters<typeof boundFaults>[0], readonly string[]]>([
  [{}, []], [{ other: 500 }, []], [{ limit: 0 }, []], [{ limit: 100 }, []], [{ limit: 0.5 }, []], [{ limit: new WireNumber('1.00000000000000000001', 1) }, []],
  [{ limit: -1 }, ['out_of_range /arguments/limit']], [{ limit: 101 }, ['out_of_range /arguments/limit']], [{ limit: 2n ** 53n }, ['out_of_range /arguments/limit']],
  [{ limit: new WireNumber('100.50000000000000000001', 100.5) }, ['out_of_range /arguments/limit']],
  [{ limit: '5' }, ['type_mismatch /arguments/limit']], [{ limit: null }, ['type_mismatch /arguments/limit']], [{ limit: [5] }, ['type_mismatch /arguments/limit']],
  [{ Limit: 5 }, ['unknown_property /arguments/Limit']], [{ LIMIT: 500, limit: 500 }, ['unknown_property /arguments/LIMIT', 'out_of_range /arguments/limit']],
])('against bounds of 0 to 100, %o has the faults %o', (args, faults) => {
  expect(codes(args)).toEqual(faults)
})

test('one bound is enough, and a bigint may be one', () => {
  expect(codes({ a: -1 }, { a: { minimum: 0 } })).toEqual(['out_of_range /arguments/a'])
  expect(codes({ a: 1e9 }, { a: { minimum: 0 } })).toEqual([])
  expect(codes({ a: 101 }, { a: { maximum: 100 } })).toEqual(['out_of_range /arguments/a'])
  expect(codes({ a: -1e9 }, { a: { maximum: 100 } })).toEqual([])
  expect(codes({ a: 2n ** 64n + 1n }, { a: { maximum: 2n ** 64n } })).toEqual(['out_of_range /arguments/a'])
  expect(codes({ a: 2n ** 64n }, { a: { maximum: 2n ** 64n } })).toEqual([])
})

test('two bounded names that differ in case only are two names', () => {
  expect(codes({ a: 1, A: 1 }, { a: { maximum: 1 }, A: { maximum: 1 } })).toEqual([])
})

test('a fault says the place, the bounds and what was sent', () => {
  expect(boundFaults({ limit: 500 }, limit, (_, value) => showValue(value))[0]?.message).toBe('/arguments/limit must be a number from 0 to 100; 500 was sent.')
  expect(boundFaults({ Limit: 5 }, limit, (_, value) => showValue(value))[0]?.message).toBe('/arguments/Limit differs from "limit" in letter case only. Write "limit".')
  expect([rangeText(0, 1), rangeText(0, undefined), rangeText(undefined, 1)]).toEqual(['from 0 to 1', 'of at least 0', 'of at most 1'])
})

test('bounds are a frozen copy, and a name on a prototype bounds nothing', () => {
  const tools = { list: { limit: { minimum: 0, maximum: 100 as number } } }
  const copy = copyBounds(tools)
  tools.list.limit.maximum = 1_000
  expect(copy).toEqual({ list: limit })
  expect([copy, copy['list'], copy['list']?.['limit']].every((part) => Object.isFrozen(part))).toBe(true)
})

test.each<readonly [string, unknown, string]>([
  ['a text', { minimum: '0' }, 'minimum and maximum must be finite numbers'],
  ['NaN', { maximum: Number.NaN }, 'minimum and maximum must be finite numbers'],
  ['an endless bound', { maximum: Number.POSITIVE_INFINITY }, 'minimum and maximum must be finite numbers'],
  ['no bound', {}, 'give a minimum, a maximum or both'],
  ['bounds out of order', { minimum: 1, maximum: 0 }, 'minimum 1 is above maximum 0'],
])('%s is refused as invalid_option, naming tool and property', (_, bounds, message) => {
  const copy = (): ToolBounds => copyBounds({ list: { limit: bounds as { minimum: number } } })
  expect(copy).toThrow(`Bounds of "limit" of tool "list": ${message}.`)
  try {
    copy()
  } catch (error) {
    expect(isCallgateError(error) && error.code).toBe('invalid_option')
  }
})
