import { createInterface } from 'node:readline'
import Database from 'libsql'
import { isCallgateError } from '@callgate/core'
import type { EntryDraft } from '@callgate/core'
import { openSqliteStore } from '@callgate/sqlite'

// A process of its own for the tests: `node store-child.fixture.ts COMMAND PATH [ARGUMENT]`; it says "ready" and waits for a line.
const [command = '', path = '', argument = ''] = process.argv.slice(2)

function entry(n: number): EntryDraft {
  return { kind: 'decision', at: n, principal: 'child', session: argument, call: `${argument}-${n}`, data: { n, from: argument } }
}

async function told(): Promise<void> {
  console.log('ready')
  for await (const _line of createInterface({ input: process.stdin })) return
}

async function append(): Promise<void> {
  const store = await openSqliteStore(path)
  await told()
  for (let n = 0; n < 500; n += 1) await store.record.append([entry(n)], n % 5 === 4 ? 'soon' : 'now')
  await store.close()
}

async function appendForever(): Promise<void> {
  const store = await openSqliteStore(path)
  await told()
  for (let n = 1; ; n += 1) {
    await store.record.append([entry(n)], 'now')
    console.log(`durable ${n}`)
  }
}

async function claim(): Promise<void> {
  const store = await openSqliteStore(path)
  await told()
  const event = { kind: 'claim', at: 1_200, binding: 'b', owner: argument, leaseUntil: 9_999 } as const
  console.log((await store.holds.apply('h1', event, [entry(1)])).kind)
  await store.close()
}

/** Takes a use of the gate "g" forty times; each that was met is recorded. */
async function take(): Promise<void> {
  const store = await openSqliteStore(path)
  await told()
  const scope = { principal: 'ada', session: 's' }
  const wanted = { at: 1_000, needs: [{ gate: 'g' }], clears: [], charges: [{ limit: 'l', calls: 60, perMs: 1_000 }] }
  for (let n = 0; n < 40; n += 1) console.log((await store.marks.claim(scope, wanted, [entry(n)])).kind)
  await store.close()
}

async function lock(): Promise<void> {
  const db = new Database(path)
  db.pragma('locking_mode = EXCLUSIVE')
  db.exec('BEGIN EXCLUSIVE')
  await told()
  db.exec('ROLLBACK')
  db.close()
}

async function fill(): Promise<void> {
  const store = await openSqliteStore(path)
  for (let n = 1; ; n += 1) {
    await store.record.append([{ ...entry(n), data: { n, text: 'x'.repeat(5_000) } }], 'now')
    console.log(`durable ${n}`)
  }
}

async function open(): Promise<void> {
  // Root may do everything, so the test gives it up; as any other user there is nothing to give up.
  if (argument === 'as nobody' && process.getuid?.() === 0) {
    process.setgid?.(65_534)
    process.setuid?.(65_534)
  }
  const store = await openSqliteStore(path)
  console.log('opened')
  await store.close()
}

const commands: Readonly<Record<string, () => Promise<void>>> = { append, appendForever, claim, take, lock, fill, open }

try {
  await commands[command]?.()
} catch (error) {
  console.log(isCallgateError(error) ? `${error.code}: ${error.message}` : String(error))
  process.exitCode = 1
}
