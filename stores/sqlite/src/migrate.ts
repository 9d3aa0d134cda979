import { CallgateError } from '@callgate/core'
import { numberOf } from './driver.ts'
import type { Driver } from './driver.ts'
import { invalidContent } from './store-error.ts'

/** Marks a SQLite file as ours: the bytes of "cgat". */
const APPLICATION_ID = 0x63676174

// Text columns that hold names or ids hold them as JSON strings: NUL and lone surrogates survive, and nothing collides.
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (version INTEGER NOT NULL) STRICT;
  INSERT INTO meta VALUES (0);
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
  PRAGMA application_id = ${APPLICATION_ID};
  `,
  // The key of a mark that carries none is the empty text, which is no JSON string.
  `
  ALTER TABLE marks RENAME TO marks_without_keys;
  CREATE TABLE marks (
    principal TEXT NOT NULL, session TEXT NOT NULL, gate TEXT NOT NULL, key TEXT NOT NULL,
    at ANY NOT NULL, fact TEXT, expires_at ANY, uses ANY, was_at ANY, was_fact TEXT, was_expires_at ANY, was_uses ANY,
    PRIMARY KEY (principal, session, gate, key)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO marks (principal, session, gate, key, at) SELECT principal, session, gate, '', at FROM marks_without_keys;
  DROP TABLE marks_without_keys;
  CREATE INDEX marks_by_expiry ON marks (principal, session, gate, expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE charges (principal TEXT NOT NULL, session TEXT NOT NULL, name TEXT NOT NULL, at ANY NOT NULL, amount TEXT) STRICT;
  CREATE INDEX charges_by_name ON charges (principal, session, name, at);
  CREATE TABLE streaks (
    principal TEXT NOT NULL, session TEXT NOT NULL, digest TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (principal, session)
  ) STRICT, WITHOUT ROWID;
  `,
]

/** The version of the file's layout that this release reads and writes. */
export const LAYOUT_VERSION: number = MIGRATIONS.length

/** Refuses a database of another program before anything is written to it: `store_invalid`. */
export function assertOurs(driver: Driver, mustBeOurs = false): void {
  const id = numberOf(driver, driver.get('PRAGMA application_id') ?? {}, 'application_id')
  if (id === APPLICATION_ID) return
  const tables = numberOf(driver, driver.get('SELECT count(*) AS n FROM sqlite_schema') ?? {}, 'n')
  const isEmpty = id === 0 && tables === 0
  if (isEmpty && !mustBeOurs) return
  if (isEmpty) throw new CallgateError('store_invalid', `The store ${driver.path} is an empty database: nothing was recorded there. Name the file that callgate run was told.`)
  const message = `The store ${driver.path} is a database of another program. Name another file, and a new store is made.`
  throw new CallgateError('store_invalid', message)
}

/** Brings the file's layout to `LAYOUT_VERSION`, all steps or none; a newer file is refused with `store_invalid`. */
export function migrate(driver: Driver): void {
  if (versionOf(driver) === LAYOUT_VERSION) return
  driver.transact(() => {
    const version = versionOf(driver)
    if (version > LAYOUT_VERSION) throw newer(driver.path, version)
    for (const step of MIGRATIONS.slice(version)) driver.script(step)
    driver.run('UPDATE meta SET version = ?', LAYOUT_VERSION)
  })
}

function versionOf(driver: Driver): number {
  const isNew = driver.get("SELECT 1 AS found FROM sqlite_schema WHERE type = 'table' AND name = 'meta'") === undefined
  if (isNew) return 0
  const version = numberOf(driver, driver.get('SELECT version FROM meta') ?? {}, 'version')
  if (Number.isInteger(version) && version >= 1) return version
  throw invalidContent(driver.path, `the layout ${version}, which no callgate has written`)
}

function newer(path: string, version: number): CallgateError {
  const message = `The store ${path} has the layout ${version} of a newer callgate; this one knows up to ${LAYOUT_VERSION}. Update callgate, or use another store.`
  return new CallgateError('store_invalid', message)
}
