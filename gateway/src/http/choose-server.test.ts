import { expect, test } from 'vitest'
import { chooseServer } from './choose-server.ts'
import type { ServerFlags } from './choose-server.ts'

const place = { env: { TOKEN: 't-1', EMPTY: '' }, gatesPath: '/g/gates.yml' }
const URL_OF_FILE = 'http://127.0.0.1:1/mcp'
const fileWithUrl = { url: URL_OF_FILE, headers: { Authorization: 'Bearer ${TOKEN}', 'X-Both': '${TOKEN}/${TOKEN}' } }

test('the command line comes before the gates file', () => {
  expect(chooseServer(['a'], {}, fileWithUrl, place)).toEqual({ kind: 'command', command: ['a'] })
  expect(chooseServer([], {}, { command: ['b'] }, place)).toEqual({ kind: 'command', command: ['b'] })
  expect(chooseServer([], { url: 'http://x/' }, { command: ['b'] }, place)).toEqual({ kind: 'url', url: 'http://x/', headers: {} })
})

test('headers are filled from the environment, and go only where they were written for', () => {
  const filled = { Authorization: 'Bearer t-1', 'X-Both': 't-1/t-1' }
  expect(chooseServer([], {}, fileWithUrl, place)).toEqual({ kind: 'url', url: URL_OF_FILE, headers: filled })
  expect(chooseServer([], { url: 'http://other/' }, fileWithUrl, place)).toMatchObject({ headers: {} })
  const flags = { url: 'http://other/', header: ['A: x ${TOKEN}', 'b:${TOKEN}'] }
  expect(chooseServer([], flags, fileWithUrl, place)).toMatchObject({ headers: { A: 'x t-1', b: 't-1' } })
})

test.each<readonly [string, readonly string[], ServerFlags, Parameters<typeof chooseServer>[2], string]>([
  ['no server', [], {}, undefined, 'No server to run: name it after --, by --url, or under server in /g/gates.yml.'],
  ['two servers', ['a'], { url: 'http://x/' }, undefined, 'two servers'],
  ['a header for no URL', ['a'], { header: ['A: ${TOKEN}'] }, undefined, '--header goes with --url'],
  ['a secret in the command line', [], { url: 'http://x/', header: ['A: hunter2'] }, undefined, 'environment variable'],
  ['a header without a name', [], { url: 'http://x/', header: ['${TOKEN}'] }, undefined, 'environment variable'],
  ['a variable that is not there', [], { url: 'http://x/', header: ['A: ${NOT}'] }, undefined, 'The environment has no NOT'],
  ['a variable that is empty', [], {}, { url: 'http://x/', headers: { A: '${EMPTY}' } }, 'The environment has no EMPTY'],
])('%s is refused, and no value is shown', (_, command, flags, settings, said) => {
  const choose = (): unknown => chooseServer(command, flags, settings, place)
  expect(choose).toThrow(said)
  expect(choose).not.toThrow('hunter2')
})
