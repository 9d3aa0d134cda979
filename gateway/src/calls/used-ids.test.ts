import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RawId } from '../wire/raw-id.ts'
import { createUsedIds } from './used-ids.ts'
import type { UsedIds } from './used-ids.ts'

const number = (value: number): RawId => ({ text: String(value), key: `n${value}` })
const string = (value: string): RawId => ({ text: JSON.stringify(value), key: `s${value}` })
const isNew = (used: UsedIds, id: RawId): boolean => used.objection(id) === undefined

/** Few values, so that runs meet, and the ends of what counts exactly. */
const integer = fc.oneof(
  fc.integer({ min: -12, max: 12 }),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1, Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER + 1),
)
const id = fc.oneof(
  integer.map(number),
  fc.constantFrom(2 ** 53, 0.5, Infinity).map(number),
  fc.constantFrom('1', 'a', '', 'x'.repeat(65), 'y'.repeat(65), '#', '\ud800').map(string),
)

test('an id is new until it is added, whatever was added before it', () => {
  fc.assert(
    fc.property(fc.array(id, { maxLength: 40 }), (ids) => {
      const used = createUsedIds()
      const keys = new Set<string>()
      for (const each of ids) {
        expect([each.key, isNew(used, each)]).toEqual([each.key, !keys.has(each.key)])
        used.add(each)
        keys.add(each.key)
      }
      for (const each of ids) expect([each.key, isNew(used, each)]).toEqual([each.key, false])
    }),
  )
})

test('a used id is never taken for new, however few ids can be told apart', () => {
  fc.assert(
    fc.property(fc.array(id, { maxLength: 40 }), fc.integer({ min: 1, max: 4 }), (ids, bound) => {
      const used = createUsedIds(bound)
      for (const each of ids) used.add(each)
      expect(ids.filter((each) => isNew(used, each))).toEqual([])
    }),
  )
})

test('a client that counts upwards is never refused, with gaps or without', () => {
  for (const step of [1, 3]) {
    const used = createUsedIds(10)
    for (let value = 0; value < 3_000; value += step) {
      expect(isNew(used, number(value))).toBe(true)
      used.add(number(value))
    }
  }
})

test('the gap between the lowest runs is given up first', () => {
  const used = createUsedIds(2)
  for (const value of [0, 10, 20]) used.add(number(value))
  expect([5, 15, 25, -5].map((value) => isNew(used, number(value)))).toEqual([false, true, true, true])
})

test('beyond the bound ids that are no integers are in doubt, integers are not', () => {
  const used = createUsedIds(2)
  for (const value of ['a', 'b', 'c']) used.add(string(value))
  expect(used.objection(string('d'))).toContain('is not known after 2 ids that are no integers')
  expect(used.objection(string('a'))).toContain('The id "a" is not new')
  expect(used.objection(number(1))).toBeUndefined()
})

test('an objection shows no more than the beginning of a long id', () => {
  const used = createUsedIds()
  used.add(string('x'.repeat(5_000)))
  expect(used.objection(string('x'.repeat(5_000)))?.length).toBeLessThan(400)
})
