import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../state/temp-folder.fixture.ts'
import { runBin } from './run-bin.fixture.ts'
import type { Ended } from './run-bin.fixture.ts'

const GATES = `gates:
  rules:
    - { gate: looked, tools: [act], message: Look first. }
    - { gate: confirm, tools: [pay], message: "Pay?" }
  marks:
    - { gate: looked, tools: [look] }
`

// A server of three tools that says which one ran.
const SERVER = `
const tools = ['look', 'act', 'pay'].map((name) => ({ name, inputSchema: { type: 'object' } }))
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const result = method === 'tools/list' ? { tools } : { content: [{ type: 'text', text: 'did ' + params?.name }] }
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})`

type Gate = {
  readonly folder: string
  call(tool: string, args: readonly string[], server?: readonly string[]): Promise<Ended & { readonly text: string }>
}

/** One call through a gateway of its own, in a folder with a gates file. */
function gate(): Gate {
  const folder = tempFolder()
  const script = join(folder, 'server.cjs')
  writeFileSync(script, SERVER)
  writeFileSync(join(folder, 'gates.yml'), GATES)
  return {
    folder,
    async call(tool, args, server = [process.execPath, script]) {
      const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: { n: 1 } } }
      const ended = await runBin(
        ['run', ...args, ...(server.length > 0 ? ['--', ...server] : [])],
        folder,
        {},
        `${JSON.stringify(request)}\n`,
      )
      const answer = JSON.parse(ended.stdout || '{}') as { result?: { content: { text: string }[] } }
      return { ...ended, text: answer.result?.content[0]?.text ?? ended.stdout }
    },
  }
}

test('marks live in a session, and --session continues it in another process', async () => {
  const { call } = gate()
  expect((await call('act', [])).text).toMatch(/^Look first\./)
  expect((await call('look', ['--session', 's-1'])).text).toBe('did look')
  expect((await call('act', ['--session', 's-1'])).text).toBe('did act')
  expect((await call('act', ['--session', 's-2'])).text).toMatch(/^Look first\./)
  expect((await call('act', [])).text).toMatch(/^Look first\./)
})

test('a yes that outlives its gateway is spent by the next one, once', async () => {
  const { call, folder } = gate()
  const held = await call('pay', ['--hold-ms', '0'])
  const [, id = ''] = /^Waiting for approval (\S+)\./.exec(held.text) ?? []
  const { stdout: token } = await runBin(['token', 'create', '--name', 'Ann'], folder)
  const approved = await runBin(['holds', 'approve', id], folder, { CALLGATE_APPROVER_TOKEN: token })
  expect([approved.code, approved.stdout]).toEqual([0, `${id} approved by Ann: pay\n`])
  expect((await call('pay', ['--hold-ms', '0'])).text).toBe('did pay')
  expect((await call('pay', ['--hold-ms', '0'])).text).toMatch(/^Waiting for approval/)
  expect(await runBin(['audit', 'verify', '--json'], folder)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"ok":true'),
  })
})

test('the server may stand in the gates file, and what is doubtful there is said on stderr', async () => {
  const { call, folder } = gate()
  const server = `server: { command: [${JSON.stringify(process.execPath)}, server.cjs] }\n`
  writeFileSync(join(folder, 'own.yml'), server + GATES)
  writeFileSync(join(folder, 'shut.yml'), server + GATES.replace('gate: looked, tools: [look]', 'gate: other, tools: [look]'))
  expect(await call('look', ['--gates', 'own.yml'], [])).toMatchObject({ text: 'did look', stderr: '' })
  const shut = await call('look', ['--gates', 'shut.yml'], [])
  expect(shut.text).toBe('did look')
  expect(shut.stderr).toMatch(/warning: \S+shut\.yml:4:/)
})

test('--allow-inside starts the server all the same, and says what lies where', async () => {
  const { call, folder } = gate()
  mkdirSync(join(folder, 'data'))
  const server = [process.execPath, join(folder, 'server.cjs'), folder]
  expect(await call('look', [], server)).toMatchObject({ code: 2, stdout: '' })
  const allowed = await call('look', ['--allow-inside'], server)
  expect(allowed.text).toBe('did look')
  expect(allowed.stderr).toContain(`gates file ${join(folder, 'gates.yml')} lies inside ${folder}`)
})

test('a store in memory is said to end with its process; with --json stderr is lines of JSON', async () => {
  const { call } = gate()
  const { text, stderr } = await call('look', ['--store', 'memory:', '--json'])
  expect(text).toBe('did look')
  expect(JSON.parse(stderr)).toEqual({ message: expect.stringContaining('in memory') })
})
