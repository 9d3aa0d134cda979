import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { fixturePath, isAlive, pidIn, temporaryFolder } from './gateway.fixture.ts'

/** The gateway as a process of its own, from what was built: its streams are pipes, its signals real. */
const PROGRAM = (timings: string): string => `
  import { runStdioGateway } from 'callgate'
  import { local } from '@callgate/core/local'
  const { stdin: input, stdout: output, env, argv, stderr, execPath } = process
  const gates = { rules: [{ gate: 'x', tools: ['write'], message: 'No.' }], external: ['x'] }
  process.exitCode = await runStdioGateway({
    command: [execPath, ...argv.slice(1)], env, store: local().store, gates, principal: 'p', session: 's', input, output,
    log: (line) => stderr.write(line + '\\n'), timings: { exitMs: 300, killMs: 300, ${timings} },
  })
  input.destroy()
`

type Started = { readonly gateway: ChildProcess; readonly exit: Promise<number | null> }

const start = (...server: readonly string[]): Started => startWith('', ...server)

function startWith(timings: string, ...server: readonly string[]): Started {
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const gateway = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM(timings), '--', ...server], {
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const exit = new Promise<number | null>((resolve) => void gateway.on('exit', (code) => resolve(code)))
  onTestFinished(() => void gateway.kill('SIGKILL'))
  return { gateway, exit }
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s ends the server and what it started, in order', async (signal) => {
  const file = join(temporaryFolder(), 'pid')
  const { gateway, exit } = start(fixturePath('tool-server.mjs'), '--child', file)
  const pid = await pidIn(file)
  gateway.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hang"}}\n')
  let received = ''
  gateway.stdout?.on('data', (chunk) => void (received += String(chunk)))
  await new Promise((resolve) => setTimeout(resolve, 300))
  gateway.kill(signal)
  expect(await exit).toBe(143)
  expect(received).toContain('"id":1,"error":')
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('a gateway whose client has gone ends by itself, and so does its server', async () => {
  const file = join(temporaryFolder(), 'pid')
  const { gateway, exit } = start(fixturePath('tool-server.mjs'), '--child', file, '--stubborn')
  const pid = await pidIn(file)
  gateway.stdout?.destroy()
  gateway.stdin?.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  expect(await exit).toBe(137)
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('a client that does not read stops the server, not the gateway’s memory', async () => {
  const flood =
    'const line = JSON.stringify({ jsonrpc: "2.0", method: "n", params: "x".repeat(65000) }) + "\\n"; const go = () => { while (process.stdout.write(line)); process.stdout.once("drain", go) }; go()'
  const { gateway } = start('-e', flood)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${gateway.pid}/status`, 'utf8'))?.[1])
  expect(resident).toBeLessThan(200_000)
  gateway.kill('SIGTERM')
})

test('a client that is killed while the server does not read ends the gateway and the server', async () => {
  const file = join(temporaryFolder(), 'pid')
  const deaf = `require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`
  const { gateway, exit } = startWith('drainMs: 300', '-e', deaf)
  const pid = await pidIn(file)
  for (let id = 0; id < 10; id += 1)
    gateway.stdin?.write(`{"jsonrpc":"2.0","id":${id},"method":"ping","params":"${'x'.repeat(60_000)}"}\n`)
  gateway.stdin?.end()
  gateway.stdout?.destroy()
  expect(await exit).toBe(143)
  expect(isAlive(pid)).toBe(false)
})

test.runIf(process.platform !== 'win32')('a process that left the server’s group keeps its streams, not the gateway', async () => {
  const file = join(temporaryFolder(), 'pid')
  const daemon = `
    const { spawn } = require('child_process')
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20000)'], { detached: true, stdio: 'inherit' })
    child.unref()
    require('fs').writeFileSync(${JSON.stringify(file)}, String(child.pid))
    console.log('{"jsonrpc":"2.0","method":"ready"}')
    process.stdin.resume().on('end', () => process.exit(9))`
  const { gateway, exit } = startWith('flushMs: 300', '-e', daemon)
  const pid = await pidIn(file)
  onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')))
  await new Promise((resolve) => gateway.stdout?.once('data', resolve))
  gateway.stdin?.end()
  expect(await exit).toBe(9)
  expect(isAlive(pid)).toBe(true)
})
