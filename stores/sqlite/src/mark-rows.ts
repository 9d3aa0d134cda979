import type { Mark, MarkQuery, SessionScope } from '@callgate/core'
import { numberOf, textOf } from './driver.ts'
import type { Driver, Param, Row } from './driver.ts'
import { fromKey, toKey } from './key-text.ts'

/** A session as the columns `principal` and `session` hold it. */
export type ScopeKey = readonly [principal: string, session: string]

/** How many keys one statement looks for or writes. */
const CHUNK = 1_000
/** A mark without a key; the JSON string of a key is never empty. */
const NO_KEY = ''

const ALL = 'SELECT gate, key, at, fact, expires_at, uses FROM marks WHERE principal = ? AND session = ?'
const BY_GATE = `${ALL} AND gate = ?`
const BY_GATES = `${ALL} AND gate IN (SELECT value FROM json_each(?))`
const BY_KEYS = `${ALL} AND gate = ? AND key IN (SELECT value FROM json_each(?))`
// The columns `was_…` take what the mark replaces, so that one statement writes a mark and tells what it was.
const IN_ITS_PLACE = `ON CONFLICT DO UPDATE SET was_at = at, was_fact = fact, was_expires_at = expires_at, was_uses = uses,
    at = excluded.at, fact = excluded.fact, expires_at = excluded.expires_at, uses = excluded.uses
  RETURNING key, was_at AS at, was_fact AS fact, was_expires_at AS expires_at, was_uses AS uses,
    EXISTS (SELECT 1 FROM streaks WHERE principal = ?1 AND session = ?2) AS has_streak`
const INTO = 'INSERT INTO marks (principal, session, gate, at, expires_at, uses, key, fact)'
const PUT = `${INTO} VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ${IN_ITS_PLACE}`
const PUT_MANY = `${INTO} SELECT ?1, ?2, ?3, ?4, ?5, ?6, value ->> 0, value ->> 1 FROM json_each(?7) WHERE true ${IN_ITS_PLACE}`
const REMOVE = 'DELETE FROM marks WHERE principal = ? AND session = ? AND gate = ? AND key = ?'
const PRUNE = 'DELETE FROM marks WHERE principal = ? AND session = ? AND gate = ? AND expires_at <= ?'

/** The columns that name a session. */
export function scopeKey(scope: SessionScope): ScopeKey {
  return [toKey(scope.principal), toKey(scope.session)]
}

/** The marks that `queries` name, each once, or all of the session. */
export function readMarks(driver: Driver, scope: ScopeKey, queries?: readonly MarkQuery[]): readonly Mark[] {
  if (queries === undefined) return marksIn(driver, ALL, ...scope)
  const whole = new Set(queries.flatMap(({ gate, keys }) => (keys === undefined ? [gate] : [])))
  const named = new Map<string, Set<string>>()
  for (const { gate, keys } of queries) if (keys !== undefined && !whole.has(gate)) addTo(named, gate, keys.map(toKey))
  const found = whole.size === 0 ? [] : marksOf(driver, scope, [...whole].map(toKey))
  return named.size === 0 ? found : [...found, ...marksNamed(driver, scope, named)]
}

/** A mark that was written, the one in whose place it was, and whether the session's calls are counted in a row. */
export type WrittenMark = { readonly mark: Mark; readonly replaced?: Mark; readonly hasStreak: boolean }

/** Writes marks, no two of the same gate and key, each in the place of the one that was there. */
export function putMarks(driver: Driver, scope: ScopeKey, marks: readonly Mark[]): readonly WrittenMark[] {
  const [first] = marks
  if (first === undefined) return []
  if (marks.length === 1) return putOne(driver, scope, first)
  const alike = new Map<string, [Mark, ...Mark[]]>()
  for (const mark of marks) {
    const likeness = JSON.stringify([mark.gate, mark.at, mark.expiresAt, mark.uses])
    const known = alike.get(likeness)
    if (known === undefined) alike.set(likeness, [mark])
    else known.push(mark)
  }
  return [...alike.values()].flatMap((group) => inChunks(group, (chunk) => putAlike(driver, scope, group[0], chunk)))
}

// Not `get`: a statement that writes is run to its end.
function putOne(driver: Driver, scope: ScopeKey, mark: Mark): readonly WrittenMark[] {
  return driver.all(PUT, ...commonOf(scope, mark), keyColumn(mark), mark.fact ?? null).map((row) => writtenOf(driver, row, mark))
}

/** Writes marks that differ from `first` in key and fact only. */
function putAlike(driver: Driver, scope: ScopeKey, first: Mark, marks: readonly Mark[]): readonly WrittenMark[] {
  const byKey = new Map(marks.map((mark) => [keyColumn(mark), mark]))
  const list = JSON.stringify([...byKey].map(([key, { fact }]) => [key, fact ?? null]))
  return driver.all(PUT_MANY, ...commonOf(scope, first), list).map((row) => writtenOf(driver, row, byKey.get(textOf(driver, row, 'key')) ?? first))
}

function commonOf(scope: ScopeKey, { gate, at, expiresAt, uses }: Mark): readonly Param[] {
  return [...scope, toKey(gate), at, expiresAt ?? null, uses ?? null]
}

function writtenOf(driver: Driver, row: Row, mark: Mark): WrittenMark {
  const hasStreak = row['has_streak'] === 1
  return row['at'] === null ? { mark, hasStreak } : { mark, hasStreak, replaced: markOf(driver, row, mark) }
}

/** Removes the mark of this gate and key. */
export function removeMark(driver: Driver, scope: ScopeKey, mark: Pick<Mark, 'gate' | 'key'>): void {
  driver.run(REMOVE, ...scope, toKey(mark.gate), keyColumn(mark))
}

/** Removes the gate's marks that had expired at this time, so that they do not pile up. */
export function pruneMarks(driver: Driver, scope: ScopeKey, gate: string, at: number): void {
  driver.run(PRUNE, ...scope, toKey(gate), at)
}

function marksOf(driver: Driver, scope: ScopeKey, gates: readonly string[]): readonly Mark[] {
  const [only] = gates
  return only !== undefined && gates.length === 1 ? marksIn(driver, BY_GATE, ...scope, only) : marksIn(driver, BY_GATES, ...scope, JSON.stringify(gates))
}

function marksNamed(driver: Driver, scope: ScopeKey, named: ReadonlyMap<string, ReadonlySet<string>>): readonly Mark[] {
  return [...named].flatMap(([gate, keys]) => inChunks([...keys], (chunk) => marksIn(driver, BY_KEYS, ...scope, toKey(gate), JSON.stringify(chunk))))
}

function inChunks<T, R>(items: readonly T[], read: (chunk: readonly T[]) => readonly R[]): readonly R[] {
  const found: R[] = []
  for (let from = 0; from < items.length; from += CHUNK) found.push(...read(items.slice(from, from + CHUNK)))
  return found
}

function marksIn(driver: Driver, sql: string, ...params: readonly Param[]): Mark[] {
  return driver.all(sql, ...params).map((row) => markOf(driver, row, nameOf(driver, row)))
}

function nameOf(driver: Driver, row: Row): Pick<Mark, 'gate' | 'key'> {
  const gate = fromKey(driver.path, textOf(driver, row, 'gate'))
  const key = textOf(driver, row, 'key')
  return key === NO_KEY ? { gate } : { gate, key: fromKey(driver.path, key) }
}

function markOf(driver: Driver, row: Row, { gate, key }: Pick<Mark, 'gate' | 'key'>): Mark {
  return {
    gate,
    at: numberOf(driver, row, 'at'),
    ...(key !== undefined && { key }),
    ...(row['fact'] !== null && { fact: textOf(driver, row, 'fact') }),
    ...(row['expires_at'] !== null && { expiresAt: numberOf(driver, row, 'expires_at') }),
    ...(row['uses'] !== null && { uses: numberOf(driver, row, 'uses') }),
  }
}

function keyColumn({ key }: Pick<Mark, 'key'>): string {
  return key === undefined ? NO_KEY : toKey(key)
}

function addTo(named: Map<string, Set<string>>, gate: string, keys: readonly string[]): void {
  const known = named.get(gate) ?? new Set()
  for (const key of keys) known.add(key)
  named.set(gate, known)
}
