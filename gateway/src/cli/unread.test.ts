import { spawn } from 'node:child_process'
import type { ChildProcess, StdioOptions } from 'node:child_process'
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../state/temp-folder.fixture.ts'
import { BIN } from './run-bin.fixture.ts'

const GATES = 'gates:\n  rules:\n    - { gate: confirm, tools: [pay], message: "Pay?" }\n'
const FULL = '/dev/full'
const PING = '{"jsonrpc":"2.0","id":"p","method":"ping"}\n'

// Answers every request, with as many characters as its params say; what it is given runs first.
const server = (first = ''): readonly string[] => [
  process.execPath,
  '-e',
  `${first}
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, params } = JSON.parse(line)
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { text: 'x'.repeat(params ?? 1) } }))
  })`,
]

type Run = {
  readonly child: ChildProcess
  readonly exit: Promise<readonly [number | null, string | null]>
  readonly said: { out: string; err: string }
}

/** The built gateway with streams of the test's choice; what is piped is read where `reads` names it. */
function run(args: readonly string[], stdio: StdioOptions, reads: readonly ('stdout' | 'stderr')[]): Run {
  const folder = tempFolder()
  writeFileSync(join(folder, 'gates.yml'), GATES)
  const child = spawn(process.execPath, [BIN, ...args], { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder }, stdio })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = { out: '', err: '' }
  if (reads.includes('stdout')) child.stdout?.on('data', (text) => void (said.out += String(text)))
  if (reads.includes('stderr')) child.stderr?.on('data', (text) => void (said.err += String(text)))
  const exit = new Promise<readonly [number | null, string | null]>((resolve) => {
    child.once('exit', (code, signal) => resolve([code, signal]))
  })
  return { child, exit, said }
}

/** A file that is always full, until the test has ended. */
function full(): number {
  const file = openSync(FULL, 'w')
  onTestFinished(() => closeSync(file))
  return file
}

const gateway = ['run', '--store', 'memory:', '--'] as const
const soon = { timeout: 8_000 }

test.each([
  ['the server’s garbage', `require('fs').writeSync(1, ('DEBUG ' + 'x'.repeat(190) + '\\n').repeat(900))`, ''],
  ['refused messages', '', '{"jsonrpc":"2.0","id":1,"method":"tools/call"}\n'.repeat(1_500)],
])('a stderr that nobody reads stops neither answers nor the end: %s', async (_, first, input) => {
  const { child, exit, said } = run([...gateway, ...server(first)], 'pipe', ['stdout'])
  child.stdin?.write(input + PING)
  await expect.poll(() => said.out.includes('"id":"p","result"'), soon).toBe(true)
  child.stdin?.end()
  expect(await exit).toEqual([0, null])
})

test('the server’s stderr comes through, and what the client does not read of it does not stop the gateway', async () => {
  const noisy = server(`process.stderr.write('é'.repeat(200000) + 'end')`)
  const { child, exit, said } = run([...gateway, ...noisy], 'pipe', ['stdout'])
  child.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"tools/call"}\n'.repeat(10))
  await expect.poll(() => said.out.split('\n').length, soon).toBe(11)
  child.stderr?.on('data', (text) => void (said.err += String(text)))
  await expect.poll(() => said.err.includes('end'), soon).toBe(true)
  expect(said.err.match(/é/g)?.length).toBeGreaterThan(199_000)
  child.stdin?.end()
  expect(await exit).toEqual([0, null])
})

test('an answer that nobody reads does not keep the process after its end', { timeout: 25_000 }, async () => {
  const { child, exit, said } = run([...gateway, ...server()], 'pipe', ['stderr'])
  child.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"ping","params":3000000}\n')
  await expect.poll(() => child.stdout?.readableLength ?? 0, soon).toBeGreaterThan(0)
  child.kill('SIGTERM')
  expect(await exit).toEqual([143, null])
  expect(said.err).not.toContain('    at ')
})

test.runIf(existsSync(FULL))('a stderr that cannot be written ends nothing', async () => {
  const { child, exit, said } = run([...gateway, ...server(`console.error('hello')`)], ['pipe', 'pipe', full()], ['stdout'])
  child.stdin?.write(`{"jsonrpc":"2.0","id":1,"method":"tools/call"}\n${PING}`)
  await expect.poll(() => said.out.includes('"id":"p","result"'), soon).toBe(true)
  child.stdin?.end()
  expect(await exit).toEqual([0, null])
})

test.runIf(existsSync(FULL)).each([
  ['run', [...gateway, ...server()]],
  ['another command', ['holds', 'list', '--all']],
])('a stdout that cannot be written ends %s in one clear line and code 2', async (_, args) => {
  const { child, exit, said } = run(args, ['pipe', full(), 'pipe'], ['stderr'])
  child.stdin?.on('error', () => undefined)
  child.stdin?.write(PING)
  expect(await exit).toEqual([2, null])
  expect(said.err).toMatch(/^callgate: stdout could not be written: ENOSPC[^\n]*$/m)
  expect(said.err).not.toContain('    at ')
})
