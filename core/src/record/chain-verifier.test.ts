import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createChainVerifier } from './chain-verifier.ts'
import type { ChainReport } from './chain-verifier.ts'
import type { Entry, RecordHead } from './entry.ts'
import { canonicalJson } from '../model/canonical.ts'
import { parseEntry } from './parse-entry.ts'
import { GENESIS, sealEntry } from './seal-entry.ts'

function chainOf(length: number): readonly Entry[] {
  const entries: Entry[] = []
  for (let n = 0; n < length; n += 1) {
    entries.push(sealEntry(entries.at(-1) ?? GENESIS, { kind: 'decision', at: n, principal: 'ada', session: 's', call: `c${n}`, data: { n } }))
  }
  return entries
}

function verify(entries: readonly unknown[], head?: RecordHead): ChainReport {
  const verifier = createChainVerifier()
  for (const entry of entries) verifier.add(entry)
  return verifier.end(head)
}

const chain = chainOf(5)

test('an unbroken chain verifies, and that its end is unproven is said', () => {
  expect(verify(chain)).toEqual({ ok: true, entries: 5, anchored: false })
  expect(verify([])).toEqual({ ok: true, entries: 0, anchored: false })
  expect(verify(chain, chain[4])).toEqual({ ok: true, entries: 5, anchored: false })
})

test.each([
  ['a missing entry', chain.toSpliced(2, 1), 3, /missing.*number 4/],
  ['a missing beginning', chain.slice(1), 1, /missing.*number 2/],
  ['a repeated entry', chain.toSpliced(2, 0, chain[1] as Entry), 3, /out of order.*number 2/],
  ['swapped entries', [chain[0], chain[2], chain[1]], 2, /missing.*number 3/],
  ['a changed word', chain.with(2, { ...(chain[2] as Entry), data: { n: 7 } }), 3, /hash does not fit/],
  ['a changed time', chain.with(1, { ...(chain[1] as Entry), at: 9 }), 2, /hash does not fit/],
  ['an added member', chain.with(1, { ...(chain[1] as Entry), extra: 1 } as Entry), 2, /hash does not fit/],
  ['a changed hash', chain.with(4, { ...(chain[4] as Entry), hash: '0'.repeat(64) }), 5, /hash does not fit/],
  ['another chain', chain.with(3, sealEntry({ seq: 3, hash: 'f'.repeat(64) }, chain[3] as Entry)), 4, /`prev`/],
])('%s is named', (_name, entries, seq, why) => {
  expect(verify(entries)).toEqual({ ok: false, entries: entries.length, anchored: false, firstBad: { seq, why: expect.stringMatching(why) } })
})

test('an entry that was rewritten with a new hash of its own breaks the one after it', () => {
  const forged = sealEntry(chain[1] as Entry, { ...(chain[2] as Entry), data: { n: 7 } })
  expect(verify(chain.with(2, forged)).firstBad).toEqual({ seq: 4, why: expect.stringContaining('`prev`') })
})

test('the first of several faults is the one that is named', () => {
  expect(verify([chain[0], null, chain[2], { ...(chain[3] as Entry), at: 0 }])).toMatchObject({ entries: 4, firstBad: { seq: 2 } })
})

test.each([
  ['a cut end', chain.slice(0, 3), 4, /missing.*entry 5/],
  ['an added end', chainOf(6), 6, /beyond.*entry 5/],
  ['another end', [...chain.slice(0, 4), sealEntry(chain[3] as Entry, { ...(chain[4] as Entry), at: 99 })], 5, /not the record's head/],
])('against the head, %s is named', (_name, entries, seq, why) => {
  expect(verify(entries, chain[4])).toMatchObject({ ok: false, firstBad: { seq, why: expect.stringMatching(why) } })
})

test('a fault in the chain comes before one at its end', () => {
  expect(verify(chain.slice(1, 3), chain[4])).toMatchObject({ firstBad: { seq: 1 } })
})

const first = chain[0] as Entry
test.each([
  [undefined, 'not an entry'], [null, 'not an entry'], ['text', 'not an entry'], [[], 'not an entry'], [7n, 'not an entry'],
  [{}, '`kind`'], [{ ...first, kind: 1 }, '`kind`'], [{ ...first, principal: null }, '`principal`'], [{ ...first, session: 1 }, '`session`'],
  [{ ...first, call: undefined }, '`call`'], [{ ...first, prev: 1 }, '`prev`'], [{ ...first, hash: 1 }, '`hash`'],
  [{ ...first, seq: '1' }, '`seq`'], [{ ...first, seq: 1.5 }, '`seq`'], [{ ...first, at: '1' }, '`at`'], [{ ...first, at: Number.NaN }, '`at`'],
  [{ ...first, data: [] }, '`data`'], [{ ...first, data: null }, '`data`'],
] as const)('what is no entry is named, never thrown: %o', (entry, why) => {
  expect(verify([entry])).toMatchObject({ ok: false, entries: 1, firstBad: { seq: 1, why: expect.stringContaining(why) } })
})

test('an entry that cannot be read is named, never thrown', () => {
  const trap = { get kind(): string { throw new Error('no') } }
  expect(verify([trap])).toMatchObject({ ok: false, firstBad: { seq: 1, why: expect.stringContaining('cannot be read') } })
})

test('whatever is added, the verifier answers', () => {
  fc.assert(fc.property(fc.array(fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true })), (entries) => {
    expect(verify(entries)).toMatchObject({ ok: entries.length === 0, entries: entries.length })
  }))
})

test('any change of any one character of any entry is found', () => {
  const texts = chain.map((entry) => canonicalJson(entry))
  fc.assert(fc.property(fc.nat(4), fc.nat(400), fc.constantFrom(...'0a"x{9'), (entry, at, character) => {
    const text = texts[entry] as string
    const changed = text.slice(0, at % text.length) + character + text.slice((at % text.length) + 1)
    fc.pre(changed !== text)
    const entries = texts.with(entry, changed).map((each) => {
      try {
        return parseEntry(each)
      } catch {
        return each
      }
    })
    expect(verify(entries, chain[4]).ok).toBe(false)
  }))
})
