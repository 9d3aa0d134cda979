import fc from 'fast-check'
import { expect, test } from 'vitest'
import { email, emails, iban, ibans, link, links, numbers, path, words } from './text-functions.ts'

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

test.each([
  [email, ' Ada.B@Example.COM ', 'ada.b@example.com'],
  [link, 'https://www.Example.com/A/', 'example.com/A'],
  [link, 'shop.test', 'shop.test'],
  [iban, 'DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
  [iban, 'gb33bukb20201555555555', 'GB33BUKB20201555555555'],
])('%o of %j is the one thing that the text is', (read, text, expected) => {
  expect(read(text)).toBe(expected)
})

test.each([
  [email, ['a@b.io, c@d.io', 'Ada <a@b.io>', 'a@b.io.', 'a@b.io\nx', 'x a@b.io', 'a@b', '', `${'a'.repeat(65)}@b.io`]],
  [link, ['https://a.test/x https://b.test', 'see a.test', 'https://a.test/.', 'a@b.io', 'javascript:x', 'https://', '']],
  [iban, ['DE89370400440532013000 DE89370400440532013001', 'to DE89370400440532013000', 'AB12', '']],
])('%o of a text that holds anything beside it is nothing', (read, texts) => {
  for (const text of texts) expect([text, read(text)]).toEqual([text, undefined])
})

test('what one thing is, is also what is found in it', () => {
  fc.assert(fc.property(fc.oneof(fc.emailAddress(), fc.webUrl(), fc.constant('DE89 3704 0044 0532 0130 00')), (text) => {
    for (const [one, all] of [[email, emails], [link, links], [iban, ibans]] as const) {
      const found = one(text)
      if (found !== undefined) expect(all(text)).toEqual([found])
    }
  }))
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

// What `emails` must find, slowly: all of it in one pattern.
const MAIL = /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,63}/gu

test('the mail addresses are those of one pattern, whatever stands beside them', () => {
  const part = fc.constantFrom('a', 'b.io', '@', '.', '-', ' ', 'é', '😀', '1', 'x'.repeat(70), '𝒳'.repeat(40))
  fc.assert(fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
    const text = parts.join('')
    expect(emails(text)).toEqual([...new Set([...text.matchAll(MAIL)].map(([mail]) => mail.toLowerCase()))])
  }), { numRuns: 3_000 })
})

test.each([
  ['links', links, `http://${'!'.repeat(2_000)}x `.repeat(2_000)],
  ['links', links, `http://a${'/'.repeat(2_000)}x `.repeat(2_000)],
  ['emails', emails, 'a'.repeat(4_000_000)],
])('%s of a text that is hostile to patterns come in linear time', (_, find, text) => {
  const start = performance.now()
  find(text)
  expect(performance.now() - start).toBeLessThan(2_500)
})
