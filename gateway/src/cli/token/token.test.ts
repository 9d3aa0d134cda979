import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../../state/temp-folder.fixture.ts'
import { runHere } from '../run-here.fixture.ts'

test('a token is printed once, stands in no file, and the list names its person', async () => {
  const folder = tempFolder()
  const store = join(folder, 'state.db')
  const made = await runHere(['token', 'create', '--name', 'Ann', '--role', 'finance', 'ops', '--store', store], folder)
  expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('Ann')])
  const token = made.stdout.trim()
  expect(token).toMatch(/^cga_[0-9a-f]{32,}$/)
  expect(readFileSync(store).includes(token)).toBe(false)
  const list = await runHere(['token', 'list', '--json', '--store', store], folder)
  expect(JSON.parse(list.stdout)).toEqual([
    { id: expect.any(String), name: 'Ann', roles: ['finance', 'ops'], createdAt: expect.any(Number) },
  ])
  expect((await runHere(['token', '--store', store], folder)).stdout).toMatch(/^ID .*\n\S+ +Ann +finance,ops +\S+ \S+ +valid\n$/)
})

test('a revoked token is said to be, and is revoked once', async () => {
  const folder = tempFolder()
  const store = ['--store', join(folder, 'state.db')]
  const made = await runHere(['token', 'create', '--name', 'Ann', '--json', ...store], folder)
  const { id, token, roles } = JSON.parse(made.stdout) as { id: string; token: string; roles: string[] }
  expect([typeof token, roles]).toEqual(['string', []])
  expect(await runHere(['token', 'revoke', id, ...store], folder)).toEqual({ code: 0, stdout: `${id} revoked\n`, stderr: '' })
  expect((await runHere(['token', 'list', ...store], folder)).stdout).toContain('revoked 2')
  const again = await runHere(['token', 'revoke', id, ...store], folder)
  expect([again.code, again.stdout, again.stderr]).toEqual([2, '', expect.stringContaining(id)])
})

test('a token needs a name, and a store that outlives the command', async () => {
  const folder = tempFolder()
  const store = ['--store', join(folder, 'state.db')]
  expect(await runHere(['token', 'create', ...store], folder)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('--name'),
  })
  expect(await runHere(['token', 'create', '--name', ' ', ...store], folder)).toMatchObject({ code: 2, stdout: '' })
  expect(await runHere(['token', 'create', '--name', 'Ann', '--store', 'memory:'], folder)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('memory:'),
  })
})
