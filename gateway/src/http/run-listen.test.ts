import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, onTestFinished, test } from 'vitest'
import { BIN, runBin } from '../cli/run-bin.fixture.ts'
import { tempFolder } from '../state/temp-folder.fixture.ts'
import { fixturePath, until } from '../stdio/gateway.fixture.ts'
import { sendTo } from './front/front.fixture.ts'

const GATES = `gates:
  rules:
    - { gate: looked, tools: [write], message: Look first. }
  marks:
    - { gate: looked, tools: [look] }
`
const SERVER = ['--', process.execPath, fixturePath('tool-server.mjs')]
const TOKEN = 't'.repeat(32)

function folderWithGates(): string {
  const folder = tempFolder()
  writeFileSync(join(folder, 'gates.yml'), GATES)
  return folder
}

type Listening = { readonly child: ChildProcess; readonly url: URL; readonly exit: Promise<number | null>; said(): string }

/** The built gateway, once it listens. */
async function listen(folder: string, flags: readonly string[]): Promise<Listening> {
  const child = spawn(process.execPath, [BIN, 'run', '--listen', '0', ...flags, ...SERVER], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  let out = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (said += text))
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (out += text))
  const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const url = await until(
    () => /^callgate: listening at (\S+)$/m.exec(said)?.[1],
    () => said,
  )
  onTestFinished(() => expect(out).toBe(''))
  return { child, url: new URL(url), exit, said: () => said }
}

test('a client of the SDK over HTTP; told to end, the gateway ends with 0 and its record is whole', async () => {
  const folder = folderWithGates()
  writeFileSync(join(folder, 'tokens'), `ann: ${TOKEN}\n`, { mode: 0o600 })
  const { child, url, exit } = await listen(folder, ['--token-file', 'tokens'])
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${TOKEN}` } } })
  await client.connect(transport)
  const call = async (name: string): Promise<unknown> => ((await client.callTool({ name, arguments: {} })) as { isError?: boolean }).isError
  expect([await call('write'), await call('look'), await call('write')]).toEqual([true, undefined, undefined])
  expect((await sendTo(Number(url.port), { body: { jsonrpc: '2.0', id: 1, method: 'ping' } })).status).toBe(401)
  await client.close()
  child.kill('SIGTERM')
  expect(await exit).toBe(0)
  expect(await runBin(['audit', 'verify'], folder)).toMatchObject({ code: 0 })
})

test('more sessions than a process usually has listeners bring no warning', { timeout: 30_000 }, async () => {
  const { url, said } = await listen(folderWithGates(), [])
  const init = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }
  const got = await Promise.all(Array.from({ length: 14 }, () => sendTo(Number(url.port), { body: init })))
  await Promise.all(got.map(({ ended }) => ended))
  expect(new Set(got.map(({ headers }) => headers['mcp-session-id'])).size).toBe(14)
  expect(said()).not.toContain('Warning')
})

test.each([
  ['a network without tokens', ['--listen', '0.0.0.0:0'], 'name who may with --token-file'],
  ['no address', ['--listen', 'here'], '--listen wants a port'],
  ['a session of its own', ['--listen', '0', '--session', 's'], '--session does not go with --listen'],
  ['tokens for nobody', ['--token-file', 'tokens'], '--token-file goes with --listen'],
  ['a name for nobody', ['--session-header', 'x-chat'], '--session-header goes with --listen'],
  ['a header that is none', ['--listen', '0', '--session-header', 'a b'], 'the name of a header is wanted'],
  ['a host for nobody', ['--allow-host', 'x'], '--allow-host goes with --listen'],
  ['a token file that is missing', ['--listen', '0', '--token-file', 'none'], 'cannot be read (ENOENT)'],
])('%s: nothing starts', async (_, flags, said) => {
  expect(await runBin(['run', ...flags, ...SERVER], folderWithGates())).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(said),
  })
})

test('a token file that the server is given is not hidden from it', async () => {
  const folder = folderWithGates()
  mkdirSync(join(folder, 'work'))
  writeFileSync(join(folder, 'work', 'tokens'), TOKEN, { mode: 0o600 })
  const ended = await runBin(['run', '--listen', '0', '--token-file', 'work/tokens', ...SERVER, 'work'], folder)
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('The token file') })
})
