import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { EntryDraft } from './entry.ts'
import { canonicalJson } from '../model/canonical.ts'
import { parseEntry } from './parse-entry.ts'
import { GENESIS, GENESIS_HASH, sealEntry } from './seal-entry.ts'

const draft: EntryDraft = { kind: 'decision', at: 7, principal: 'ada', session: 's', call: 'c', data: { tool: 't', n: 1 } }

test('the first entry has the number 1 and follows 64 zeros', () => {
  expect(GENESIS_HASH).toBe('0000000000000000000000000000000000000000000000000000000000000000')
  expect(GENESIS).toEqual({ seq: 0, hash: GENESIS_HASH })
  expect(sealEntry(GENESIS, draft)).toMatchObject({ ...draft, seq: 1, prev: GENESIS_HASH })
})

test('the hash is SHA-256 of the canonical JSON of the entry without it', () => {
  const text = `{"at":7,"call":"c","data":{"n":1,"tool":"t"},"kind":"decision","prev":"${GENESIS_HASH}","principal":"ada","seq":1,"session":"s"}`
  expect(sealEntry(GENESIS, draft).hash).toBe(createHash('sha256').update(text).digest('hex'))
})

test('an entry carries the hash of the one before', () => {
  const first = sealEntry(GENESIS, draft)
  const second = sealEntry(first, draft)
  expect(second).toMatchObject({ seq: 2, prev: first.hash })
  expect(second.hash).not.toBe(first.hash)
})

test('a draft is sealed with its own members only', () => {
  const sealed = sealEntry(GENESIS, { ...draft, hash: 'forged', seq: 9, extra: 1 } as EntryDraft)
  expect(sealed).toEqual(sealEntry(GENESIS, draft))
})

test('an entry is the same after it was text', () => {
  const entry = sealEntry(GENESIS, { ...draft, data: { big: 9007199254740993n, text: 'é', list: [null, 0.1] } })
  expect(parseEntry(canonicalJson(entry))).toEqual(entry)
})

test('text that is no JSON object is no entry', () => {
  for (const text of ['', '[]', '{', '1']) expect(() => parseEntry(text), text).toThrow(/./)
})

test('a number that its text reads as a larger integer is sealed as it will be read', () => {
  const entry = sealEntry(GENESIS, { ...draft, data: { n: 1e21, small: 1e-7 } })
  expect(parseEntry(canonicalJson(entry))).toEqual(entry)
  expect(sealEntry(GENESIS, { ...draft, data: entry.data })).toEqual(entry)
})

test('what is done to a draft later does not reach the entry, and the entry is frozen', () => {
  const data = { list: [1] }
  const entry = sealEntry(GENESIS, { ...draft, data })
  data.list.push(2)
  expect(entry.data).toEqual({ list: [1] })
  expect(Object.isFrozen(entry) && Object.isFrozen(entry.data)).toBe(true)
})

test.each([
  ['undefined', { data: { x: undefined } }], ['a list with undefined', { data: { x: [undefined] } }], ['NaN', { data: { x: Number.NaN } }], ['no time', { at: Number.NaN }],
  ['a lone surrogate', { session: '\ud800' }], ['a function', { data: { x: () => 1 } }],
])('%s cannot be recorded', (_name, part) => {
  expect(() => sealEntry(GENESIS, { ...draft, ...part } as unknown as EntryDraft)).toThrow(/cannot be recorded/)
})
