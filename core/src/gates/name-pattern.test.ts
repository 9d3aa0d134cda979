import { expect, test } from 'vitest'
import { createNameMatcher, isPattern } from './name-pattern.ts'

test.each([
  ['pay', 'pay', true],
  ['pay', 'Pay', false],
  ['pay', 'pay2', false],
  ['pay', 'xpay', false],
  ['*', '', true],
  ['*', 'anything\n', true],
  ['list_*', 'list_', true],
  ['list_*', 'list_all', true],
  ['list_*', 'list', false],
  ['list_*', 'a_list_all', false],
  ['*_all', 'list_all', true],
  ['*_all', '_all', true],
  ['*_all', 'list_all2', false],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['a*a', 'aba', true],
  ['a*b*c', 'axbxc', true],
  ['a*b*c', 'acb', false],
  ['a*b*c', 'abc', true],
  ['a*b*b', 'ab', false],
  ['a*b*b', 'abb', true],
  ['a*bc*c', 'abc', false],
  ['a*b*c', 'bacbc', false],
  ['a*b*c', 'axc', false],
  ['*b*', 'axc', false],
  ['*b*', 'abc', true],
  ['a**b', 'ab', true],
  ['a.c', 'abc', false],
  ['[a-z]', 'b', false],
  ['a?', 'ab', false],
  ['\\d*', '\\d7', true],
  ['__proto__', '__proto__', true],
  ['*e\u0301', 'e\u0301', true],
  ['*\u00e9', 'e\u0301', false],
])('the name %j is about the tool %j: %s', (pattern, name, expected) => {
  expect(createNameMatcher(pattern)(name)).toBe(expected)
})

test('a star makes a pattern, and nothing else does', () => {
  expect(['a*', '*', 'a', 'a?', ''].map(isPattern)).toEqual([true, true, false, false, false])
})

test('many stars cost no more than the two lengths multiplied', () => {
  const matches = createNameMatcher(`${'a*'.repeat(2000)}b`)
  expect(matches('a'.repeat(20_000))).toBe(false)
  expect(matches(`${'a'.repeat(20_000)}b`)).toBe(true)
})
