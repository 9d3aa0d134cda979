import Database from 'libsql'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { GENESIS, prepareEntry } from '@callgate/core'
import { openSqliteStore } from './open-sqlite-store.ts'

// A file as the first release wrote it, with a hold, marks and an entry in it.
const hold = {
  id: 'h1', binding: 'b', principal: 'ada', session: 's', tool: 'move', args: '{}', question: 'Move it?', createdAt: 1_000, expiresAt: 2_000,
  status: 'pending', count: 1, told: false,
}
const draft = { kind: 'decision', at: 1, principal: 'ada', session: 's', call: 'c', data: { n: 1 } } as const
const { hash, text } = prepareEntry(draft)(GENESIS)
const LAYOUT_1 = `
  CREATE TABLE meta (version INTEGER NOT NULL) STRICT;
  INSERT INTO meta VALUES (1);
  CREATE TABLE marks (
    principal TEXT NOT NULL, session TEXT NOT NULL, gate TEXT NOT NULL, at ANY NOT NULL,
    PRIMARY KEY (principal, session, gate)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE holds (
    n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, binding TEXT NOT NULL, status TEXT NOT NULL, data TEXT NOT NULL
  ) STRICT;
  CREATE INDEX holds_by_binding ON holds (binding, n);
  CREATE INDEX holds_by_status ON holds (status, n);
  CREATE TABLE entries (seq INTEGER PRIMARY KEY, hash TEXT NOT NULL, text TEXT NOT NULL) STRICT;
  CREATE TRIGGER entries_never_change BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;
  CREATE TRIGGER entries_never_go BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;
  CREATE TABLE approvers (
    n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, token_hash TEXT NOT NULL UNIQUE, is_revoked INTEGER NOT NULL, data TEXT NOT NULL
  ) STRICT;
  PRAGMA application_id = 0x63676174;
  INSERT INTO marks VALUES ('"ada"', '"s"', '"listed"', 7), ('"ada"', '"s"', '"__proto__"', 8.5), ('"bob"', '"s"', '""', 9);
  INSERT INTO holds (id, binding, status, data) VALUES ('"h1"', '"b"', 'pending', '${JSON.stringify(hold)}');
  INSERT INTO entries VALUES (1, '${hash}', '${text}');
`
const ada = { principal: 'ada', session: 's' }

function oldFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-migrate-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'store.db')
  const db = new Database(path)
  db.exec(LAYOUT_1)
  db.close()
  return path
}

test('a file of the first release is brought to today, with all that stands in it', async () => {
  const path = oldFile()
  for (const _time of ['the first', 'the second']) {
    const store = await openSqliteStore(path)
    expect(await store.marks.list(ada)).toEqual([{ gate: '__proto__', at: 8.5 }, { gate: 'listed', at: 7 }])
    expect(await store.marks.list({ principal: 'bob', session: 's' })).toEqual([{ gate: '', at: 9 }])
    expect(await store.holds.get('h1')).toEqual(hold)
    expect((await store.record.read(0, 10)).map(({ data }) => data)).toEqual([{ n: 1 }])
    await store.close()
  }
})

test('what it holds is used as if it were new', async () => {
  const store = await openSqliteStore(oldFile())
  onTestFinished(() => store.close())
  const answer = { verdict: 'approve', approver: 'ada', at: 1_100 } as const
  expect((await store.holds.apply('h1', { kind: 'answer', answer })).hold.status).toBe('approved')
  const claim = { at: 10, needs: [{ gate: 'listed' }], clears: [{ gate: 'listed' }], charges: [{ limit: 'l', calls: 1 }] }
  expect(await store.marks.claim(ada, claim, [draft])).toEqual({ kind: 'claimed' })
  expect(await store.marks.add(ada, [{ gate: '__proto__', at: 10, key: '"a"' }], 'soon')).toEqual([])
  expect(await store.marks.add(ada, [{ gate: '__proto__', at: 11 }], 'soon')).toEqual([{ gate: '__proto__', at: 8.5 }])
  expect(await store.marks.list(ada)).toEqual([{ gate: '__proto__', at: 11 }, { gate: '__proto__', at: 10, key: '"a"' }])
})
