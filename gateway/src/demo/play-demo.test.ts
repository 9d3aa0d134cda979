import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { openSqliteStore } from '@callgate/sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { BIN } from '../cli/run-bin.fixture.ts'
import { locateStore } from '../state/store-location.ts'
import { placeIn, tempFolder } from '../state/temp-folder.fixture.ts'
import { createDemoFolder, DEMO_GATES } from './demo-folder.ts'
import { findFilesystemServer } from './find-server.ts'
import { playDemo } from './play-demo.ts'

const QUIET = { call: () => undefined, approved: () => undefined }

test('where the rules do not do what the demo says, each difference is named', async () => {
  const folder = createDemoFolder()
  onTestFinished(() => folder.remove())
  writeFileSync(
    folder.gates,
    DEMO_GATES.replace('[write_file, edit_file]', '[edit_file]').replace('strict', 'strict\n  invalid: forward'),
  )
  const location = locateStore({ gates: folder.gates }, placeIn(folder.root, { XDG_STATE_HOME: folder.state }))
  const store = await openSqliteStore(location.kind === 'sqlite' ? location.path : '')
  const { calls, differences } = await playDemo(folder, store, findFilesystemServer(), QUIET, new AbortController().signal)
  await store.close()
  expect(calls[0]?.verdict).toBe('ran')
  expect(differences).toEqual([
    expect.stringMatching(/^call 1, write_file: ran, not refused/),
    'call 1, write_file: the file was written all the same',
    expect.stringMatching(/^call 2, read_text_file: the read returned/),
  ])
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a demo that %s ends leaves neither its folder nor a process behind',
  async (signal) => {
    const temp = tempFolder()
    const child = spawn(process.execPath, [BIN, 'demo', '--json'], { env: { ...process.env, TMPDIR: temp }, stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    await until(() => processesWith(temp).length > 1)
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([130, null])
    expect(readdirSync(temp)).toEqual([])
    await until(() => processesWith(temp).length === 0)
  },
)

/** The command lines, of this machine's processes, that name `path`: the demo's gateway and its server do. */
function processesWith(path: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandLine)
    .filter((line) => line.includes(path))
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  // Asked once a time: what was true may have passed by the next.
  for (let tries = 0; tries < 300; tries += 1) {
    if (isTrue()) return
    await setTimeout(50)
  }
  expect.fail('it did not come true in 15 s')
}
