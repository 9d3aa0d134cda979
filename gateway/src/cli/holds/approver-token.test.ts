import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Surroundings } from '../surroundings.ts'
import { readApproverToken } from './approver-token.ts'

type Asked = { readonly token: Promise<string>; readonly shown: () => string }

/** Reads a token where `typed` is typed on a terminal. */
function ask(typed: string, env: Surroundings['env'] = {}): Asked {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const stderr = Object.assign(new PassThrough(), { isTTY: true })
  const stdout = new PassThrough()
  const token = readApproverToken({ env, cwd: '/', home: '/', uid: 0, username: 'somebody', stdin, stdout, stderr })
  stdin.end(typed)
  return { token, shown: () => `${String(stderr.read() ?? '')}${String(stdout.read() ?? '')}` }
}

test('a token typed on a terminal is read, and not shown', async () => {
  const { token, shown } = ask('cga_secret\n')
  expect(await token).toBe('cga_secret')
  expect(shown()).toBe("Approver's token: \n")
})

test('the variable goes before the question', async () => {
  const { token, shown } = ask('cga_typed\n', { CALLGATE_APPROVER_TOKEN: ' cga_variable\n' })
  expect(await token).toBe('cga_variable')
  expect(shown()).toBe('')
})

test.each([
  ['an empty line', '\n'],
  ['the end of the input', ''],
  ['an interruption', '\u0003'],
])('%s is no token', async (_what, typed) => {
  await expect(ask(typed).token).rejects.toMatchObject({ code: 'unknown_approver' })
})
