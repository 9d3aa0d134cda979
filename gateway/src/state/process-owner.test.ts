import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createProcessOwner } from './process-owner.ts'

const HERE = createProcessOwner('nonce-1')

test('a process never takes itself for gone', () => {
  expect(HERE.isOwnerGone(HERE.owner)).toBe(false)
})

test('a process that has ended is gone, one that lives is not', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  await once(child, 'spawn')
  const { owner } = createProcessOwner('nonce-2', child.pid)
  expect(HERE.isOwnerGone(owner)).toBe(false)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(HERE.isOwnerGone(owner)).toBe(true)
})

test('a process that had our number before us is gone', () => {
  expect(HERE.isOwnerGone(createProcessOwner('nonce-3').owner)).toBe(true)
})

test.each([
  ['a process of another machine', createProcessOwner('n', 999_999_999, 'elsewhere').owner],
  ['an owner of another form', 'somebody'],
  ['nothing', ''],
])('%s is never taken for gone: its lease decides', (_what, owner) => {
  expect(HERE.isOwnerGone(owner)).toBe(false)
})
