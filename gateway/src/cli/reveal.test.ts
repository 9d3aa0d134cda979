import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reveal } from '@callgate/core'
import { revealPlain, shorten } from './reveal.ts'

test.each([
  ['a tab', 'a\tb', 'a\\u{9}b'],
  ['a line break', 'yes\nno', 'yes\\u{a}no'],
  ['the escape that moves a cursor', '\u001b[2K', '\\u{1b}[2K'],
  ['delete and C1 controls', '\u007f\u0085\u009b', '\\u{7f}\\u{85}\\u{9b}'],
  ['a right-to-left override', 'gpj.\u202eexe', 'gpj.\\u{202e}exe'],
  ['bidirectional isolates', '\u2066x\u2069', '\\u{2066}x\\u{2069}'],
  ['a zero width space and joiner', 'a\u200bb\u200dc', 'a\\u{200b}b\\u{200d}c'],
  ['a byte order mark', '\ufeffa', '\\u{feff}a'],
  ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
  ['a no-break space', 'a\u00a0b', 'a\\u{a0}b'],
  ['a Hangul filler', '\u3164', '\\u{3164}'],
  ['a blank Braille cell', '\u2800', '\\u{2800}'],
  ['a variation selector', 'a\ufe0f', 'a\\u{fe0f}'],
  ['a tag character', '\u{e0041}', '\\u{e0041}'],
  ['a private use character', '\ue000', '\\u{e000}'],
])('%s is made visible', (_what, text, shown) => {
  expect(reveal(text)).toBe(shown)
})

test('letters, marks, symbols and the plain space of any script stay as they are', () => {
  const text = 'Grüße, 日本語 العربية עברית ελληνικά é 👍 "quoted" 100 %'
  expect(reveal(text)).toBe(text)
})

test('text that spells an escape by hand differs from the character it names', () => {
  expect(revealPlain('\\u{202e}')).toBe('\\\\u{202e}')
  expect(revealPlain('\u202e')).toBe('\\u{202e}')
})

test('two different texts never look the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
      fc.pre(one !== other)
      expect(revealPlain(one)).not.toBe(revealPlain(other))
    }),
  )
})

test('what is shown holds no character that moves, hides or reorders', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(reveal(text))))
})

test('a shortened text says that it is, and never cuts a character in two', () => {
  expect(shorten('abcdef', 6)).toBe('abcdef')
  expect(shorten('abcdefg', 6)).toBe('abcde…')
  expect(shorten('👍👍👍', 2)).toBe('👍…')
})
