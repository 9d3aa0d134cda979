import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from '../scripts/run-tool.ts'
import { HOUSE } from './scratch.ts'

const STORIES = readdirSync(join(HOUSE, 'examples'))

test.each(STORIES)('the example %s does what it asserts', async (story) => {
  const { code, stderr } = await runProgram(HOUSE, process.execPath, [join('examples', story, `${story}.mjs`)])
  expect(stderr).toBe('')
  expect(code).toBe(0)
})

test('the JavaScript of README.md is cut from an example, line by line', () => {
  const examples = STORIES.map((story) => readFileSync(join(HOUSE, 'examples', story, `${story}.mjs`), 'utf8')).join('\n')
  const readme = readFileSync(join(HOUSE, 'README.md'), 'utf8')
  const lines = [...readme.matchAll(/```js\n(.*?)```/gs)].flatMap(([, text]) => (text ?? '').split('\n')).filter((line) => line.trim() !== '')
  expect(lines.length).toBeGreaterThan(5)
  for (const line of lines) expect(examples).toContain(line)
})
