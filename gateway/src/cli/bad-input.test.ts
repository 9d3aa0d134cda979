import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../state/temp-folder.fixture.ts'
import { runBin } from './run-bin.fixture.ts'
import { runHere } from './run-here.fixture.ts'

const GATES = 'gates:\n  rules:\n    - gate: confirm\n      tools: [move_file]\n      message: Move this file?\n'

/** A folder with a gates file, and a server that leaves the file `started` behind where it is started. */
function workplace(): { readonly folder: string; readonly server: readonly string[]; readonly hasStarted: () => boolean } {
  const folder = tempFolder()
  writeFileSync(join(folder, 'gates.yml'), GATES)
  mkdirSync(join(folder, 'work'))
  writeFileSync(join(folder, 'work', 'inside.yml'), GATES)
  const started = join(folder, 'started')
  const script = `require('fs').writeFileSync(${JSON.stringify(started)}, '')`
  return { folder, server: [process.execPath, '-e', script], hasStarted: () => existsSync(started) }
}

test.each<[string, readonly string[], string]>([
  ['no command', [], 'Usage: callgate'],
  ['an unknown command', ['frobnicate'], "unknown command 'frobnicate'"],
  ['a command with a slip', ['hold'], 'holds'],
  ['an unknown flag', ['run', '--frob'], "unknown option '--frob'"],
  ['a flag without its value', ['run', '--gates'], 'argument missing'],
  ['a wait that is no number', ['run', '--hold-ms', 'soon'], 'milliseconds'],
  ['a wait without end', ['run', '--hold-ms', '1e99'], 'milliseconds'],
  ['a session without a name', ['run', '--session', ' '], 'name'],
  ['too many words', ['demo', 'now'], 'too many arguments'],
  ['a missing id', ['holds', 'show'], "missing required argument 'id'"],
  ['a postgres store', ['holds', 'list', '--store', 'postgres://localhost/x'], 'postgres:// store is not built yet'],
  ['holds of a memory store', ['holds', 'list', '--store', 'memory:'], 'memory:'],
  ['holds of a store that is not there', ['holds', 'list', '--store', 'none.db'], 'There is no store at'],
  ['holds without a gates file', ['holds', 'list'], 'No gates file at'],
])('%s ends in a message on stderr and code 2', async (_what, args, words) => {
  const ended = await runHere(args, tempFolder())
  expect(ended.stderr).toContain(words)
  expect([ended.code, ended.stdout]).toEqual([2, ''])
})

test.each([
  ...['init', 'console', 'freeze', 'thaw', 'prove', 'explain', 'graph', 'mine', 'hook'].map((name) => [
    name,
    '--reason',
    'x',
  ]),
  ['audit', 'export'],
  ['run', '--shadow'],
])('callgate %s %s is said not to be built yet', async (...args) => {
  const ended = await runHere(args, tempFolder())
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('not built yet') })
})

test('the program itself ends with these codes, and with nothing on stdout', async () => {
  const folder = tempFolder()
  expect(await runBin(['frobnicate'], folder)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('frobnicate'),
  })
  expect(await runBin(['holds', 'list'], folder)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('No gates file'),
  })
})

test.each<[string, readonly string[], string]>([
  ['no gates file', ['--gates', 'none.yml'], 'No gates file at'],
  ['a folder as gates file', ['--gates', 'work'], 'a folder'],
  ['an invalid gates file', ['--gates', 'bad.yml'], 'bad.yml:2:3'],
  ['an empty gates file', ['--gates', 'empty.yml'], 'empty.yml'],
  ['a gates file below a path of the server', ['--gates', 'work/inside.yml'], '--allow-inside'],
  ['a store below a path of the server', ['--store', 'work/state.db'], '--allow-inside'],
  ['a store that is no database', ['--store', 'bad.yml'], 'bad.yml'],
  ['a store that is a folder', ['--store', 'folder'], 'folder'],
  ['a store in a folder that cannot be made', ['--store', 'bad.yml/state.db'], 'state.db'],
])('with %s nothing starts', async (_what, args, words) => {
  const { folder, server, hasStarted } = workplace()
  writeFileSync(join(folder, 'bad.yml'), `gates:\n  rulez: []\n${'# no database, and long enough to be one\n'.repeat(300)}`)
  writeFileSync(join(folder, 'empty.yml'), '')
  mkdirSync(join(folder, 'folder'))
  const ended = await runBin(['run', ...args, '--', ...server, './work'], folder)
  expect(ended.stderr).toContain(words)
  expect([ended.code, ended.stdout, hasStarted()]).toEqual([2, '', false])
})

test('without a server to run nothing starts', async () => {
  const { folder } = workplace()
  const ended = await runBin(['run'], folder)
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('No server to run') })
})

test('a store that another process has locked is waited for a while, then nothing starts', async () => {
  const { folder, server, hasStarted } = workplace()
  const store = join(folder, 'state.db')
  await lock(store)
  const ended = await runBin(['run', '--store', store, '--', ...server], folder)
  expect(ended.stderr).toContain(store)
  expect(ended.stderr).toMatch(/locked/)
  expect([ended.code, ended.stdout, hasStarted()]).toEqual([2, '', false])
})

test('a server that cannot be found ends the gateway, and says so', async () => {
  const { folder } = workplace()
  const ended = await runBin(['run', '--', './no-such-server'], folder)
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('no-such-server') })
})

/** Holds an exclusive lock on a SQLite file, in a process of its own, until the test has ended. */
async function lock(path: string): Promise<void> {
  const libsql = createRequire(new URL('../../../stores/sqlite/package.json', import.meta.url)).resolve('libsql')
  const script = `const db = new (require(${JSON.stringify(libsql)}))(${JSON.stringify(path)})
    db.exec('PRAGMA locking_mode = EXCLUSIVE'); db.exec('BEGIN EXCLUSIVE'); console.log('locked'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
}

test('with --json what keeps run from starting is a line of JSON too', async () => {
  const { code, stdout, stderr } = await runHere(['run', '--json', '--gates', 'none.yml'], tempFolder())
  expect([code, stdout]).toEqual([2, ''])
  expect(JSON.parse(stderr)).toMatchObject({ code: 'gates_file_missing', message: expect.stringContaining('No gates file') as string })
})
