import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runBin } from '../cli/run-bin.fixture.ts'
import { tempFolder } from '../state/temp-folder.fixture.ts'
import { legacy, startRemote } from './remote/remote.fixture.ts'
import type { Remote } from './remote/remote.fixture.ts'

const RULES = `gates:
  rules:
    - { gate: looked, tools: [write], message: Look first. }
  marks:
    - { gate: looked, tools: [look] }
`
const INPUT = [
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write","arguments":{}}}',
  '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"look","arguments":{}}}',
]

const server = (): Promise<Remote> => startRemote(legacy(() => false))
const isGated = (stdout: string): unknown =>
  Object.fromEntries(
    stdout.split('\n').slice(0, -1).map((line) => {
      const { id, result } = JSON.parse(line) as { id: number; result: { isError?: boolean } }
      return [id, result.isError === true]
    }),
  )

test.each(['--url', 'server.url'])('the server may stand in %s, with headers from the environment', async (place) => {
  const remote = await server()
  const folder = tempFolder()
  const inFile = `server: { url: "${remote.url}", headers: { Authorization: "Bearer \${API_TOKEN}" } }\n`
  writeFileSync(join(folder, 'gates.yml'), (place === '--url' ? '' : inFile) + RULES)
  const flags = place === '--url' ? ['--url', remote.url, '--header', 'Authorization: Bearer ${API_TOKEN}'] : []
  const ended = await runBin(['run', ...flags], folder, { API_TOKEN: 't-1' }, `${INPUT.join('\n')}\n`)
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(isGated(ended.stdout)).toEqual({ 0: false, 1: true, 2: false })
  expect(new Set(remote.got.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer t-1']))
  expect(remote.of('tools/call').map(({ message }) => message.params?.name)).toEqual(['look'])
  expect(await runBin(['audit', 'verify'], folder)).toMatchObject({ code: 0 })
})

test('a variable that is missing starts nothing', async () => {
  const remote = await server()
  const folder = tempFolder()
  writeFileSync(join(folder, 'gates.yml'), RULES)
  const ended = await runBin(['run', '--url', remote.url, '--header', 'A: ${API_TOKEN}'], folder)
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('The environment has no API_TOKEN') })
  expect(remote.got).toEqual([])
})
