import { expect, test } from 'vitest'
import { aligned } from './aligned.ts'

test('columns begin at the same place in every row', () => {
  expect(
    aligned([
      ['ID', 'TOOL'],
      ['12345', 'x'],
      ['1', 'longer'],
    ]),
  ).toEqual(['ID     TOOL', '12345  x', '1      longer'])
})

test('characters outside the basic plane count as one, and no line ends in spaces', () => {
  expect(
    aligned([
      ['👍', 'a'],
      ['bb', ''],
    ]),
  ).toEqual(['👍   a', 'bb'])
})

test('no rows make no lines', () => {
  expect(aligned([])).toEqual([])
})
