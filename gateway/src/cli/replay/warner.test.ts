import { expect, test } from 'vitest'
import { createWarner } from './warner.ts'

function said(messages: readonly string[]): readonly string[] {
  const lines: string[] = []
  const warner = createWarner((line) => lines.push(line))
  for (const message of messages) warner.warn(message)
  warner.rest()
  return lines
}

test('warnings that differ in numbers are said once, and the others are counted', () => {
  expect(said(['The gate g (line 1): 1 keys and 2 facts', 'The gate g (line 1): 3 keys and 4 facts', 'The gate g (line 2): 1 keys and 2 facts', 'call replay-1 of x', 'call replay-20 of x'])).toEqual([
    'callgate: warning: The gate g (line 1): 1 keys and 2 facts\n',
    'callgate: warning: The gate g (line 2): 1 keys and 2 facts\n',
    'callgate: warning: call replay-1 of x\n',
    'callgate: 2 more warnings like these were not shown\n',
  ])
  expect(said(['g: no'])).toEqual(['callgate: warning: g: no\n'])
})

test('of kinds the first 20 are said, and nothing that would move a terminal\u2019s cursor', () => {
  expect(said(Array.from({ length: 30 }, (_, at) => 'x'.repeat(at + 1))).at(-1)).toBe('callgate: 10 more warnings like these were not shown\n')
  expect(said(['\u001b[31mred'])[0]).not.toContain('\u001b')
})
