import { Candidate, createRedactor, isCallgateError } from '@callgate/core'
import type { JsonValue } from '@callgate/core'
import { expect, test } from 'vitest'

const KEY = 'a key of many characters'
const wire = (text: string): JsonValue => Candidate.ofWire(text).fields['arguments'] ?? {}
const redact = (text: string, ...paths: readonly string[]): JsonValue => createRedactor({ paths, key: KEY }).of([wire(text)]).value(wire(text))
const hidden = (path: string, length: number): unknown => ({ redacted: path, length, digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string })

test.each<readonly [string, string, readonly string[], unknown]>([
  ['a text', '{"card":"4111222233334444","n":1}', ['args.card'], { card: hidden('args.card', 16), n: 1 }],
  ['a number, to the digit', '{"card":41112222333344445555}', ['args.card'], { card: hidden('args.card', 20) }],
  ['a whole object', '{"card":{"number":"4111","cvc":"123"}}', ['args.card'], { card: hidden('args.card', 29) }],
  ['a nested value', '{"card":{"number":"4111","name":"Ann"}}', ['args.card.number'], { card: { number: hidden('args.card.number', 4), name: 'Ann' } }],
  ['in each item of lists', '{"cards":[[{"number":"4111"}],{"number":"4222"}]}', ['args.cards.number'], { cards: [[{ number: hidden('args.cards.number', 4) }], { number: hidden('args.cards.number', 4) }] }],
  ['whatever the letter case of the name', '{"CARD":"4111"}', ['args.card'], { CARD: hidden('args.card', 4) }],
  ['what stands where an object should', '{"card":"4111","other":1}', ['args.card.number'], { card: hidden('args.card.number', 4), other: 1 }],
  ['the object that came as a text', '{"card":"{\\"number\\":\\"4111\\"}","note":"is 4111 right?"}', ['args.card.number'], { card: hidden('args.card.number', 17), note: 'is (not shown) right?' }],
  ['nothing where nothing stands', '{"card":null,"b":[true,{}]}', ['args.card.number', 'args.b.c'], { card: null, b: [true, {}] }],
])('redacted: %s', (_, text, paths, expected) => {
  expect(redact(text, ...paths)).toEqual(expected)
})

test('a redacted value is hidden in the other values and names too', () => {
  expect(redact('{"token":"s3cr3t-A","note":"use S3CR3T-A, or \\"s3cr3t-a\\"","xs3cr3t-A":[{"y":"s3cr3t-A"}],"pin":1234,"again":1234}', 'args.token', 'args.pin')).toEqual({
    token: hidden('args.token', 8), note: 'use (not shown), or "(not shown)"', 'x(not shown)': [{ y: '(not shown)' }], pin: hidden('args.pin', 4), again: '(not shown)',
  })
})

test('a short value is hidden where it stands for itself, and no word is torn', () => {
  const { text } = createRedactor({ paths: ['args.cvc'], key: KEY }).of([wire('{"cvc":"12"}')])
  expect(text('"12" was sent, 12. Not 120, 1.12 or a12.')).toBe('"(not shown)" was sent, (not shown). Not 120, 1.12 or a12.')
})

test('what a message cut short is hidden too, and what it escaped', () => {
  const { text } = createRedactor({ paths: ['args.token'], key: KEY }).of([wire('{"token":"line\\none-two-three"}')])
  expect(text('"line\\none-tw…" and "line\\u{a}one-two-three" and li…')).toBe('"(not shown)…" and "(not shown)" and li…')
})

test('beyond a hundred values no text is shown', () => {
  const many = JSON.stringify({ list: Array.from({ length: 101 }, (_, at) => `value ${at}`), note: 'anything' })
  expect(redact(many, 'args.list')).toMatchObject({ '(not shown) 2': '(not shown)' })
})

test.each([12_000, 70_000, 300_000])('a value of %i letters is hidden like any other', (length) => {
  const long = Array.from({ length: length / 10 }, (_, at) => `${at}`.padStart(10, 'ab(')).join('')
  const { text } = createRedactor({ paths: ['args.token'], key: KEY }).of([{ token: long }])
  expect(text(`say ${long.toUpperCase()}, or ${long.slice(0, 9_000)}… it is`)).toBe('say (not shown), or (not shown)… it is')
})

test('letters are compared without their case, and what stands around them stays as it was', () => {
  const { text } = createRedactor({ paths: ['args.token'], key: KEY }).of([{ token: 'Straße-Σς' }])
  expect(text('İ ß STRAẞE-σΣ, 𝒳straße-ςσ; strasse-Σς')).toBe('İ ß (not shown), 𝒳(not shown); strasse-Σς')
})

test.each([
  ['a name of its members', '{"card":{"4111222233334444":{"cvc-of-ann":1}}}', 'have 4111222233334444 and CVC-OF-ANN', 'have (not shown) and (not shown)'],
  ['what a text spells', '{"card":"{\\"n\\":[\\"hunter2\\",\\"[\\\\\\"deeper\\\\\\"]\\"]}"}', 'hunter2, deeper', '(not shown), (not shown)'],
  ['what a text spells that is not exact', '{"card":"{\\"name\\":\\"hunter2\\",\\"name\\":1e999999,\\"x\\":\\"other\\"}"}', 'hunter2, 1e999999, other', '(not shown), (not shown), (not shown)'],
  ['a safe integer', '{"card":4.111222233334444e15}', '4.111222233334444e15 4.111222233334444E+15 4111222233334444', '(not shown) (not shown) (not shown)'],
  ['a large integer', '{"card":4.1112222333344445555e19}', '4.1112222333344445555e19 41112222333344445555 41112222333344450000', '(not shown) (not shown) (not shown)'],
  ['a fraction', '{"card":1.2345e-9}', '1.2345e-9', '(not shown)'],
  ['a number of many digits', '{"card":0.12345678901234567890}', '0.12345678901234567890, 0.12345678901234568', '(not shown), (not shown)'],
  ['a text that spells a number', '{"card":"4111222233334444"}', '4.111222233334444e15', '(not shown)'],
])('looked for elsewhere too: %s', (_, args, told, shown) => {
  expect(createRedactor({ paths: ['args.card'], key: KEY }).of([wire(args)]).text(told)).toBe(shown)
})

test('a text that spells a value by escapes is hidden as a whole, and no other text with escapes', () => {
  const { text } = createRedactor({ paths: ['args.token'], key: KEY }).of([{ token: 'hunter2' }])
  expect(text('{"t":"\\u0068unter2"}')).toBe('(not shown)')
  expect(text('{"t":"{\\"t\\":\\"\\\\u0068UNTER2\\"}"}')).toBe('(not shown)')
  expect(text('{"t":"\\u0067unter2"}, hunter2')).toBe('{"t":"\\u0067unter2"}, (not shown)')
})

test('values that overlap are hidden together', () => {
  const { text } = createRedactor({ paths: ['args.list'], key: KEY }).of([{ list: ['abcabc', 'cxyz'] }])
  expect(text('1 abcabcabcxyz 2')).toBe('1 (not shown) 2')
})

test('what would take long to look through is not shown at all', () => {
  const list = Array.from({ length: 99 }, (_, at) => `${'a'.repeat(8_000)}${at}`)
  const { text } = createRedactor({ paths: ['args.list'], key: KEY }).of([{ list }])
  const began = performance.now()
  expect(text(`${'a'.repeat(60)}…`.repeat(17_000))).toBe('(not shown)')
  expect(performance.now() - began).toBeLessThan(1_000)
})

test('no member goes missing where two names are hidden', () => {
  const args = { list: ['one-secret', 'two-secret'], 'one-secret': 1, 'two-secret': 2, '(not shown)': 3 }
  const shown = createRedactor({ paths: ['args.list'], key: KEY }).of([args]).value(args) as Record<string, unknown>
  expect(Object.values(shown).slice(1)).toEqual([1, 2, 3])
  expect(JSON.stringify(shown)).not.toContain('-secret')
})

test('the digest is keyed: another key, another digest; the same value and key, the same', () => {
  const digestOf = (key: string): unknown => (createRedactor({ paths: ['args.c'], key }).of([{ c: '4111' }]).value({ c: '4111' }) as { readonly c: { readonly digest: string } }).c.digest
  expect(digestOf(KEY)).toBe(digestOf(KEY))
  expect(digestOf(KEY)).not.toBe(digestOf(`${KEY}.`))
})

test('the pointers that are covered', () => {
  const { covers } = createRedactor({ paths: ['args.card.number', 'args.token'], key: KEY })
  for (const pointer of ['/arguments/token', '/arguments/TOKEN/x', '/arguments/card/number', '/arguments/card/0/number', '/arguments/0/token']) expect([pointer, covers(pointer)]).toEqual([pointer, true])
  for (const pointer of ['', '/arguments', '/token', '/arguments/card', '/arguments/card/name', '/arguments/tokens', 'x']) expect([pointer, covers(pointer)]).toEqual([pointer, false])
})

test('the pointers that lead to what is covered', () => {
  const { leadsTo } = createRedactor({ paths: ['args.card.number', 'args.token'], key: KEY })
  for (const pointer of ['/arguments', '/arguments/card', '/arguments/CARD/0', '/arguments/0/card']) expect([pointer, leadsTo(pointer)]).toEqual([pointer, true])
  for (const pointer of ['', '/card', '/arguments/token', '/arguments/card/number', '/arguments/card/name', '/arguments/other', 'x']) expect([pointer, leadsTo(pointer)]).toEqual([pointer, false])
})

test.each([[['card'], KEY], [['args'], KEY], [['args.a-b'], KEY], [['args.card'], 'short']])('paths %j with the key %j make no redactor', (paths, key) => {
  let code: string | undefined
  try {
    createRedactor({ paths, key })
  } catch (error) {
    code = isCallgateError(error) ? error.code : undefined
  }
  expect(code).toBe('invalid_option')
})
