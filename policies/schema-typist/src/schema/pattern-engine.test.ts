import { expect, test } from 'vitest'
import { createPatternEngine, PATTERN_BOUNDS, UncheckedText } from './pattern-engine.ts'

const create = (source: string): { test(text: string): boolean } => createPatternEngine().create(source, 'u')

/** Patterns that take the built-in engine minutes or years, a part of a text that it cannot get past, and one that it can. */
const slow: readonly (readonly [string, string, string])[] = [
  ['^([a-z0-9]+-?)+$', 'a', '!'], ['^(a+)+$', 'a', '!'], ['^(a|a)*$', 'a', '!'], ['^(a|aa)+$', 'a', '!'], ['^(.*a){12}$', 'a', '\n'], ['^([a-z]+)*$', 'a', '!'], ['^(a?){40}a{40}$', 'a', '!'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a', '!'], [String.raw`\s*\s*\s*$`, ' ', 'x'], [String.raw`(x+x+)+y`, 'x', '!'], [String.raw`a*a*a*a*b`, 'a', '!'], ['(?:(?:a*)*)*b', 'a', '!'],
  [String.raw`^(?:\w+\s?)+$`, 'a', '!'], [String.raw`^\S+@\S+\.\S+$`, '@', ' '],
]

test.each(slow)('the pattern %s is decided in bounded time, for long texts too', (source, part, end) => {
  const pattern = create(source)
  const start = performance.now()
  expect(pattern.test(part.repeat(40) + end)).toBe(source === String.raw`\s*\s*\s*$`)
  expect(pattern.test(part.repeat(10_000) + end)).toBe(source === String.raw`\s*\s*\s*$`)
  expect(performance.now() - start).toBeLessThan(2_000)
})

test('a short text is decided by the built-in engine itself, whatever the pattern', () => {
  const pattern = create(String.raw`^(?=.*\d)(?=.*[A-Z])(\w)(?!\1).{6,}$`)
  expect(pattern.test('aB3defgh')).toBe(true)
  expect(pattern.test('aabdefgh')).toBe(false)
})

test.each(['^(?:(?=a)a+)+$', String.raw`^(a+)+\1$`, '^(?:a{1,1001}){1,9}$'])('the slow pattern %s, which has no linear form, refuses what it cannot check and says so', (source) => {
  const pattern = create(source)
  expect(pattern.test('a')).toBe(source !== String.raw`^(a+)+\1$`)
  expect(() => pattern.test(`${'a'.repeat(2_000)}!`)).toThrow(UncheckedText)
  expect(() => pattern.test(`${'a'.repeat(2_000)}!`)).toThrow(`A text of 2001 characters cannot be checked against the pattern ${JSON.stringify(source)} in bounded time.`)
})

test('what takes too many steps even without backtracking is refused', () => {
  const pattern = create('^(?:a{1,30}){1,30}$')
  expect(pattern.test('a'.repeat(900))).toBe(true)
  expect(pattern.test('a'.repeat(901))).toBe(false)
  expect(() => pattern.test('a'.repeat(20_000))).toThrow(UncheckedText)
})

test('a long pattern is told in part', () => {
  const source = `^(?:(?=a)a+)+${'b'.repeat(200)}$`
  expect(() => create(source).test('a'.repeat(2_000))).toThrow(`pattern "${source.slice(0, 100)}…" in`)
})

test('the searches of one validation share its steps, and the next one has all of them again', () => {
  const engine = createPatternEngine()
  const pattern = engine.create('^a+b$', 'u')
  const text = 'a'.repeat(10_000)
  const spendAll = (): number => {
    for (let count = 0; ; count += 1) {
      try {
        pattern.test(text)
      } catch (error) {
        expect(error).toBeInstanceOf(UncheckedText)
        return count
      }
    }
  }
  const first = spendAll()
  expect(first).toBeGreaterThan(PATTERN_BOUNDS.steps / (text.length * 20))
  expect(first).toBeLessThan(PATTERN_BOUNDS.steps / text.length)
  expect(spendAll()).toBe(0)
  engine.begin()
  expect(spendAll()).toBe(first)
})

test('what is no pattern is a SyntaxError', () => {
  for (const source of ['(', '[', String.raw`\q`, 'a**', '(?<n>a)(?<n>b)']) expect(() => create(source)).toThrow(SyntaxError)
})
