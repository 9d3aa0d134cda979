import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../state/temp-folder.fixture.ts'
import { fixturePath } from '../stdio/gateway.fixture.ts'
import { runBin } from './run-bin.fixture.ts'
import type { Ended } from './run-bin.fixture.ts'

const SECRET = '4111222233334444'
const inputSchema = { type: 'object', properties: { card: { type: 'string', pattern: '^[0-9]{16}$' }, note: { type: 'string' }, at: { type: 'object', properties: { x: { type: 'integer' } } }, limit: { type: 'integer' } } }

type Desk = { readonly folder: string; run(gates: string, args: string): Promise<Ended & { readonly text: string }>; files(): string }

/** Calls of `pay` before the recording server, each through a gateway process of its own. */
function desk(): Desk {
  const folder = tempFolder()
  const tools = join(folder, 'tools.json')
  writeFileSync(tools, JSON.stringify([{ name: 'pay', inputSchema }]))
  return {
    folder,
    async run(gates, args) {
      writeFileSync(join(folder, 'gates.yml'), gates)
      const line = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","arguments":${args}}}\n`
      const server = ['--', process.execPath, fixturePath('recording-server.mjs'), tools]
      const ended = await runBin(['run', '--store', './state.db', '--hold-ms', '0', '--allow-inside', ...server], folder, {}, line)
      const answer = JSON.parse(ended.stdout || '{}') as { result?: { content: { text: string }[] } }
      return { ...ended, text: answer.result?.content[0]?.text ?? '' }
    },
    files: () => readdirSync(folder).filter((name) => name.startsWith('state.db')).map((name) => readFileSync(join(folder, name), 'latin1')).join('\n'),
  }
}

test.each([
  ['strict', '{"limit":"5"}', '{"limit":5}'],
  ['basic', '{"at":"{\\"x\\":\\"5\\"}"}', '{"at":{"x":5}}'],
  ['flexible', '"{\\"limit\\": 5}"', '{"limit":5}'],
  ['flexible', '{"limit":"", "note":"" }', '{"note":"" }'],
])('callgate run types in the tier %s', async (mode, sent, arrived) => {
  const { text } = await desk().run(`typing: { mode: ${mode} }\n`, sent)
  expect(text).toContain(`"arguments":${arrived}}`)
})

test('a redacted argument reaches the server, and neither a refusal, nor a person, nor a file of the state', async () => {
  const { run, files, folder } = desk()
  const gates = 'typing: { mode: basic }\nredact: [args.card]\n'
  expect((await run(gates, `{"card":"${SECRET}","note":"for ${SECRET}"}`)).text).toContain(`"card":"${SECRET}"`)
  const refused = await run(gates, `{"card":"${SECRET}5"}`)
  expect(refused.text).toContain('/arguments/card')
  expect(refused.text).not.toContain('41112')
  const confirm = `${gates}gates:\n  rules:\n    - { gate: confirm, tools: [pay], message: "Pay?", when: args.card.startsWith("4111") }\n`
  const held = await run(confirm, `{"card":"${SECRET}"}`)
  const [, id = ''] = /^Waiting for approval (\S+)\./.exec(held.text) ?? []
  const { stdout: token } = await runBin(['token', 'create', '--name', 'Ann', '--store', './state.db'], folder)
  const shown = await runBin(['holds', 'show', id, '--store', './state.db'], folder)
  expect(shown.stdout).toMatch(/"redacted": "args\.card"/)
  expect(shown.stdout).not.toContain(SECRET)
  expect((await runBin(['holds', 'approve', id, '--store', './state.db'], folder, { CALLGATE_APPROVER_TOKEN: token })).code).toBe(0)
  expect((await run(confirm, `{"card":"${SECRET}"}`)).text).toContain(`"card":"${SECRET}"`)
  expect(files()).not.toContain(SECRET)
  expect(files()).toContain('"redacted":"args.card"')
  expect(await runBin(['audit', 'verify', '--store', './state.db', '--json'], folder)).toMatchObject({ code: 0, stdout: expect.stringContaining('"ok":true') as string })
})

test('showTo is refused as long as nobody can be shown a redacted value', async () => {
  const { code, stderr } = await desk().run('redact: [args.card]\ngates:\n  rules:\n    - { gate: confirm, tools: [pay], message: "Pay?", showTo: [finance] }\n', '{}')
  expect([code, stderr]).toEqual([2, expect.stringContaining('`showTo` is not kept by this gateway')])
})
