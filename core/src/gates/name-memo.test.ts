import { expect, test } from 'vitest'
import { createNameMemo, MOST_STRANGERS } from './name-memo.ts'

test('names of the rules are remembered for ever, of other names the last ones', () => {
  const memo = createNameMemo<number>((name) => name === 'known', 2)
  memo.set('known', 0)
  memo.set('a', 1)
  memo.set('b', 2)
  memo.set('b', 3)
  expect(['known', 'a', 'b'].map((name) => memo.get(name))).toEqual([0, 1, 3])
  expect(memo.set('c', 4)).toBe(4)
  expect(['known', 'a', 'b', 'c'].map((name) => memo.get(name))).toEqual([0, undefined, 3, 4])
})

test('ten thousand strange names are remembered, unless told otherwise', () => {
  const memo = createNameMemo<number>(() => false)
  for (let at = 0; at <= MOST_STRANGERS; at += 1) memo.set(String(at), at)
  expect(MOST_STRANGERS).toBe(10_000)
  expect([memo.get('0'), memo.get('1'), memo.get(String(MOST_STRANGERS))]).toEqual([undefined, 1, MOST_STRANGERS])
})
