import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { StdioGatewayOptions } from './stdio-gateway-options.ts'
import { fixturePath, temporaryFolder } from './gateway.fixture.ts'
import { call, connect, textOf, TYPED } from './real-client.fixture.ts'

const require = createRequire(import.meta.url)
const FILESYSTEM = [process.execPath, require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js')]
const GIT = [process.execPath, require.resolve('@cyanheads/git-mcp-server')]
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path))
const PLAYWRIGHT = [process.execPath, join(dirname(require.resolve('@playwright/mcp/package.json')), 'cli.js'), '--headless', '--no-sandbox', '--isolated', '--executable-path', CHROMIUM ?? '']

const GATES: StdioGatewayOptions['gates'] = { rules: [] }

test('server-filesystem refuses a number in quotes; typed, the same call succeeds and a text of digits stays text', async () => {
  const folder = join(temporaryFolder(), 'files')
  mkdirSync(folder)
  const path = join(folder, '1')
  writeFileSync(path, 'one\ntwo\nthree')
  const command = [...FILESYSTEM, folder]
  const asked = { path, tail: '1' }
  expect((await call((await connect(command, GATES, {})).client, 'read_text_file', asked)).isError).toBe(true)
  const { client } = await connect(command, GATES)
  expect(textOf(await call(client, 'read_text_file', asked))).toBe('three')
  expect((await call(client, 'write_file', { path, content: '7' })).isError).toBeUndefined()
  expect(readFileSync(path, 'utf8')).toBe('7')
})

test('git-mcp-server refuses an integer in quotes; typed, it succeeds, and true as text stays text where a text may stand', async () => {
  const repository = repositoryOf(['first', 'second', '42'])
  const environment = { ...process.env, GIT_BASE_DIR: repository, LOGS_DIR: join(repository, '..', 'logs'), MCP_LOG_LEVEL: 'error' }
  const asked = { path: repository, maxCount: '1' }
  const untyped = await connect(GIT, GATES, { env: environment })
  expect(textOf(await call(untyped.client, 'git_log', asked))).toContain('expected number, received string')
  const { client, gateway } = await connect(GIT, GATES, { ...TYPED, env: environment })
  const log = JSON.parse(textOf(await call(client, 'git_log', asked))) as { readonly commits: readonly { readonly subject: string }[] }
  expect(log.commits.map(({ subject }) => subject)).toEqual(['42'])
  expect((await call(client, 'git_log', { path: repository, maxCount: '0' })).isError).toBe(true)
  expect((await call(client, 'git_branch', { path: repository, merged: 'true' })).isError).toBeUndefined()
  expect((await call(client, 'git_commit', { path: repository, message: '1.0', allowEmpty: true, author: { name: '7', email: 'seven@example.com' } })).isError).toBeUndefined()
  expect(git(repository, 'log', '-1', '--format=%an %s').trim()).toBe('7 1.0')
  expect((await decisions(gateway.store)).map(({ repaired }) => repaired)).toEqual([true, false, false, false])
})

test.skipIf(CHROMIUM === undefined)('playwright-mcp refuses a number in quotes; typed, the same call succeeds', { timeout: 60_000 }, async () => {
  const folder = temporaryFolder()
  const options = { cwd: folder, env: { ...process.env, HOME: folder } }
  const asked = { time: '0.1' }
  const untyped = await connect(PLAYWRIGHT, GATES, options)
  expect((await call(untyped.client, 'browser_wait_for', asked)).isError).toBe(true)
  const { client } = await connect(PLAYWRIGHT, GATES, { ...TYPED, ...options })
  expect((await call(client, 'browser_navigate', { url: 'data:text/html,<p>1' })).isError).not.toBe(true)
  expect((await call(client, 'browser_wait_for', asked)).isError).not.toBe(true)
})

const LABEL = {
  type: 'object',
  properties: {
    project_id: { type: 'string' },
    target_project_id: { type: 'string' },
    priority: { type: ['number', 'null'] },
    squash: { type: ['boolean', 'null'] },
    value: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] },
    limit: { type: 'integer' },
  },
}

test.each(['strict', 'basic', 'flexible'] as const)('ids in text, nullable numbers and values that may be text arrive untouched, %s', async (mode) => {
  const folder = temporaryFolder()
  const tools = join(folder, 'tools.json')
  writeFileSync(tools, JSON.stringify([{ name: 'create_label', inputSchema: LABEL }]))
  const { client } = await connect([process.execPath, fixturePath('recording-server.mjs'), tools], GATES, { typing: { mode } })
  for (const [args, arrived] of [
    [{ project_id: '1', target_project_id: '007', priority: null, squash: null, value: '1' }],
    [{ project_id: '9007199254740993', priority: 5, squash: false, value: 'true' }],
    [{ value: 'null', priority: 0 }],
    [{ value: 1.5 }],
    // A value beside them that is repaired changes nothing of that.
    [{ project_id: '1', priority: null, value: '1', limit: '10' }, { project_id: '1', priority: null, value: '1', limit: 10 }],
  ] as const) {
    const line = JSON.parse(textOf(await call(client, 'create_label', args))) as { readonly params: { readonly arguments: unknown } }
    expect(line.params.arguments).toEqual(arrived ?? args)
  }
})

type Decision = { readonly verdict: string; readonly repaired: boolean }

async function decisions(store: { readonly record: { read(after: number, limit: number): Promise<readonly { readonly kind: string; readonly data: unknown }[]> } }): Promise<readonly Decision[]> {
  return (await store.record.read(0, 1_000)).filter(({ kind }) => kind === 'decision').map(({ data }) => data as Decision)
}

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder, encoding: 'utf8' })
}

/** A repository with an empty commit for each subject, oldest first. */
function repositoryOf(subjects: readonly string[]): string {
  const folder = join(temporaryFolder(), 'repository')
  mkdirSync(folder)
  git(folder, 'init', '-q')
  git(folder, 'config', 'user.name', 'a')
  git(folder, 'config', 'user.email', 'a@example.com')
  for (const subject of subjects) git(folder, 'commit', '-q', '--allow-empty', '-m', subject)
  return folder
}
