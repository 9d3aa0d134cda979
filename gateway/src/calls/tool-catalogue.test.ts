import { expect, test } from 'vitest'
import { nearestNames } from './nearest-names.ts'
import type { ListingPage } from './read-listing.ts'
import { createToolCatalogue } from './tool-catalogue.ts'

const page = (names: readonly string[], nextCursor?: string): ListingPage => ({
  tools: names.map((name) => ({ name, text: `{"name":"${name}"}` })),
  ...(nextCursor !== undefined && { nextCursor }),
})

test('nothing is known before a whole listing is', () => {
  const catalogue = createToolCatalogue()
  expect(catalogue.lookUp('a')).toBeUndefined()
  catalogue.learn(undefined, page(['a'], 'p2'))
  expect(catalogue.lookUp('a')).toBeUndefined()
  catalogue.learn('p2', page(['b']))
  expect([catalogue.lookUp('a')?.kind, catalogue.lookUp('b')?.kind, catalogue.lookUp('c')?.kind]).toEqual([
    'listed',
    'listed',
    'unlisted',
  ])
})

test('a page that was not the next one is ignored', () => {
  const catalogue = createToolCatalogue()
  catalogue.learn(undefined, page(['a'], 'p2'))
  catalogue.learn('p3', page(['b']))
  expect(catalogue.lookUp('b')).toBeUndefined()
})

test('a first page starts anew', () => {
  const catalogue = createToolCatalogue()
  catalogue.learn(undefined, page(['a']))
  catalogue.learn(undefined, page(['b'], 'p2'))
  expect(catalogue.lookUp('a')).toBeUndefined()
  catalogue.learn('p2', page([]))
  expect(catalogue.lookUp('a')?.kind).toBe('unlisted')
})

test('a name on two pages is ambiguous', () => {
  const catalogue = createToolCatalogue()
  catalogue.learn(undefined, page(['a'], 'p2'))
  catalogue.learn('p2', page(['a', 'a']))
  expect(catalogue.lookUp('a')).toEqual({ kind: 'ambiguous' })
})

test('a listing without end is never whole', () => {
  const catalogue = createToolCatalogue()
  catalogue.learn(undefined, page(['a'], '1'))
  for (let next = 1; next < 200; next += 1)
    catalogue.learn(String(next), page([`t${next}`], next === 199 ? undefined : String(next + 1)))
  expect(catalogue.lookUp('a')).toBeUndefined()
})

test('a listing of too many tools is never whole', () => {
  const catalogue = createToolCatalogue()
  catalogue.learn(undefined, page(Array.from({ length: 10_001 }, (_, index) => `t${index}`)))
  expect(catalogue.lookUp('t1')).toBeUndefined()
})

test('the nearest names are the nearest, at most three', () => {
  expect(nearestNames('read_fil', ['write_file', 'read_file', 'read_files', 'READ_FILE', 'x'])).toEqual([
    'read_file',
    'READ_FILE',
    'read_files',
  ])
  expect(nearestNames('abc', ['xyz'])).toEqual([])
  expect(nearestNames('x'.repeat(200), ['x'])).toEqual([])
})
