import { RegExpParser } from '@eslint-community/regexpp'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linearPattern } from './linear-pattern.ts'
import type { LinearPattern } from './linear-pattern.ts'

function linear(source: string): LinearPattern | undefined {
  return linearPattern(new RegExpParser().parsePattern(source, 0, source.length, true))
}

const ALPHABET = ['a', 'b', 'é', 'ß', 'Ω', '0', '٣', '_', '-', ']', '^', '\\', '.', ' ', '\t', '\v', '\u00a0', '\ufeff', '\u2028', '\r', '\n', '\0', '😀', '/', '{', 'ſ', 'K']
const atoms = [
  'a', 'b', 'é', '😀', '.', String.raw`\.`, String.raw`\s`, String.raw`\S`, String.raw`\d`, String.raw`\D`, String.raw`\w`, String.raw`\W`, '[ab]', '[^ab]',
  String.raw`[\s]`, String.raw`[^\s]`, String.raw`[\S]`, String.raw`[^\S]`, String.raw`[\w-]`, String.raw`[\d\]\\^]`, String.raw`[^\W\d]`, '[]', '[^]', '[a-c0-9]', String.raw`[\b]`,
  '[Ω-😀]', String.raw`\p{L}`, String.raw`\P{L}`, String.raw`[^\p{Lu}]`, String.raw`\p{Script=Greek}`, String.raw`\p{gc=Lu}`, String.raw`\u{1F600}`, String.raw`\u00e9`, String.raw`\x41`, String.raw`\cJ`, String.raw`\0`,
  String.raw`\t`, String.raw`\/`, String.raw`\-`.replace('\\', ''), '^', '$', String.raw`\b`, String.raw`\B`,
]
const patterns = fc.letrec<{ readonly pattern: string; readonly part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...atoms),
    fc.tuple(tie('pattern'), fc.constantFrom('', '?:', '?<n>')).map(([pattern, kind]) => (kind === '?<n>' && pattern.includes('<n>') ? `(${pattern.replaceAll('?<n>', '?:')})` : `(${kind}${pattern})`)),
    fc.tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '*?', '+?', '{2}', '{1,}', '{0,3}', '{0}')).map(([pattern, times]) => `(?:${pattern.replaceAll('?<n>', '?:')})${times}`),
  ),
  pattern: fc.array(fc.array(tie('part'), { maxLength: 3 }).map((parts) => parts.join('')), { minLength: 1, maxLength: 2 }).map((each) => each.join('|')),
})).pattern.map((pattern) => {
  let count = 0
  return pattern.replaceAll('?<n>', () => `?<n${(count += 1)}>`)
})

test('a pattern for RE2 finds what the built-in engine finds', () => {
  let found = 0
  let missed = 0
  fc.assert(fc.property(patterns, fc.array(fc.constantFrom(...ALPHABET), { maxLength: 6 }).map((each) => each.join('')), (source, text) => {
    const isFound = new RegExp(source, 'u').test(text)
    expect(linear(source)?.test(text)).toBe(isFound)
    if (isFound) found += 1
    else missed += 1
  }), { numRuns: 3_000 })
  expect(Math.min(found, missed)).toBeGreaterThan(150)
})

test.each(atoms)('the atom %s is the same set of characters', (source) => {
  const native = new RegExp(`^${source}$`, 'u')
  const pattern = linear(`^${source}$`)
  const points = [...Array.from({ length: 0x3100 }, (_, at) => at), 0xfefe, 0xfeff, 0xff00, 0x1f5ff, 0x1f600, 0x1f601, 0x10ffff]
  const differing = points.map((point) => String.fromCodePoint(point)).filter((text) => pattern?.test(text) !== native.test(text))
  // Two tables of letters may be of different years.
  if (source.includes('p{') || source.includes('P{')) expect(differing.length).toBeLessThan(60)
  else expect(differing).toEqual([])
})

test.each([
  'a(?=b)', 'a(?!b)', '(?<=a)b', '(?<!a)b', String.raw`(a)\1`, 'a{1001}', 'a{0,2000}', '((a{100}){100}){100}', `${'a'.repeat(4_096)}b`, String.raw`(?:a|b(?=c))*`, String.raw`\p{ASCII}`, String.raw`\p{Script_Extensions=Greek}`, String.raw`[\P{scx=Grek}]`,
])('the pattern %s has no such form', (source) => {
  expect(linear(source)).toBeUndefined()
})

test('the longest pattern is taken', () => {
  expect(linear('a'.repeat(4_096))?.test('a'.repeat(4_096))).toBe(true)
})
