import { expect, test } from 'vitest'
import { emails, ibans, links, numbers, path, words } from './text-functions.ts'

test.each([
  ['Write to Ada.B@Example.COM, please.', ['ada.b@example.com']],
  ['<a@b.io> a@b.io; c+d@e-f.co.uk.', ['a@b.io', 'c+d@e-f.co.uk']],
  ['no @ mail, a@b, @c.de', []],
  ['jürgen@müller.de', ['jürgen@müller.de']],
])('the mail addresses of %j', (text, expected) => {
  expect(emails(text)).toEqual(expected)
})

test.each([
  ['See https://www.Example.com/A/ and http://example.com/A.', ['example.com/A']],
  ['go to www.shop.test/x?y=1#z or shop.test', ['shop.test/x?y=1#z', 'shop.test']],
  ['mail a@example.com is no link', []],
  ['HTTPS://EXAMPLE.com', ['example.com']],
  ['(http://a.test/b)', ['a.test/b']],
])('the links of %j, without scheme, www. and trailing slash', (text, expected) => {
  expect(links(text)).toEqual(expected)
})

test.each([
  ['to DE89 3704 0044 0532 0130 00 now', ['DE89370400440532013000']],
  ['gb33bukb20201555555555', ['GB33BUKB20201555555555']],
  ['AB12 is too short', []],
])('the account numbers of %j', (text, expected) => {
  expect(ibans(text)).toEqual(expected)
})

test('words are in small letters, whatever the alphabet, each once', () => {
  expect(words("Don't pay the Müller-Bank, don't! 42")).toEqual(["don't", 'pay', 'the', 'müller-bank', '42'])
})

test('numbers stand by themselves', () => {
  expect(numbers('Pay 98.70 and -5, not v2 or 1.2.3 or 7a; 007')).toEqual([98.7, -5, 7])
})

test.each([
  ['./src/../src/a.ts', 'src/a.ts'], ['src/a.ts', 'src/a.ts'], ['/repo//src/./a.ts', '/repo/src/a.ts'], ['../a', '../a'],
  ['a/../../b', '../b'], ['/../a', '/a'], ['.', '.'], ['', '.'], ['/', '/'], ['a/', 'a'],
])('the path %j is %j', (text, expected) => {
  expect(path(text)).toBe(expected)
})
