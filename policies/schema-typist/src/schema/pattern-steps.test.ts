import { RegExpParser } from '@eslint-community/regexpp'
import { expect, test } from 'vitest'
import { backtrackingSteps } from './pattern-steps.ts'

function steps(source: string, length: number): number {
  return backtrackingSteps(new RegExpParser().parsePattern(source, 0, source.length, true), length)
}

/** By how many times the steps grow when the text grows tenfold, as a power of ten. */
function growth(source: string): number {
  return Math.round(Math.log10(steps(source, 10_000) / steps(source, 1_000)))
}

test.each([
  ['^(asc|desc)$', 1], [String.raw`^\d{4}-\d{2}-\d{2}$`, 1], ['^[a-z]+$', 1], [String.raw`^https?://.+$`, 1], ['^(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9]{8,64}$', 1], ['a', 1], ['^a|b', 1], ['^a|^b', 1],
  ['a+', 2], ['^a+b+$', 2], ['^a*(?:b*)$', 2], ['^a+(?=b+)$', 2], [String.raw`^(a+)\1$`, 2], ['^a+b+c+$', 3], ['a+b+', 3], ['^(?:a+b?){2}$', 2], ['^(?:a+|b+)c+$', 2],
] as const)('the steps of %s grow with the power %i of the length', (source, power) => {
  expect(growth(source)).toBe(power)
})

test.each(['^(a+)+$', '^(a|a)*$', '^(a?)*$', '^(?:a+b)*$', '^(a{1,2}){50}$', '^(?:a?){60}$', '(?=(a+)+b)', '(?<=(a|b)*)c', '^(?:a|b){2,}$'])('the steps of %s are out of bounds', (source) => {
  expect(steps(source, 60)).toBeGreaterThan(1e9)
})

test('an estimate is never below the ways that there are', () => {
  expect(steps('^(a|a){10}$', 20)).toBeGreaterThan(2 ** 10)
  expect(steps('^a{0,9}a{0,9}a{0,9}$', 40)).toBeGreaterThan(10 ** 3)
  expect(steps('^(a|b|c)(a|b|c)(a|b|c)$', 3)).toBeGreaterThan(3 ** 3)
})
