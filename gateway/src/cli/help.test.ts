import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tempFolder } from '../state/temp-folder.fixture.ts'
import { runBin } from './run-bin.fixture.ts'
import { runHere } from './run-here.fixture.ts'

test.each([
  [['--help'], 'Usage: callgate'],
  [['run', '--help'], 'Usage: callgate run'],
  [['demo', '--help'], 'Usage: callgate demo'],
  [['holds', '--help'], 'Usage: callgate holds'],
  [['holds', 'list', '--help'], 'Usage: callgate holds list'],
  [['holds', 'show', '--help'], 'Usage: callgate holds show'],
  [['holds', 'approve', '--help'], 'CALLGATE_APPROVER_TOKEN'],
  [['holds', 'deny', '--help'], '--reason'],
  [['token', 'create', '--help'], 'Usage: callgate token create'],
  [['token', 'list', '--help'], 'Usage: callgate token list'],
  [['token', 'revoke', '--help'], 'Usage: callgate token revoke'],
  [['audit', 'tail', '--help'], 'Usage: callgate audit tail'],
  [['audit', 'verify', '--help'], 'Usage: callgate audit verify'],
  [['replay', '--help'], 'Usage: callgate replay'],
])('callgate %j prints its help, on stdout', async (args, words) => {
  const ended = await runHere(args, tempFolder())
  expect(ended).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(words) })
  expect(ended.stdout).toContain('--json'.repeat(args.length > 1 && args[1] !== '--help' ? 1 : 0))
})

test('the version is the package\u2019s', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  expect(await runBin(['--version'], tempFolder())).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})
