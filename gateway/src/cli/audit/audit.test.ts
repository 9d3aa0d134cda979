import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { EntryDraft } from '@callgate/core'
import { parseEntry, sealEntry } from '@callgate/core'
import { openSqliteStore } from '@callgate/sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../../state/temp-folder.fixture.ts'
import { BIN } from '../run-bin.fixture.ts'
import { runHere } from '../run-here.fixture.ts'
import { entryLine } from './entry-line.ts'
import { verifyRecord } from './verify-record.ts'

const draft = (
  call: number,
  data: EntryDraft['data'] = { verdict: 'run', tool: 'read', args: { n: call }, repaired: false },
): EntryDraft => ({
  kind: 'decision',
  at: 1_764_547_200_000 + call,
  principal: 'somebody:/etc/gates.yml',
  session: 's-1',
  call: `call-${call}`,
  data,
})

async function recordOf(count: number): Promise<{ folder: string; path: string }> {
  const folder = tempFolder()
  const path = join(folder, 'state.db')
  const store = await openSqliteStore(path)
  await store.record.append(
    Array.from({ length: count }, (_, index) => draft(index)),
    'now',
  )
  await store.close()
  return { folder, path }
}

test('an unbroken record verifies over several pages, and its end is said to be unproven', async () => {
  const { folder, path } = await recordOf(2_500)
  expect(await runHere(['audit', 'verify', '--json', '--store', path], folder)).toEqual({
    code: 0,
    stdout: '{"ok":true,"entries":2500,"anchored":false}\n',
    stderr: '',
  })
  const { code, stdout } = await runHere(['audit', 'verify', '--store', path], folder)
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/chain of 2500 entries is unbroken\. .*unproven without a signed checkpoint/),
  ])
})

test.each([
  [
    'was changed',
    'UPDATE entries SET text = replace(text, \'"read"\', \'"rode"\') WHERE seq = 3',
    'its hash does not fit what it says',
  ],
  ['is gone', 'DELETE FROM entries WHERE seq = 3', 'missing'],
  ['is no entry any more', "UPDATE entries SET text = 'x' WHERE seq = 3", 'no JSON object'],
])('a record in which an entry %s exits 1 and names it', async (_what, tamper, why) => {
  const { folder, path } = await recordOf(5)
  const Database = createRequire(new URL('../../../../stores/sqlite/package.json', import.meta.url))('libsql') as new (
    file: string,
  ) => { exec(sql: string): void; close(): void }
  const database = new Database(path)
  database.exec(`DROP TRIGGER entries_never_change; DROP TRIGGER entries_never_go; ${tamper}`)
  database.close()
  const { code, stdout } = await runHere(['audit', 'verify', '--json', '--store', path], folder)
  expect([code, JSON.parse(stdout)]).toEqual([
    1,
    expect.objectContaining({ ok: false, firstBad: { seq: 3, why: expect.stringContaining(why) } }),
  ])
  const told = await runHere(['audit', 'verify', '--store', path], folder)
  expect([told.code, told.stdout]).toEqual([1, expect.stringMatching(/^BROKEN at entry 3: /)])
})

test('a broken record names its first bad entry', async () => {
  const good = sealEntry({ seq: 0, hash: '0'.repeat(64) }, draft(1))
  const forged = { ...sealEntry(good, draft(2)), session: 's-2' }
  const after = sealEntry(forged, draft(3))
  const pages = [[good, forged, after], []]
  const record = { read: async () => pages.shift() ?? [], head: async () => after }
  const report = await verifyRecord(record)
  expect(report).toMatchObject({ ok: false, entries: 3, firstBad: { seq: 2 } })
})

test('a record whose numbers lead nowhere ends the walk', async () => {
  const entry = sealEntry({ seq: 0, hash: '0'.repeat(64) }, draft(1))
  const record = { read: async () => [{ ...entry, seq: 0 }], head: async () => entry }
  expect(await verifyRecord(record)).toMatchObject({ ok: false, entries: 1 })
})

test('the tail gives the last entries in order, as JSON lines that keep every digit and their hash', async () => {
  const folder = tempFolder()
  const path = join(folder, 'state.db')
  const store = await openSqliteStore(path)
  await store.record.append(
    [draft(1), draft(2), draft(3, { verdict: 'refuse', tool: 'pay', args: { amount: 9007199254740993n } })],
    'now',
  )
  await store.close()
  const { code, stdout } = await runHere(['audit', 'tail', '-n', '2', '--json', '--store', path], folder)
  expect(code).toBe(0)
  const lines = stdout.trimEnd().split('\n')
  expect(lines.map((line) => parseEntry(line).seq)).toEqual([2, 3])
  expect(lines[1]).toContain('"amount":9007199254740993')
  const [second, third] = lines.map(parseEntry)
  expect(sealEntry({ seq: 2, hash: second?.hash ?? '' }, third ?? draft(0))).toEqual(third)
})

test('an entry reads as one line: number, time, kind, verdict, tool, and why', () => {
  const entry = sealEntry(
    { seq: 6, hash: '0'.repeat(64) },
    draft(1, {
      verdict: 'run',
      tool: 'read\u202e',
      repaired: true,
      reasons: [{ policy: 'p', code: 'safe' }],
      rule: 'file_read',
      args: { n: 1 },
    }),
  )
  expect(entryLine(entry)).toMatch(
    /^ {5}7 {2}2025-12-01 00:00:00Z {2}decision {2}repaired {2}read\\u\{202e\} +safe rule=file_read args=\{"n":1\}$/,
  )
})

test('a followed tail gives entries as another process writes them, and ends in order when interrupted', async () => {
  const { folder, path } = await recordOf(1)
  const child = spawn(process.execPath, [BIN, 'audit', 'tail', '--follow', '--json', '--store', path], { cwd: folder })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  expect(parseEntry((await lines.next()).value as string).seq).toBe(1)
  const store = await openSqliteStore(path)
  await store.record.append([draft(2)], 'now')
  await store.close()
  expect(parseEntry((await lines.next()).value as string).seq).toBe(2)
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('a reader that goes away early is no fault', async () => {
  const { folder, path } = await recordOf(3_000)
  const child = spawn(process.execPath, [BIN, 'audit', 'tail', '-n', '3000', '--json', '--store', path], { cwd: folder })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()))
  await once(child.stdout, 'data')
  child.stdout.destroy()
  expect(await once(child, 'close')).toEqual([0, null])
  expect(stderr).toBe('')
})

test.each([
  ['verify without a record', ['audit', 'verify', '--store', 'none.db'], 'There is no store at'],
  ['tail of less than nothing', ['audit', 'tail', '-n', '-1'], 'whole number'],
  ['tail of too much', ['audit', 'tail', '-n', '99999999'], 'whole number'],
])('%s cannot run', async (_what, args, words) => {
  const folder = tempFolder()
  expect(await runHere(args, folder)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) })
})
