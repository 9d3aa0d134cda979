import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readInteger } from './read-integer.ts'

const WHITE_SPACE = [
  '\t', '\n', '\v', '\f', '\r', ' ', '\u00a0', '\u1680', '\u2000', '\u2001', '\u2002', '\u2003', '\u2004', '\u2005', '\u2006',
  '\u2007', '\u2008', '\u2009', '\u200a', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000', '\ufeff',
]

function reasonOf(text: string): string {
  const reading = readInteger(text)
  return reading.kind === 'refused' ? reading.reason : `${typeof reading.value} ${reading.value}`
}

test.each([
  ['0', 0], ['1', 1], ['7', 7], ['9', 9], ['10', 10], ['100', 100], ['-1', -1], ['-7', -7], ['-10', -10], ['1234567890', 1234567890],
  ['9007199254740990', 9007199254740990], ['9007199254740991', Number.MAX_SAFE_INTEGER], ['-9007199254740991', Number.MIN_SAFE_INTEGER],
  ['9007199254740992', 9007199254740992n], ['9007199254740993', 9007199254740993n], ['-9007199254740992', -9007199254740992n],
  ['-9007199254740993', -9007199254740993n], ['18446744073709551615', 18446744073709551615n],
  ['100000000000000000000000000000000000001', 100000000000000000000000000000000000001n],
])('the canonical text %s is read as exactly that integer', (text, value) => {
  expect(readInteger(text)).toStrictEqual({ kind: 'integer', value })
})

test.each([
  ['empty', ['']],
  ['whitespace', [' 7', '7 ', ' 7 ', '\t7', '7\n', '\r\n7\r\n', ' -7', '-7 ', '  0  ', ' 007', ' -0', '-00 ', '\u00a07\ufeff']],
  ['non_ascii_digit', ['\u0663', '-\u0663', '1\u0662', '\uff17', '\uff11\uff10', '\u096d', '\ud835\udfd5', '\u06f00', '-\u0660']],
  ['plus_sign', ['+7', '+0', '+10', '+007', '+-7', '+-0', '+9007199254740993']],
  ['separator', ['1,000', '1_000', "1'000", '1\u2019000', '1 000', '1\u00a0000', '1\u202f000', '-1,000', '1,2,3', '0,0', '1\t0']],
  ['exponent', ['1e3', '1E3', '1e+3', '1e-3', '-1e3', '0e0', '007e1', '1e007', '12E+34']],
  ['fraction', ['1.0', '1.5', '-1.5', '7.', '0.0', '-0.0', '00.5', '1.000', '9007199254740993.0']],
  ['negative_zero', ['-0', '-00', '-000']],
  ['leading_zero', ['00', '01', '007', '-01', '-007', '0000', '09007199254740993']],
  [
    'not_an_integer',
    [
      'abc', 'abc ', ' abc', '7px', 'px7', '0x10', '0b1', '0o7', '1n', 'NaN', 'Infinity', '-Infinity', 'true', 'null', '-', '+', '.', ',', '--7',
      '++7', '-+7', '7-', '7+', '- 7', '+ 7', '.5', '-.5', '+.5', 'e3', '1e', '1e+', '1e1e1', '1.5.', '1.2.3', '1,', ',1', '1,,0', '1__0', '1;0',
      '\u22127', '\uff0b7', '\u00b2', '\u2460', '\u2167', '\u4e03', '\u00bd', '7\u200b', '\u200b7', '7\u180e', '7\u0000', ' ', '\t', '\ufeff', '1/1', '(7)',
      '$7', '7%', '[7]', '{}', '"7"', '7,5e', '1.e', '\u0663x',
    ],
  ],
])('%s is the reason against each text of its kind', (reason, texts) => {
  expect(texts.map((text) => [text, reasonOf(text)])).toEqual(texts.map((text) => [text, reason]))
})

test.each([
  [' \u0663', 'non_ascii_digit'], [' +7', 'plus_sign'], [' 1,000', 'separator'], [' 1e3', 'exponent'], [' 1.5', 'fraction'],
  ['+\u0663', 'plus_sign'], ['1,\u0660\u0660\u0660', 'separator'], ['\u0661e\u0663', 'exponent'], ['\u0661.\u0665', 'fraction'], ['-\u0660', 'non_ascii_digit'],
  ['\u0660\u0667', 'non_ascii_digit'], ['+1,000', 'separator'], ['+1e3', 'exponent'], ['+1.5', 'fraction'], ['+-0', 'plus_sign'], ['+07', 'plus_sign'],
  ['1,000e3', 'exponent'], ['1,000.5', 'fraction'], ['-0,0', 'separator'], ['0,7', 'separator'], ['1.5e3', 'fraction'], ['-0e1', 'exponent'],
  ['07e1', 'exponent'], ['-0.0', 'fraction'], ['07.0', 'fraction'], ['-007', 'leading_zero'], ['-000', 'negative_zero'], [' +1,000.5e3 ', 'fraction'],
  [' +x', 'not_an_integer'], ['+1e3x', 'not_an_integer'], ['1,000px', 'not_an_integer'], [' \u0663 \u0663 ', 'separator'],
])('of several features in %j the one that leaves a numeral behind is given: %s', (text, reason) => {
  expect(reasonOf(text)).toBe(reason)
})

test.each(WHITE_SPACE.map((space) => [JSON.stringify(space), space]))('the white space %s is what trim removes', (_, space) => {
  const texts = [`${space}7`, `7${space}`, `${space}-7${space}`, `${space}${space}0`]
  expect(texts.map(reasonOf)).toEqual(['whitespace', 'whitespace', 'whitespace', 'whitespace'])
  expect(reasonOf(`1${space}0`)).toBe('separator')
  expect(reasonOf(space)).toBe('not_an_integer')
})

test('every decimal digit of Unicode but 0 to 9 is refused as such', () => {
  let seen = 0
  for (let code = 0x80; code <= 0x10ffff; code += 1) {
    const digit = String.fromCodePoint(code)
    if (!/\p{Nd}/u.test(digit)) continue
    seen += 1
    expect(reasonOf(digit)).toBe('non_ascii_digit')
    expect(reasonOf(`-1${digit}`)).toBe('non_ascii_digit')
  }
  expect(seen).toBeGreaterThan(600)
})

const ALPHABET = [
  ...'0123456789', '0', '00', '-', '+', '.', ',', '_', "'", '\u2019', 'e', 'E', 'e+', ' ', '\t', '\u00a0', '\ufeff', '\u0663', '\uff10', '\ud835\udfd8', 'x', '\u2212', '\u00b2',
]
const nearNumeral = fc.array(fc.constantFrom(...ALPHABET), { maxLength: 12 }).map((parts) => parts.join(''))
const anyText = fc.oneof({ weight: 4, arbitrary: nearNumeral }, fc.string({ unit: 'grapheme', maxLength: 20 }), fc.bigInt().map(String), fc.double().map(String))

/** The rule once more, by whole-text patterns: each pattern admits its feature and those before it, the first that fits is the reason. */
function patternReason(text: string): string {
  const digit = String.raw`\p{Nd}`
  const grouped = String.raw`${digit}(?:[,_'\u2019\s]?${digit})*`
  const patterns: readonly (readonly [string, RegExp])[] = [
    ['empty', /^$/],
    ['whitespace', /^(?:\s+-?[0-9]+\s*|-?[0-9]+\s+)$/],
    ['non_ascii_digit', /^(?=.*(?![0-9])\p{Nd})\s*-?\p{Nd}+\s*$/su],
    ['plus_sign', /^\s*\+-?\p{Nd}+\s*$/u],
    ['separator', new RegExp(String.raw`^(?!\s*\+?-?${digit}+\s*$)\s*\+?-?${grouped}\s*$`, 'u')],
    ['exponent', new RegExp(String.raw`^\s*\+?-?${grouped}[eE][+\-]?${grouped}\s*$`, 'u')],
    ['fraction', new RegExp(String.raw`^\s*\+?-?${grouped}\.(?:${grouped})?(?:[eE][+\-]?${grouped})?\s*$`, 'u')],
    ['negative_zero', /^-0+$/],
    ['leading_zero', /^-?0[0-9]+$/],
  ]
  return patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? 'not_an_integer'
}

/** Canonical by another road: what the platform reads and prints back unchanged. */
function isPrintedBack(text: string): boolean {
  try {
    return BigInt(text).toString() === text
  } catch {
    return false
  }
}

test('for every text, exactly the canonical integers are read, and as their own value', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const reading = readInteger(text)
      expect(reading.kind === 'integer').toBe(isPrintedBack(text))
      if (reading.kind !== 'integer') return
      expect(String(reading.value)).toBe(text)
      expect(typeof reading.value).toBe(Number.isSafeInteger(Number(text)) ? 'number' : 'bigint')
    }),
    { numRuns: 2_000 },
  )
})

test('for every text that is refused, the reason is the one that the rule gives when read by patterns', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      fc.pre(!isPrintedBack(text))
      expect(reasonOf(text)).toBe(patternReason(text))
    }),
    { numRuns: 2_000 },
  )
})
