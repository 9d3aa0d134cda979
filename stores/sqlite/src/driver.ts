import Database from 'libsql'
import { CallgateError } from '@callgate/core'
import { createPlaceCheck } from './place-check.ts'
import { invalidContent, storeError } from './store-error.ts'

/** One row, by column. */
export type Row = Readonly<Record<string, unknown>>

/** What may be bound: text without NUL (SQLite's own reading would cut it there), a number, or nothing. */
export type Param = string | number | null

/**
 * One connection to one file; synchronous; every failure is a `CallgateError`. SQL texts are few and constant, and kept prepared.
 * Nothing is read, written or committed once the file was removed or replaced: `store_unavailable`.
 */
export type Driver = {
  readonly path: string
  run(sql: string, ...params: readonly Param[]): void
  get(sql: string, ...params: readonly Param[]): Row | undefined
  all(sql: string, ...params: readonly Param[]): readonly Row[]
  /** Runs several statements that bind nothing. */
  script(sql: string): void
  /** Runs `body` in one `BEGIN IMMEDIATE` transaction: all of it, or nothing where it throws. */
  transact<T>(body: () => T): T
  readonly isInTransaction: boolean
  close(): void
}

// The driver's own types bind `any`.
type Statement = {
  run(...params: readonly Param[]): unknown
  get(...params: readonly Param[]): unknown
  all(...params: readonly Param[]): readonly unknown[]
}

/** Opens a connection that waits at most `busyTimeoutMs` for a lock of another process; the file must be there. */
export function openDriver(path: string, busyTimeoutMs: number): Driver {
  const guarded = <T>(body: () => T): T => {
    try {
      return body()
    } catch (cause) {
      throw storeError(path, cause)
    }
  }
  // Remembered before it is opened: one that is replaced in between is found by the first statement.
  const assertInPlace = createPlaceCheck(path)
  const db = guarded(() => new Database(path, { timeout: busyTimeoutMs }))
  const statements = new Map<string, Statement>()
  let isClosed = false

  const prepared = (sql: string): Statement => {
    if (isClosed) throw closedError(path)
    if (!db.inTransaction) assertInPlace()
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = db.prepare(sql) as Statement
    statements.set(sql, statement)
    return statement
  }
  const run = (sql: string, ...params: readonly Param[]): void => guarded(() => void prepared(sql).run(...params))

  return {
    path,
    run,
    get: (sql, ...params) => guarded(() => prepared(sql).get(...params) as Row | undefined),
    all: (sql, ...params) => guarded(() => prepared(sql).all(...params) as readonly Row[]),
    script: (sql) => guarded(() => void db.exec(sql)),
    transact(body) {
      run('BEGIN IMMEDIATE')
      try {
        const value = body()
        assertInPlace()
        run('COMMIT')
        return value
      } catch (error) {
        if (db.inTransaction) run('ROLLBACK')
        throw error
      }
    },
    get isInTransaction() {
      return db.inTransaction
    },
    close() {
      if (isClosed) return
      isClosed = true
      statements.clear()
      guarded(() => db.close())
    },
  }
}

/** What a call meets after `close`. */
export function closedError(path: string): CallgateError {
  return new CallgateError('store_unavailable', `The store ${path} is closed. Open it again.`)
}

/** A column that must be text. */
export function textOf(driver: Driver, row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw invalidContent(driver.path, `no text in the column ${column}`)
  return value
}

/** A column that must be a number. */
export function numberOf(driver: Driver, row: Row, column: string): number {
  const value = row[column]
  if (typeof value !== 'number') throw invalidContent(driver.path, `no number in the column ${column}`)
  return value
}
