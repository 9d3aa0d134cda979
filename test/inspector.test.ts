import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runTool } from '../scripts/run-tool.ts'
import { HOUSE } from './scratch.ts'

const GATES = `gates:
  rules:
    - gate: file_read
      tools: [write_file]
      message: Read the file first.
  marks:
    - gate: file_read
      tools: [read_text_file]
`

type Answer = { readonly tools?: readonly { readonly name: string }[]; readonly isError?: boolean; readonly content?: readonly { readonly text: string }[] }

test('the MCP Inspector lists the filesystem server through the gateway, is refused a write, reads, and writes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-inspector-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'files', 'a.txt')
  mkdirSync(join(folder, 'files'))
  writeFileSync(file, 'before\n')
  writeFileSync(join(folder, 'gates.yml'), GATES)
  const server = [process.execPath, join(HOUSE, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js'), join(folder, 'files')]
  const args = [join(HOUSE, 'gateway/bin/callgate.js'), 'run', '--gates', join(folder, 'gates.yml'), '--session', 'inspector', '--', ...server]
  const gateway = { command: process.execPath, args, env: { XDG_STATE_HOME: join(folder, 'state') } }
  writeFileSync(join(folder, 'client.json'), JSON.stringify({ mcpServers: { gateway } }))

  const inspect = async (...flags: readonly string[]): Promise<{ readonly code: number; readonly answer: Answer }> => {
    const common = ['--cli', '--config', join(folder, 'client.json'), '--server', 'gateway', '--format', 'json']
    const { code, stdout, stderr } = await runTool(folder, '@modelcontextprotocol/inspector', 'mcp-inspector', [...common, ...flags])
    expect(stdout, stderr).toContain('"result"')
    return { code, answer: (JSON.parse(stdout) as { readonly result: Answer }).result }
  }
  const call = (tool: string, input: object): ReturnType<typeof inspect> =>
    inspect('--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(input))

  const listed = await inspect('--method', 'tools/list')
  expect(listed.answer.tools?.map(({ name }) => name)).toEqual(expect.arrayContaining(['read_text_file', 'write_file']))

  const refused = await call('write_file', { path: file, content: 'after\n' })
  expect(refused).toMatchObject({ code: 5, answer: { isError: true } })
  expect(refused.answer.content?.[0]?.text).toMatch(/^Read the file first\.\n\nNothing was executed\./)
  expect(readFileSync(file, 'utf8')).toBe('before\n')

  expect(await call('read_text_file', { path: file })).toMatchObject({ code: 0, answer: { content: [{ text: 'before\n' }] } })
  expect((await call('write_file', { path: file, content: 'after\n' })).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe('after\n')
}, 120_000)
