import { join } from 'node:path'
import type { HoldDraft } from '@callgate/core'
import { createApproverToken } from '@callgate/core'
import { systemClock, systemRandom } from '@callgate/core/local'
import { openSqliteStore } from '@callgate/sqlite'
import { expect, test } from 'vitest'
import { tempFolder } from '../../state/temp-folder.fixture.ts'
import { holdDraft } from '../hold-draft.fixture.ts'
import { runHere } from '../run-here.fixture.ts'
import { currentStatus } from './hold-view.ts'
import type { Ended } from '../run-bin.fixture.ts'

type Desk = {
  readonly token: string
  readonly status: (id: string) => Promise<string | undefined>
  callgate(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended>
}

/** A store with holds and one approver, and the command line in front of it. */
async function desk(...drafts: readonly (HoldDraft & { readonly id: string })[]): Promise<Desk> {
  const folder = tempFolder()
  const path = join(folder, 'state.db')
  const store = await openSqliteStore(path)
  for (const draft of drafts) await store.holds.open(draft, () => [])
  const { token } = await createApproverToken(
    { store, clock: systemClock(), random: systemRandom() },
    { name: 'Ann', roles: ['finance'] },
  )
  await store.close()
  return {
    token,
    callgate: async (args, env) => await runHere(['holds', ...args, '--store', path], folder, env),
    async status(id) {
      const reopened = await openSqliteStore(path)
      const hold = await reopened.holds.get(id)
      await reopened.close()
      return hold?.status
    },
  }
}

test('the list in JSON gives the arguments digit for digit', async () => {
  const args = '{"big":9007199254740993,"huge":123456789012345678901234567890,"text":"é\\n","x":0.10000000000000000001}'
  const { callgate } = await desk(holdDraft('hold-1', args))
  const { code, stdout, stderr } = await callgate(['list', '--json'])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  expect(stdout).toContain(`"args":${args},`)
  expect(JSON.parse(stdout)).toEqual([
    {
      id: 'hold-1',
      session: 's-1',
      server: 'files',
      tool: 'move_file',
      args: JSON.parse(args),
      question: 'Move this file?',
      count: 1,
      status: 'pending',
      createdAt: expect.any(Number),
      expiresAt: expect.any(Number),
    },
  ])
})

test('the list shows what waits, newest first, and what ended only where asked', async () => {
  const over = holdDraft('hold-over', '{}', { createdAt: 1_000, expiresAt: 2_000 })
  const { callgate } = await desk(over, holdDraft('hold-1'), holdDraft('hold-2'))
  const list = await callgate([])
  expect(list.stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
    ['ID', 'STATUS'],
    ['hold-2', 'pending'],
    ['hold-1', 'pending'],
    [''],
  ])
  const all = await callgate(['list', '--all', '--json'])
  expect((JSON.parse(all.stdout) as { id: string; status: string }[]).map(({ id, status }) => [id, status])).toEqual([
    ['hold-2', 'pending'],
    ['hold-1', 'pending'],
    ['hold-over', 'expired'],
  ])
})

test('a list of many pages is whole, and each hold stands in it once', async () => {
  const ids = Array.from({ length: 450 }, (_, index) => `hold-${index}`)
  const { callgate } = await desk(...ids.map((id) => holdDraft(id)))
  const { stdout } = await callgate(['list', '--json'])
  expect((JSON.parse(stdout) as { id: string }[]).map(({ id }) => id)).toEqual(ids.toReversed())
})

test.each([
  ['pending', 1_999, 'pending'],
  ['pending', 2_000, 'expired'],
  ['approved', 2_000, 'expired'],
  ['claimed', 2_000, 'claimed'],
  ['ran', 2_000, 'ran'],
] as const)('a hold that is %s counts, at %i with the deadline 2000, as %s', (status, now, counts) => {
  expect(currentStatus({ ...holdDraft('hold-1', '{}', { expiresAt: 2_000 }), status, count: 1, told: false }, now)).toBe(counts)
})

test('an empty list says so, and is an empty list in JSON', async () => {
  const { callgate } = await desk()
  expect(await callgate(['list'])).toEqual({ code: 0, stdout: 'No call is held.\n', stderr: '' })
  expect(await callgate(['list', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
})

test('one hold is shown complete, and nothing in it can hide or move the cursor', async () => {
  const long = 'x'.repeat(20_000)
  const { callgate } = await desk(
    holdDraft('hold-1', `{"n":9007199254740993,"path":"a\u202egpj.exe","text":"${long}","tty":"\u009b2J"}`),
  )
  const { code, stdout } = await callgate(['show', 'hold-1'])
  expect(code).toBe(0)
  expect(stdout).toContain('    "n": 9007199254740993,\n')
  expect(stdout).toContain('"a\\u{202e}gpj.exe"')
  expect(stdout).toContain('"\\u{9b}2J"')
  expect(stdout).toContain(long)
  expect(stdout).not.toMatch(/[\u202e\u009b]/)
})

test('a yes and a no are given with a token, and by whom is said', async () => {
  const { callgate, status, token } = await desk(holdDraft('hold-1'), holdDraft('hold-2'))
  const env = { CALLGATE_APPROVER_TOKEN: token }
  expect(await callgate(['approve', 'hold-1'], env)).toEqual({
    code: 0,
    stdout: 'hold-1 approved by Ann: move_file\n',
    stderr: '',
  })
  const denied = await callgate(['deny', 'hold-2', '--reason', 'not today', '--json'], env)
  expect(JSON.parse(denied.stdout)).toEqual({
    id: 'hold-2',
    status: 'denied',
    tool: 'move_file',
    verdict: 'deny',
    approver: 'Ann',
    reason: 'not today',
  })
  expect([await status('hold-1'), await status('hold-2')]).toEqual(['approved', 'denied'])
})

test.each<[string, readonly string[], NodeJS.ProcessEnv, string]>([
  ['an unknown token', ['approve', 'hold-1'], { CALLGATE_APPROVER_TOKEN: 'cga_guess' }, 'No approver has this token'],
  ['no token and no terminal', ['approve', 'hold-1'], {}, 'CALLGATE_APPROVER_TOKEN'],
  ['an empty token', ['deny', 'hold-1', '--reason', 'r'], { CALLGATE_APPROVER_TOKEN: ' ' }, 'CALLGATE_APPROVER_TOKEN'],
  ['a no without a reason', ['deny', 'hold-1'], {}, '--reason'],
  ['a token as an argument', ['approve', 'hold-1', '--token', 'cga_x'], {}, "unknown option '--token'"],
])('%s leaves the hold as it was', async (_what, args, env, words) => {
  const { callgate, status } = await desk(holdDraft('hold-1'))
  const { code, stdout, stderr } = await callgate(args, env)
  expect(stderr).toContain(words)
  expect([code, stdout]).toEqual([2, ''])
  expect(await status('hold-1')).toBe('pending')
})

test.each([
  ['approve', 'hold-2'],
  ['show', 'hold-2'],
  ['approve', 'hold'],
  ['show', '__proto__'],
])('%s of the id %s, which was never given out, fails by name', async (verb, id) => {
  const { callgate, token } = await desk(holdDraft('hold-1'))
  const { code, stdout, stderr } = await callgate([verb, id], { CALLGATE_APPROVER_TOKEN: token })
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(`no such hold: ${id}`)
})

test('a hold that was answered or whose deadline is over takes no other answer', async () => {
  const { callgate, token } = await desk(
    holdDraft('hold-1'),
    holdDraft('hold-over', '{}', { createdAt: 1_000, expiresAt: 2_000 }),
  )
  const env = { CALLGATE_APPROVER_TOKEN: token }
  await callgate(['approve', 'hold-1'], env)
  const other = await callgate(['deny', 'hold-1', '--reason', 'changed my mind'], env)
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('already approved by Ann')])
  const late = await callgate(['approve', 'hold-over'], env)
  expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('expired')])
})
