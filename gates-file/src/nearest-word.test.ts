import { expect, test } from 'vitest'
import { nearestWord } from './nearest-word.ts'

const WORDS = ['gate', 'tools', 'message', 'condition', 'when', 'lowercaseBooleans']

test.each([
  ['tool', 'tools'], ['tolls', 'tools'], ['wehn', 'when'], ['mesage', 'message'], ['Gate', 'gate'], ['gates', 'gate'],
  ['lowerCaseBoolean', 'lowercaseBooleans'], ['conditions', 'condition'],
])('%s was meant to be %s', (word, meant) => {
  expect(nearestWord(word, WORDS)).toBe(meant)
})

const FOREIGN = ['', 'x', 'severity', 'toll', 'hen ', 'm'.repeat(64), 'message'.repeat(50_000)]

test.each(FOREIGN)('%.20s was meant to be none of them', (word) => {
  expect(nearestWord(word, WORDS)).toBeUndefined()
})
