import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkDocstrings } from '../scripts/guards/docstrings.ts'
import { checkLint } from '../scripts/guards/lint.ts'
import { checkTypes } from '../scripts/guards/types.ts'
import { runTool } from '../scripts/run-tool.ts'
import { scaffoldPolicy } from '../scripts/scaffold-policy.ts'
import { createScratch } from './scratch.ts'
import type { Scratch } from './scratch.ts'

const SLOW_MS = 120_000
let scratch: Scratch

beforeAll(async () => {
  scratch = await createScratch({ built: true })
})

afterAll(() => scratch.remove())

test('a new policy compiles, is documented, passes the linter and its own test', async () => {
  const files = await scaffoldPolicy(scratch.root, 'no-secrets-2')
  expect(files).toEqual([
    'core/src/policies/no-secrets-2/no-secrets-2-policy.ts',
    'core/src/policies/no-secrets-2/no-secrets-2-policy.test.ts',
    'docs/policies/no-secrets-2.md',
  ])
  expect(await readFile(join(scratch.root, files[0] ?? ''), 'utf8')).toContain('export const noSecrets2Policy')
  expect(await checkTypes(scratch.root)).toEqual([])
  expect(await checkLint(scratch.root)).toEqual([])
  expect(await checkDocstrings(scratch.root)).toEqual([])
  expect(await runTool(scratch.root, 'vitest', 'vitest', ['run', 'core/src/policies/no-secrets-2'])).toMatchObject({ code: 0 })
}, SLOW_MS)

test('a policy that stands already is left alone', async () => {
  await scaffoldPolicy(scratch.root, 'twice')
  await scratch.write('core/src/policies/twice/twice-policy.ts', 'mine')
  await expect(scaffoldPolicy(scratch.root, 'twice')).rejects.toThrow('stands already')
  expect(await readFile(join(scratch.root, 'core/src/policies/twice/twice-policy.ts'), 'utf8')).toBe('mine')
})

test.each(['', 'Upper', 'under_score', '../outside', 'a/b', '-a', 'a-', 'a--b'])('"%s" is no name for a policy', async (name) => {
  await expect(scaffoldPolicy(scratch.root, name)).rejects.toThrow('is no policy name')
})
