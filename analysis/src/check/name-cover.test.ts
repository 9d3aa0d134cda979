import { createNameMatcher, isPattern } from '@callgate/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNameCover } from './name-cover.ts'
import { createNameFinder } from './name-finder.ts'

const name = fc.string({ unit: fc.constantFrom('a', 'b', '_'), maxLength: 5 })
const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '_', '*'), minLength: 1, maxLength: 5 })

test('a cover finds the first of its names and patterns that is about a name', () => {
  fc.assert(fc.property(fc.array(pattern, { maxLength: 12 }), fc.oneof(name, pattern), (added, wanted) => {
    const cover = createNameCover()
    for (const [at, each] of added.entries()) cover.add(each, at)
    const first = added.findIndex((each) => each === wanted || (isPattern(each) && createNameMatcher(each)(wanted)))
    expect(cover.firstOf(wanted)).toBe(first === -1 ? undefined : first)
  }))
})

test('a pattern that is covered is about no name that its cover is not about', () => {
  fc.assert(fc.property(pattern, pattern, fc.array(name, { maxLength: 30 }), (wide, narrow, names) => {
    const cover = createNameCover()
    cover.add(wide, 0)
    fc.pre(cover.firstOf(narrow) === 0)
    expect(names.filter(createNameMatcher(narrow)).filter((each) => !createNameMatcher(wide)(each))).toEqual([])
  }))
})

test('a finder finds what each pattern is about', () => {
  fc.assert(fc.property(fc.array(name, { maxLength: 30 }), fc.array(pattern, { maxLength: 5 }), (names, patterns) => {
    const matching = createNameFinder(names)
    for (const each of [...patterns, ...patterns]) expect(matching(each)).toEqual([...new Set(names.filter(createNameMatcher(each)))].sort())
  }))
})
