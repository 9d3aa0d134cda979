import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatProblem } from './index.ts'
import { PROBLEM_CODES } from './problem.ts'

test('each code has a section in docs/errors.md', () => {
  const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
  expect(PROBLEM_CODES.filter((code) => !page.includes(`\n### \`${code}\`\n`))).toEqual([])
})

test('a problem is one line, with its hint where there is one', () => {
  const problem = { file: 'g.yml', line: 7, column: 2, code: 'tag', severity: 'error', message: 'what' } as const
  expect(formatProblem(problem)).toBe('g.yml:7:2: what')
  expect(formatProblem({ ...problem, hint: 'what next' })).toBe('g.yml:7:2: what; what next')
})
