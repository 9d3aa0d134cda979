import type { Mark, MarkStore, SessionScope } from '@callgate/core'
import { numberOf, textOf } from './driver.ts'
import type { Driver } from './driver.ts'
import { fromKey, toKey } from './key-text.ts'

const LIST = 'SELECT gate, at FROM marks WHERE principal = ? AND session = ?'
const ADD = 'INSERT INTO marks VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at'
const RESET = 'DELETE FROM marks WHERE principal = ? AND session = ?'

/** Marks, each call one transaction: on the connection that waits for the disk where they must survive a power cut, else on the quick one. */
export function createSqliteMarks(durable: Driver, quick: Driver): MarkStore {
  return {
    async list(scope) {
      const rows = quick.all(LIST, ...scopeKey(scope))
      return rows.map((row): Mark => ({ gate: fromKey(quick.path, textOf(quick, row, 'gate')), at: numberOf(quick, row, 'at') }))
    },
    async add(scope, marks, durability) {
      const key = scopeKey(scope)
      if (marks.length === 0) return
      const driver = durability === 'now' ? durable : quick
      driver.transact(() => {
        for (const { gate, at } of marks) driver.run(ADD, ...key, toKey(gate), at)
      })
    },
    async reset(scope) {
      quick.run(RESET, ...scopeKey(scope))
    },
  }
}

function scopeKey(scope: SessionScope): readonly [string, string] {
  return [toKey(scope.principal), toKey(scope.session)]
}
