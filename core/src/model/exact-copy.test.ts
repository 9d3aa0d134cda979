import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCallgateError } from './callgate-error.ts'
import { exactCopy, LARGEST_TEXT } from './exact-copy.ts'
import { containersIn, exactValues } from './exact-values.fixture.ts'
import { WireNumber } from './wire-number.ts'

class Point {
  readonly x = 1
}

class List extends Array<number> {}

class Loud extends WireNumber {}

function problemOf(value: unknown): string {
  try {
    exactCopy(value)
  } catch (error) {
    if (isCallgateError(error) && error.code === 'inexact_candidate') return error.message
    throw error
  }
  return 'was admitted'
}

const cycle: Record<string, unknown> = {}
cycle['self'] = { list: [cycle] }
const holes: unknown[] = [1, 2, 3]
delete holes[1]
const holeAndExtra: unknown[] = Object.assign([1, 2, 3], { extra: 1 })
delete holeAndExtra[1]
const revoked = Proxy.revocable({}, {})
revoked.revoke()
const throwing = new Proxy({}, { ownKeys: () => { throw new Error('no') } })
const vanishing = new Proxy({}, { ownKeys: () => ['gone'] })

const INEXACT: readonly (readonly [name: string, value: unknown, problem: string])[] = [
  ['undefined', undefined, '/v is undefined'],
  ['NaN', NaN, '/v is NaN'],
  ['Infinity', Infinity, '/v is Infinity'],
  ['-Infinity', -Infinity, '/v is -Infinity'],
  ['-0', -0, '/v is -0'],
  ['a small bigint', 7n, '/v is 7n, a bigint inside the safe range'],
  ['the largest safe bigint', 9007199254740991n, '/v is 9007199254740991n'],
  ['the smallest safe bigint', -9007199254740991n, '/v is -9007199254740991n'],
  ['a function', () => 1, '/v is a function'],
  ['a symbol', Symbol('s'), '/v is a symbol'],
  ['a boxed number', new Number(7), '/v is a boxed Number'],
  ['a boxed string', new String('7'), '/v is a boxed String'],
  ['a boxed boolean', new Boolean(true), '/v is a boxed Boolean'],
  ['a boxed bigint', Object(7n), '/v is a boxed BigInt'],
  ['a boxed symbol', Object(Symbol('s')), '/v is a boxed Symbol'],
  ['a date', new Date(0), '/v is an instance of a class'],
  ['a map', new Map(), '/v is an instance of a class'],
  ['a class instance', new Point(), '/v is an instance of a class'],
  ['an object of an own prototype', Object.create({ a: 1 }), '/v is an instance of a class'],
  ['an array of a subclass', List.of(1), '/v is an array with a prototype of its own'],
  ['an array without prototype', Object.setPrototypeOf([1], null), '/v is an array with a prototype of its own'],
  ['a hole', holes, '/v is an array with holes'],
  ['a sparse array of four billion', new Array(4_000_000_000), '/v is an array with holes'],
  ['a hole made up for by an extra property', holeAndExtra, '/v/1 is a hole'],
  ['an extra property', Object.assign([1], { extra: 1 }), '/v is an array with extra properties'],
  ['a symbol beside the items', Object.assign([1], { [Symbol('s')]: 1 }), '/v is an array with extra properties'],
  ['a hidden extra property', Object.defineProperty([1], 'extra', { value: 1 }), '/v is an array with extra properties'],
  ['an accessor', { get a(): number { return 1 } }, '/v/a is an accessor'],
  ['a setter', { set a(_: number) {} }, '/v/a is an accessor'],
  ['an accessor in an array', Object.defineProperty([1, 2], 1, { get: () => 1, enumerable: true }), '/v/1 is an accessor'],
  ['a property that is not enumerable', Object.defineProperty({}, 'a', { value: 1 }), '/v/a is not enumerable'],
  ['a symbol as a key', { [Symbol('s')]: 1 }, '/v has a symbol as a key'],
  ['an own toJSON', { toJSON: () => 1 }, '/v/toJSON is a function'],
  ['an own valueOf', { valueOf: () => 1 }, '/v/valueOf is a function'],
  ['an own toPrimitive', { [Symbol.toPrimitive]: () => 1 }, '/v has a symbol as a key'],
  ['a cycle', cycle, '/v/self/list/0 is a cycle'],
  ['a lone high surrogate', 'a\ud800', '/v holds a lone surrogate'],
  ['a lone low surrogate', '\udc00a', '/v holds a lone surrogate'],
  ['surrogates in the wrong order', '\udc00\ud800', '/v holds a lone surrogate'],
  ['a key with a lone surrogate', { '\ud800': 1 }, '/v has a key with a lone surrogate'],
  ['a revoked proxy', revoked.proxy, '/v cannot be read'],
  ['a proxy that throws', throwing, '/v cannot be read'],
  ['a proxy whose keys lead nowhere', vanishing, '/v/gone is a hole'],
  ['a proxy around a WireNumber', new Proxy(new WireNumber('-0', -0), {}), '/v is an instance of a class'],
  ['a subclass of WireNumber', new Loud('-0', -0), '/v is an instance of a class'],
]

test.each(INEXACT)('%s is refused by name', (_, value, problem) => {
  expect(problemOf({ v: value })).toContain(problem)
})

test.each(INEXACT)('%s is refused deep inside, with its path', (_, value, problem) => {
  expect(problemOf({ list: [0, { 'a/b': value }] })).toContain(`/list/1/a~1b${problem.slice('/v'.length)}`)
})

test('a value that is refused as a whole is named as such', () => {
  expect(problemOf(NaN)).toMatch(/^The value is NaN; only exact JSON values are admitted/)
})

test('the cause of a proxy that throws is kept', () => {
  expect(() => exactCopy(throwing)).toThrow(expect.objectContaining({ cause: new Error('no') }))
})

test('a path of any length is shown cut', () => {
  let value: unknown = NaN
  for (let level = 0; level < 1000; level += 1) value = { ['k'.repeat(30)]: value }
  const message = problemOf(value)
  expect(message.length).toBeLessThan(400)
  expect(message).toContain('… is NaN')
})

test('a deep path is shown cut, however short its keys', () => {
  let value: unknown = Object.defineProperty({}, 'a', { value: 1 })
  for (let level = 0; level < 33; level += 1) value = [value]
  expect(problemOf(value)).toContain(`${'/0'.repeat(32)}… is not enumerable`)
})

test('every exact value is copied as it is', () => {
  fc.assert(fc.property(exactValues, (value) => {
    expect(exactCopy(value)).toEqual(value)
  }))
})

test('a copy is frozen at every depth and shares nothing with what was handed in', () => {
  fc.assert(fc.property(exactValues, (value) => {
    const copy = exactCopy(value)
    const originals = new Set(containersIn(value))
    for (const container of containersIn(copy)) {
      expect(Object.isFrozen(container)).toBe(true)
      expect(originals.has(container)).toBe(false)
    }
  }))
})

test('the edges of the number range are exact', () => {
  for (const value of [2n ** 53n, -(2n ** 53n), Number.MAX_SAFE_INTEGER, 1e308, 5e-324, 0, Number.MAX_VALUE]) expect(exactCopy(value)).toBe(value)
})

test('an object without a prototype is plain, and comes back with one', () => {
  const bare = Object.assign(Object.create(null) as object, { a: 1 })
  expect(Object.getPrototypeOf(exactCopy(bare))).toBe(Object.prototype)
})

test('a key __proto__ is data and reaches no prototype', () => {
  const copy = exactCopy(JSON.parse('{"__proto__":{"polluted":true}}')) as Record<string, unknown>
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
  expect(Object.hasOwn(copy, '__proto__')).toBe(true)
  expect(copy['polluted']).toBeUndefined()
})

test('a genuine WireNumber is taken as it is', () => {
  const number = new WireNumber('-0', -0)
  expect(exactCopy([number])).toEqual([number])
})

test('each property is read once, so a proxy that answers differently later changes nothing', () => {
  const reads: (string | symbol)[] = []
  const lying = new Proxy({ a: 1, list: [1] }, {
    getOwnPropertyDescriptor(target, key) {
      reads.push(key)
      const property = Reflect.getOwnPropertyDescriptor(target, key)
      return reads.filter((read) => read === key).length === 1 ? property : { ...property, value: 'a lie' }
    },
    get: () => 'a lie',
  })
  expect(exactCopy({ first: lying, second: lying })).toEqual({ first: { a: 1, list: [1] }, second: { a: 1, list: [1] } })
  expect(reads).toEqual(['a', 'list'])
})

test('a value that shares parts is no cycle, and keeps sharing them', () => {
  const shared = { a: [1] }
  const copy = exactCopy({ first: shared, second: [shared, shared] }) as { readonly first: unknown; readonly second: readonly unknown[] }
  expect(copy).toEqual({ first: { a: [1] }, second: [{ a: [1] }, { a: [1] }] })
  expect(copy.second[1]).toBe(copy.first)
})

test('a value that holds itself is a cycle, with nothing above it or below', () => {
  const self: Record<string, unknown> = {}
  self['self'] = self
  expect(problemOf(self)).toContain('/self is a cycle')
})

test('the path of a value that stands in another begins above it', () => {
  expect(() => exactCopy({ list: [NaN] }, ['a/b'])).toThrow('/a~1b/list/0 is NaN')
  expect(() => exactCopy(NaN, ['a'])).toThrow('/a is NaN')
})

test('nesting costs no stack', () => {
  let value: unknown = 'core'
  for (let level = 0; level < 200_000; level += 1) value = [value]
  let copy: unknown = exactCopy(value)
  let depth = 0
  for (; Array.isArray(copy); depth += 1) copy = copy[0] as unknown
  expect([depth, copy]).toEqual([200_000, 'core'])
})

test('a few lists that share themselves into endlessness are refused', () => {
  let value: unknown = 'x'
  for (let level = 0; level < 60; level += 1) value = [value, value]
  expect(problemOf(value)).toContain(`spells out to more than ${LARGEST_TEXT} characters`)
})

test('a long string shared into endlessness is refused, in a value and in a key', () => {
  const long = 'x'.repeat(1_000_000)
  expect(problemOf(Array.from({ length: 100 }, () => long))).toContain('spells out')
  expect(problemOf(Array.from({ length: 100 }, () => ({ [long]: 1 })))).toContain('spells out')
})

test('a proxy that answers with proxies for ever is refused', () => {
  const handler: ProxyHandler<object> = {
    ownKeys: () => ['next'],
    getOwnPropertyDescriptor: () => ({ value: new Proxy({}, handler), enumerable: true, configurable: true, writable: true }),
  }
  expect(problemOf(new Proxy({}, handler))).toContain('is nested deeper than 1000000 levels')
}, 90_000)
