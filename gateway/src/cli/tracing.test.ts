import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteStore } from '@callgate/sqlite'
import { expect, test } from 'vitest'
import { tempFolder } from '../state/temp-folder.fixture.ts'
import { runBin } from './run-bin.fixture.ts'

const TRACING = { RUST_LOG: 'trace', LOG_STREAM: '1', LOG_TOKENS: '1' }
const PRINT_ENV = 'console.log(JSON.stringify({ jsonrpc: "2.0", method: "x", params: [process.env.RUST_LOG, process.env.LOG_STREAM] }))'

test('variables that make libraries trace put nothing on stdout', async () => {
  const folder = tempFolder()
  const store = join(folder, 'store.db')
  await (await openSqliteStore(store)).close()
  const { code, stdout } = await runBin(['holds', 'list', '--json', '--store', store], folder, TRACING)
  expect([code, stdout.trim()]).toEqual([0, '[]'])
})

test('the server gets them all the same, and the client sees the server\'s messages only', async () => {
  const folder = tempFolder()
  const work = join(folder, 'work')
  mkdirSync(work)
  writeFileSync(join(folder, 'gates.yml'), 'gates:\n  rules:\n    - gate: a\n      tools: [b]\n      message: c\n')
  const { stdout } = await runBin(['run', '--store', 'store.db', '--', process.execPath, '-e', PRINT_ENV], folder, TRACING)
  expect(stdout).toBe('{"jsonrpc":"2.0","method":"x","params":["trace","1"]}\n')
})
